// @ts-check
/** Finds which Rust modules use which others, from their sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { repository } from '../children.mjs';

/**
 * @typedef {object} Use one name that a `use` statement brings into a module
 * @property {string[]} path
 * @property {string} name
 * @property {boolean} isPublic
 */

/** @typedef {{ path: string[], file: string, uses: Use[], code: string }} Module */

/** Comments, texts and characters become spaces. @param {string} source */
function withoutTexts(source) {
  const forms = /\/\/.*|\/\*[\s\S]*?\*\/|\bb?r(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^\n]+?|[^\\\n])'/g;
  return source.replaceAll(forms, ' ');
}

/** Index after the item that begins at `start`. @param {string} code @param {number} start */
function endOfItem(code, start) {
  let depth = 0;
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '{') depth += 1;
    if (code[at] === '}') depth -= 1;
    if (depth === 0 && (code[at] === ';' || code[at] === '}')) return at + 1;
  }
  return code.length;
}

/** @param {string} code @returns {{ code: string, testModules: string[] }} */
function withoutTests(code) {
  const testModules = [];
  let rest = code;
  for (let at = rest.indexOf('#[cfg(test)]'); at >= 0; at = rest.indexOf('#[cfg(test)]')) {
    const item = rest.slice(at, endOfItem(rest, at));
    const name = item.match(/\bmod (\w+)\s*;/)?.[1];
    if (name !== undefined) testModules.push(name);
    rest = rest.slice(0, at) + rest.slice(at + item.length);
  }
  return { code: rest, testModules };
}

/** The parts of a list; a nested list is one part. @param {string} list */
function partsOf(list) {
  let depth = 0;
  let part = '';
  const parts = [];
  for (const character of list) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (character === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part].map((text) => text.trim()).filter((text) => text !== '');
}

/** @param {string} tree @param {string[]} prefix @returns {{ path: string[], name: string }[]} */
function namesOf(tree, prefix = []) {
  const list = tree.match(/^((?:\w+\s*::\s*)*)\{([\s\S]*)\}$/);
  const segments = (/** @type {string} */ text) => text.split('::').map((segment) => segment.trim());
  if (list !== null) {
    const [, head = '', inner = ''] = list;
    const path = [...prefix, ...segments(head).filter((segment) => segment !== '')];
    return partsOf(inner).flatMap((part) => namesOf(part, path));
  }
  const [text = '', alias] = tree.split(/\s+as\s+/);
  const path = [...prefix, ...segments(text)];
  if (path.length > 1 && path.at(-1) === 'self') path.pop();
  return [{ path, name: alias ?? path.at(-1) ?? '' }];
}

/** @param {string} code @returns {{ uses: Use[], code: string }} */
function usesIn(code) {
  /** @type {Use[]} */
  const uses = [];
  const statement = /\b(pub\s*(?:\([^)]*\)\s*)?)?use\s+([^;]+);/g;
  const rest = code.replaceAll(statement, (_, visibility, /** @type {string} */ tree) => {
    const isPublic = visibility !== undefined;
    for (const found of namesOf(tree.trim())) uses.push({ ...found, isPublic });
    return '';
  });
  return { uses, code: rest };
}

/** The path within its crate. @param {string} file relative to `src` */
function pathOf(file) {
  const path = file.replace(/\.rs$/, '').split(/[/\\]/);
  return path.filter((segment, index) => index < path.length - 1 || !['mod', 'lib'].includes(segment));
}

/** @param {string} source @returns {Map<string, Module>} by path, without the modules of tests */
function modulesIn(source) {
  /** @type {Map<string, Module>} */
  const modules = new Map();
  /** @type {string[]} */
  const tests = [];
  const folder = resolve(repository, source);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.rs')).toSorted()) {
    const path = pathOf(file);
    const { code, testModules } = withoutTests(withoutTexts(readFileSync(join(folder, file), 'utf8')));
    tests.push(...testModules.map((name) => [...path, name].join('::')));
    modules.set(path.join('::'), { path, file: join(source, file), ...usesIn(code) });
  }
  const isTest = (/** @type {string} */ path) => tests.some((test) => path === test || path.startsWith(`${test}::`));
  // A test module with a `#[path]` is not in the folder of its name.
  return new Map([...modules].filter(([path]) => !isTest(path) && !/(^|[:_])tests$/.test(path)));
}

/**
 * The module that defines what a path names. Follows re-exports.
 * @param {Map<string, Module>} modules @param {Module} from @param {string[]} path @param {Use} [through] the `use` that is looked up
 * @returns {Module | undefined} undefined if the path leads out of the crate
 */
function definitionOf(modules, from, path, through) {
  let [first = '', ...rest] = path;
  let at = from.path;
  const imported = (/** @type {Module} */ module, /** @type {string} */ name) =>
    module.uses.find((use) => use !== through && use.name === name);
  if (first === 'crate') at = [];
  else if (first === 'super') at = at.slice(0, -1);
  else if (first !== 'self') {
    const use = imported(from, first);
    if (modules.has([...at, first].join('::'))) at = [...at, first];
    else if (use !== undefined) return definitionOf(modules, from, [...use.path, ...rest], use);
    else return undefined;
  }
  while (rest[0] === 'super') {
    at = at.slice(0, -1);
    rest = rest.slice(1);
  }
  for (const [index, segment] of rest.entries()) {
    const module = modules.get(at.join('::'));
    if (module === undefined) return undefined;
    const inner = [...at, segment];
    // A function may have the same name as a module next to it.
    const isFunction = index === rest.length - 1 && new RegExp(`\\bfn ${segment}\\b`).test(module.code);
    if (modules.has(inner.join('::')) && !isFunction) at = inner;
    else {
      const use = imported(module, segment);
      return use === undefined ? module : definitionOf(modules, module, [...use.path, ...rest.slice(index + 1)], use);
    }
  }
  return undefined;
}

/** @param {Map<string, Module>} modules @param {Module} module @returns {Set<string>} */
function importsOf(modules, module) {
  /** @type {Set<string>} */
  const files = new Set();
  const add = (/** @type {Module | undefined} */ imported) => {
    if (imported !== undefined && imported !== module) files.add(imported.file);
  };
  for (const use of module.uses) {
    const isUsed = !use.isPublic || new RegExp(`\\b${use.name}\\b`).test(module.code);
    if (isUsed) add(definitionOf(modules, module, use.path, use));
  }
  for (const [path] of module.code.matchAll(/\b\w+(?:\s*::\s*\w+)+/g)) {
    add(definitionOf(modules, module, path.split(/\s*::\s*/)));
  }
  return files;
}

/**
 * Imports between the files of a crate, without tests. A module's declaration or re-export of another one isn't an import.
 * @param {string} source the crate's `src` @returns {import('./circles.mjs').ImportGraph}
 */
export function rustImports(source) {
  const modules = modulesIn(source);
  return new Map(Array.from(modules.values(), (module) => [module.file, importsOf(modules, module)]));
}
