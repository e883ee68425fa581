// @ts-check
/**
 * Writes a file of `lib/` as an ES module, line by line at the same place. Bundlers drop what isn't used of ES modules only; the
 * checkout stays CommonJS, which Node.js evaluates when it is asked for. What `lib/` is written like makes this a matter of
 * single lines, and anything else is refused.
 */

const REQUIRED = /^const (\{[^}]*\}|\w+) = require\('(\.[^']+)\.js'\);$/gm;
const EXPORTED = /^module\.exports = (\{[\s\S]*?^\}|\{.*\}|.*);$/m;
const PLAIN_NAMES = /^\{[\w\s,:]*\}$/;
/** The names of an object that spans lines, as Biome sets it out. */
const NAME_IN_OBJECT = /^ {2}(\w+)(?=[,:])/gm;

/** @param {string} names as in a destructuring or an object, `a: b` @param {boolean} isImport */
function renamed(names, isImport) {
  return names.replace(/(\w+): (\w+)/g, isImport ? '$1 as $2' : '$2 as $1');
}

/** @param {string} text @returns {boolean} whether it exports names, and not one value */
export function exportsNames(text) {
  return EXPORTED.exec(text)?.[1]?.startsWith('{') === true;
}

/** @param {string} value what `module.exports` was set to */
function exporting(value) {
  if (!value.startsWith('{')) return `export default ${value};`;
  if (PLAIN_NAMES.test(value)) return `export ${renamed(value, false)};`;
  const names = [...value.matchAll(NAME_IN_OBJECT)].map(([, name]) => name);
  const values = names.map((name, at) => `const given${at} = given.${name};`);
  return `const given = ${value};\n${values.join('\n')}\nexport { ${names.map((name, at) => `given${at} as ${name}`).join(', ')} };`;
}

/**
 * @param {string} text of a CommonJS file of `lib/`
 * @param {(path: string) => boolean} isOfNames whether the file at that path, without its ending, exports names
 * @returns {string}
 * @throws {Error} where it is written otherwise
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
