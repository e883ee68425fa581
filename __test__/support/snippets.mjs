// @ts-check
/** Code in documents, and a project in which it runs as for a user. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHINESE_PAGES } from '../../scripts/chinese-pages.mjs';
import { repository } from './children.mjs';

/**
 * The text after a fence's language says how a test treats the snippet; by default it runs as a module.
 * @typedef {object} Snippet
 * @property {string} place `docs/cache.md:24`
 * @property {string} language
 * @property {string} code
 * @property {string[]} sources modules that it imports
 * @property {string | undefined} notRun `no-run: reason`: reason not to run it
 * @property {string | undefined} runsIn `in: a page`: another environment than a Node.js module; a separate test runs
 *   it
 * @property {string | undefined} shapeOf `shape of: expression`: it is an object with the shape of that expression's
 *   value
 * @property {string | undefined} file `file: name.mjs`: name under which later snippets import it
 * @property {string | undefined} prints what the document says that it prints: the text after “It prints:”
 * @property {Map<string, string>} carried names that earlier snippets of the document imported, with their module
 */

/** First line of a fence that isn't a snippet: not code, or not JavaScript. */
const OTHER_FENCE = /^ *```(?:|sh|diff|html|json|text|sql)(?: in: .+)?$/;
const FENCE = /^ *```(js|ts|mjs|tsx|jsx|javascript|typescript)\b(.*)\n([\s\S]*?)^ *```$/gm;
/** What a snippet prints, directly after its fence. */
const PRINTS = /^\n+It prints:\n+```text\n([\s\S]*?)```/;
const IMPORT = /^import (?:\{([^}]*)\}|[\w*]+(?: as \w+)?) from '([^']+)';$/gm;
/** A statement with a comment that claims its value: `prices.cost(…); // 6500`. */
const CLAIM =
  /^( *)((?:await )?[\w$.]+(?:\(.*\))?); *\/\/ (-?\d[\d_,]*(?:\.\d+)?|true|false|null|'[^']*')(?=$|[\s:;,])/gm;

/** @returns {string[]} paths in the repository */
export function documents() {
  const docs = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' });
  const inDocs = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return ['README.md', 'README.zh.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'cli/README.md', ...inDocs.sort()];
}

/** Documents whose code is run. Chinese pages contain the code of the English ones: docs/chinese-pages.test.mjs. @returns {string[]} */
export function documentsWithCode() {
  const chinese = [...CHINESE_PAGES.values()];
  return documents().filter((path) => !chinese.includes(path));
}

/** @param {string} path @returns {Snippet[]} */
export function snippetsOf(path) {
  const text = readFileSync(join(repository, path), 'utf8');
  /** @type {Map<string, string>} */
  const imported = new Map();
  return Array.from(text.matchAll(FENCE), ({ 0: fence, 1: language = '', 2: info = '', 3: code = '', index }) => {
    const carried = new Map(imported);
    const imports = [...code.matchAll(IMPORT)];
    for (const [, names = '', source = ''] of imports) {
      for (const name of names.split(',').map((one) => one.trim())) if (name !== '') imported.set(name, source);
    }
    const line = text.slice(0, index).split('\n').length;
    const directive = (/** @type {string} */ word) => info.split(` ${word}: `)[1]?.trim();
    return {
      place: `${path}:${line}`,
      language,
      code,
      sources: imports.map(([, , source = '']) => source),
      notRun: directive('no-run'),
      runsIn: directive('in'),
      shapeOf: directive('shape of'),
      file: directive('file'),
      prints: PRINTS.exec(text.slice(index + fence.length))?.[1],
      carried,
    };
  });
}

/** First lines of fences that are neither snippets nor known to be something else. @param {string} path @returns {string[]} */
export function unknownFences(path) {
  const text = readFileSync(join(repository, path), 'utf8');
  const fences = text.replaceAll(FENCE, '').match(/^ *```.*$/gm) ?? [];
  return fences.filter((line) => !OTHER_FENCE.test(line)).map((line) => `${path}: ${line}`);
}

/** All snippets that are run in a given environment. @param {string} where the text after `in:` */
export function snippetsIn(where) {
  return documentsWithCode()
    .flatMap(snippetsOf)
    .filter(({ runsIn }) => runsIn === where);
}

/** The code with each claim converted to a call that checks it. @param {string} code */
function withClaims(code) {
  return code.replaceAll(CLAIM, (_, indent, expression, literal) => {
    const value = /^-?\d/.test(literal) ? literal.replaceAll(/[_,]/g, '') : literal;
    return `${indent}claimed(${expression}, ${value}); //`;
  });
}

/**
 * @param {readonly string[]} [more] additional packages
 * @returns {string} a new folder in which palimpsest and its development dependencies are installed
 */
export function makeProject(more = []) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-snippets-')));
  const link = (/** @type {string} */ name, /** @type {string} */ target) => {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(target, place, 'junction');
  };
  link('palimpsest', repository);
  const sdks = [
    'ai',
    'langchain',
    'openai',
    '@anthropic-ai/sdk',
    '@langchain/langgraph',
    '@mastra/core',
    '@openai/agents',
  ];
  for (const name of [...sdks, ...more]) link(name, join(repository, 'node_modules', name));
  return folder;
}

/**
 * Runs a snippet as a module with `names` as globals, so that its own declarations take precedence.
 * @param {Snippet} snippet
 * @param {string} project
 * @param {Record<string, unknown>} names
 */
export async function runSnippet({ place, code, carried, file: name }, project, names) {
  const file = join(project, name ?? `${place.replaceAll(/\W/g, '-')}.mjs`);
  writeFileSync(file, withClaims(code));
  const given = { ...names, ...(await importedBy(carried, project)) };
  for (const [name, value] of Object.entries(given)) {
    if (name in globalThis) throw new Error(`${name} is a global of Node.js’s own`);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  try {
    await import(pathToFileURL(file).href);
  } finally {
    for (const name of Object.keys(given)) Reflect.deleteProperty(globalThis, name);
  }
}

/** @param {Map<string, string>} carried @param {string} project @returns {Promise<Record<string, unknown>>} */
async function importedBy(carried, project) {
  if (carried.size === 0) return {};
  const lines = [...carried].map(([name, source]) => `export { ${name} } from '${source}';\n`);
  const file = join(project, `carried-${Buffer.from(lines.join('')).toString('base64url').slice(-80)}.mjs`);
  writeFileSync(file, lines.join(''));
  return { ...(await import(pathToFileURL(file).href)) };
}
