// @ts-check
/** The documents' code, and a project in which it runs as a reader's would. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHINESE_PAGES } from '../../scripts/chinese-pages.mjs';
import { repository } from './children.mjs';

/**
 * What stands behind the language on a fence's first line says what a test does with it; by default the snippet is run as a module.
 * @typedef {object} Snippet
 * @property {string} place `docs/cache.md:24`
 * @property {string} language
 * @property {string} code
 * @property {string[]} sources what it imports from
 * @property {string | undefined} notRun `no-run: reason`: why it can't be run
 * @property {string | undefined} runsIn `in: a page`: what else than a module of Node.js it is run in, by a test of its own
 * @property {string | undefined} shapeOf `shape of: expression`: it is an object, and shows what that expression gives
 * @property {Map<string, string>} carried names that snippets before it in the document have imported, and from where
 */

/** What begins a fence that no snippet is made of, and says why: no code, or no JavaScript. */
const OTHER_FENCE = /^ *```(?:|sh|diff|html|json|text|sql)(?: in: .+)?$/;
const FENCE = /^ *```(js|ts|mjs|tsx|jsx|javascript|typescript)\b(.*)\n([\s\S]*?)^ *```$/gm;
const IMPORT = /^import (?:\{([^}]*)\}|[\w*]+(?: as \w+)?) from '([^']+)';$/gm;
/** A statement with the value that a comment behind it claims: `prices.cost(…); // 6500`. */
const CLAIM =
  /^( *)((?:await )?[\w$.]+(?:\(.*\))?); *\/\/ (-?\d[\d_,]*(?:\.\d+)?|true|false|null|'[^']*')(?=$|[\s:;,])/gm;

/** @returns {string[]} paths in the repository */
export function documents() {
  const docs = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' });
  const inDocs = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return ['README.md', 'README.zh.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...inDocs.sort()];
}

/** Those whose code is run. Chinese pages show that of the English ones: docs/chinese-pages.test.mjs. @returns {string[]} */
export function documentsWithCode() {
  const chinese = [...CHINESE_PAGES.values()];
  return documents().filter((path) => !chinese.includes(path));
}

/** @param {string} path @returns {Snippet[]} */
export function snippetsOf(path) {
  const text = readFileSync(join(repository, path), 'utf8');
  /** @type {Map<string, string>} */
  const imported = new Map();
  return Array.from(text.matchAll(FENCE), ({ 1: language = '', 2: info = '', 3: code = '', index }) => {
    const carried = new Map(imported);
    const imports = [...code.matchAll(IMPORT)];
    for (const [, names = '', source = ''] of imports) {
      for (const name of names.split(',').map((one) => one.trim())) if (name !== '') imported.set(name, source);
    }
    const line = text.slice(0, index).split('\n').length;
    const said = (/** @type {string} */ word) => info.split(` ${word}: `)[1]?.trim();
    return {
      place: `${path}:${line}`,
      language,
      code,
      sources: imports.map(([, , source = '']) => source),
      notRun: said('no-run'),
      runsIn: said('in'),
      shapeOf: said('shape of'),
      carried,
    };
  });
}

/** Lines that begin code which is neither a snippet nor known to be something else. @param {string} path @returns {string[]} */
export function unknownFences(path) {
  const text = readFileSync(join(repository, path), 'utf8');
  const fences = text.replaceAll(FENCE, '').match(/^ *```.*$/gm) ?? [];
  return fences.filter((line) => !OTHER_FENCE.test(line)).map((line) => `${path}: ${line}`);
}

/** Every code of the documents that a test runs in such a place. @param {string} where what stands behind `in:` */
export function snippetsIn(where) {
  return documentsWithCode()
    .flatMap(snippetsOf)
    .filter(({ runsIn }) => runsIn === where);
}

/** The code with each claim as a call that holds it against what is there. @param {string} code */
function withClaims(code) {
  return code.replaceAll(CLAIM, (_, indent, expression, literal) => {
    const value = /^-?\d/.test(literal) ? literal.replaceAll(/[_,]/g, '') : literal;
    return `${indent}claimed(${expression}, ${value}); //`;
  });
}

/** @param {readonly string[]} [more] packages @returns {string} a folder of its own, in which palimpsest and what it is developed with are installed */
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
 * Runs a snippet as a module in whose surroundings `names` are defined. They are globals, so that what it declares itself goes first.
 * @param {Snippet} snippet
 * @param {string} project
 * @param {Record<string, unknown>} names
 */
export async function runSnippet({ place, code, carried }, project, names) {
  const file = join(project, `${place.replaceAll(/\W/g, '-')}.mjs`);
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
