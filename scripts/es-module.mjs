// @ts-check
/**
 * Converts a file of `lib/` to an ES module, line by line, so that line numbers stay the same. Bundlers remove unused
 * code only from ES modules; the checkout stays CommonJS, which Node.js can load on demand. The strict style of `lib/`
 * allows a conversion of single lines; other code is rejected.
 */

const REQUIRED = /^const (\{[^}]*\}|\w+) = require\('(\.[^']+)\.js'\);$/gm;
const EXPORTED = /^module\.exports = (\{[\s\S]*?^\}|\{.*\}|.*);$/m;
const PLAIN_NAMES = /^\{[\w\s,:]*\}$/;
/** Names in an object literal over several lines, as Biome formats it. */
const NAME_IN_OBJECT = /^ {2}(\w+)(?=[,:])/gm;

/** @param {string} names of a destructuring or object literal, such as `a: b` @param {boolean} isImport */
function renamed(names, isImport) {
  return names.replace(/(\w+): (\w+)/g, isImport ? '$1 as $2' : '$2 as $1');
}

/** @param {string} text @returns {boolean} true if it exports names instead of a single value */
export function exportsNames(text) {
  return EXPORTED.exec(text)?.[1]?.startsWith('{') === true;
}

/** @param {string} value the value assigned to `module.exports` */
function exporting(value) {
  if (!value.startsWith('{')) return `export default ${value};`;
  if (PLAIN_NAMES.test(value)) return `export ${renamed(value, false)};`;
  const names = [...value.matchAll(NAME_IN_OBJECT)].map(([, name]) => name);
  const values = names.map((name, at) => `const given${at} = given.${name};`);
  return `const given = ${value};\n${values.join('\n')}\nexport { ${names.map((name, at) => `given${at} as ${name}`).join(', ')} };`;
}

/**
 * @param {string} text content of a CommonJS file in `lib/`
 * @param {(path: string) => boolean} isOfNames true if the file at that path (without extension) exports names
 * @returns {string}
 * @throws {Error} if the file has an unsupported form
 */
export function asEsModule(text, isOfNames) {
  const module = text
    .replace(/^'use strict';$/m, '')
    .replace(REQUIRED, (_, /** @type {string} */ what, /** @type {string} */ path) => {
      if (what.startsWith('{')) return `import ${renamed(what, true)} from '${path}.mjs';`;
      return `import ${isOfNames(path) ? `* as ${what}` : what} from '${path}.mjs';`;
    })
    .replace(EXPORTED, (_, /** @type {string} */ value) => exporting(value));
  const code = module.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const left = /\brequire\(|\bmodule\.exports\b|\bexports\.\w+ =/.exec(code.replaceAll('createRequire(', ''));
  if (left === null) return module;
  throw new Error(
    `expected “const … = require('./….js')” and one “module.exports = …” in lines of their own; found ${left[0]}`,
  );
}
