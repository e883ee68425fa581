// @ts-check
/**
 * Converts a file of `lib/` to an ES module, line by line, so that line numbers stay the same. Bundlers remove unused
 * code only from ES modules; the checkout stays CommonJS, which Node.js can load on demand. The strict style of `lib/`
 * allows a conversion of single lines; other code is rejected.
 */

/** Matches an import: what is bound, and the path without extension. */
const REQUIRED = /^const (\{[^}]*\}|\w+) = require\('(\.[^']+)\.js'\);$/gm;
/** Matches the export: its value. */
const EXPORTED = /^module\.exports = (\{[\s\S]*?^\}|\{.*\}|.*);$/m;
/** Matches an object literal of names alone. */
const PLAIN_NAMES = /^\{[\w\s,:]*\}$/;
/** Names in an object literal over several lines, as Biome formats it. */
const NAME_IN_OBJECT = /^ {2}(\w+)(?=[,:])/gm;

/**
 * Converts `a: b` to `a as b` or `b as a`.
 * @param {string} names of a destructuring or object literal, such as `a: b` @param {boolean} isImport
 */
function renamings(names, isImport) {
  return names.replace(/(\w+): (\w+)/g, isImport ? '$1 as $2' : '$2 as $1');
}

/** @param {string} text @returns {boolean} true if it exports names instead of a single value */
export function exportsNames(text) {
  return EXPORTED.exec(text)?.[1]?.startsWith('{') === true;
}

/** The `export` statements of a value. @param {string} value the value assigned to `module.exports` */
function exporting(value) {
  if (!value.startsWith('{')) return `export default ${value};`;
  if (PLAIN_NAMES.test(value)) return `export ${renamings(value, false)};`;
  const names = [...value.matchAll(NAME_IN_OBJECT)].map(([, name]) => name);
  const values = names.map((name, index) => `const given${index} = given.${name};`);
  const exported = names.map((name, index) => `given${index} as ${name}`);
  return `const given = ${value};\n${values.join('\n')}\nexport { ${exported.join(', ')} };`;
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
      if (what.startsWith('{')) return `import ${renamings(what, true)} from '${path}.mjs';`;
      return `import ${isOfNames(path) ? `* as ${what}` : what} from '${path}.mjs';`;
    })
    .replace(EXPORTED, (_, /** @type {string} */ value) => exporting(value));
  const code = module.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const unsupported = /\brequire\(|\bmodule\.exports\b|\bexports\.\w+ =/.exec(code.replaceAll('createRequire(', ''));
  if (unsupported === null) return module;
  throw new Error(
    `expected “const … = require('./….js')” and one “module.exports = …” in lines of their own; found ${unsupported[0]}`,
  );
}
