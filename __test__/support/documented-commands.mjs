// @ts-check
/** Checks the commands in documents: finds scripts, options and files that don't exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commands } from '../../bin/command-line.mjs';
import { repository } from './children.mjs';

/**
 * @typedef {{ place: string, words: string[] }} Documented a command's words, without pipes and comments, and where it is
 */

/** The code of a shell block. */
const SH = /^ *```sh\n([\s\S]*?)^ *```$/gm;
const FENCE = /^ *```[\s\S]*?^ *```$/gm;
/** Inline code that is a command of ours, as opposed to an error message that starts with the package's name. */
const INLINE =
  /`((?:npm (?:run|start|test)\b|npx palimpsest-cli |palimpsest (?!needs|…)[a-z]|node [a-z]+\/|cargo run )[^`\n;]*)/g;
/** Third-party programs, which are not checked. */
const OTHERS = new Set(['curl', 'opencode', 'pi', 'pnpm', 'yarn', 'npm install', 'npm ci', 'npm pack']);
/** Placeholders for the user's own arguments. */
const PLACEHOLDER = /^(?:…|file…?|FILE…?|DIR|\[.*|.*\]|<.*>|path…?|[~.]{0,2}\/.*|.*\/.*|.*\.\w+|\d+|\w+=.*)$/;

const scripts = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).scripts;

/** @param {string} path path of a document @returns {Documented[]} */
export function commandsOf(path) {
  const text = readFileSync(join(repository, path), 'utf8');
  const lines = Array.from(text.matchAll(SH), ([, code = '']) => code.split('\n')).flat();
  const inline = Array.from(text.replaceAll(FENCE, '').matchAll(INLINE), ([, code = '']) => code);
  const bare = [...lines, ...inline].map((line) => line.replace(/(?:^|\s+)#.*/, '').trim()).filter(Boolean);
  const segments = bare.flatMap((line) => line.split(/\||;|&&/));
  return segments.map((line) => ({
    place: `${path}: ${line.trim()}`,
    words: line
      .replaceAll(/\d?[<>]+(?:&\d|\s*\S+)/g, '')
      .split(/\s+/)
      .filter(Boolean),
  }));
}

/** Problems that a user would run into. @param {Documented} documented @returns {Promise<string[]>} */
export async function problemsOf({ place, words }) {
  const [program = '', second = '', ...rest] = words;
  const problem = (/** @type {string} */ what) => [`${place}: ${what}`];
  if (program === 'npx' && second === 'palimpsest-cli') return problemsOf({ place, words: ['palimpsest', ...rest] });
  if (program === 'palimpsest') return withPlace(place, await problemsOfCommand(second, rest));
  if (program === 'node') return withPlace(place, problemsOfFile(second, rest));
  if (program === 'npm' && second === 'run') return withPlace(place, problemsOfScript(String(rest[0]), rest.slice(1)));
  if (program === 'npm' && /^(?:start|test)$/.test(second)) return withPlace(place, problemsOfScript(second, rest));
  if (program === 'cargo') return withPlace(place, problemsOfCargo(words));
  return OTHERS.has(program) || OTHERS.has(`${program} ${second}`) ? [] : problem('nobody knows this program');
}

/** @param {string} place @param {readonly string[]} found */
const withPlace = (place, found) => found.map((what) => `${place}: ${what}`);

/** @param {string} name of a command of the package @param {readonly string[]} words @returns {Promise<string[]>} */
async function problemsOfCommand(name, words) {
  const command = commands.get(name);
  if (command === undefined) return [`no command is called ${name}`];
  const { help } = await command.load();
  return flagsOf(words)
    .filter((flag) => !new RegExp(`^ {2}(?:-\\w, )?${flag}\\b`, 'm').test(help))
    .map((flag) => `${name} takes no ${flag}`);
}

/** @param {string} name of a script of package.json @param {readonly string[]} words @returns {string[]} */
function problemsOfScript(name, words) {
  const script = scripts[name];
  if (script === undefined) return [`package.json has no script ${name}`];
  const [program, ...given] = script.split(' ');
  // Node.js's own flags come before the file.
  const file = given.find((/** @type {string} */ word) => !word.startsWith('--')) ?? '';
  if (file === '') return [];
  if (words.length === 0) return program === 'node' ? problemsOfFile(file, []) : [];
  if (words[0] !== '--') return ['arguments for a script come after --'];
  // It passes the options of `napi build` on.
  if (file === 'scripts/addons.mjs') return [];
  return program === 'node' ? problemsOfFile(file, words.slice(1)) : [];
}

/** @param {string} file of the repository @param {readonly string[]} words @returns {string[]} */
function problemsOfFile(file, words) {
  if (!existsSync(join(repository, file))) return [`there is no ${file}`];
  const sources = sourcesOf(file);
  const flags = flagsOf(words).map((flag) => flag.slice(2));
  const known = (/** @type {string} */ flag) =>
    new RegExp(`(?:['"]--${flag}['"]|(?<![\\w.-])['"]?${flag}['"]?: (?:\\{ type|\\w))`).test(sources);
  // A name passed as an argument must occur in the program, or be the name of a file next to it.
  const names = words.filter((word) => !word.startsWith('-') && !PLACEHOLDER.test(word));
  const files = readdirSync(join(repository, dirname(file)), { recursive: true, encoding: 'utf8' }).join('\n');
  const isThere = (/** @type {string} */ word) => new RegExp(`\\b${word}\\b`).test(`${sources}\n${files}`);
  return [
    ...flags.filter((flag) => !known(flag)).map((flag) => `${file} takes no --${flag}`),
    ...names.filter((word) => !isThere(word)).map((word) => `${file} knows no ${word}`),
  ];
}

/** A file and the repository files that it imports directly. @param {string} file */
function sourcesOf(file) {
  const own = readFileSync(join(repository, file), 'utf8');
  const imported = Array.from(own.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g), ([, path = '']) =>
    join(dirname(file), path),
  );
  const existing = imported.filter((path) => existsSync(join(repository, path)));
  return [own, ...existing.map((path) => readFileSync(join(repository, path), 'utf8'))].join('\n');
}

/** @param {readonly string[]} words @returns {string[]} */
function problemsOfCargo(words) {
  const after = (/** @type {string} */ flag) => words[words.indexOf(flag) + 1] ?? '';
  const [name, example] = [after('-p').replace('palimpsest-', ''), after('--example')];
  return existsSync(join(repository, 'bench', name, `${example}.rs`)) ? [] : [`${name} has no example ${example}`];
}

/** @param {readonly string[]} words */
const flagsOf = (words) =>
  words.filter((word) => word.startsWith('--') && word !== '--').map((word) => word.split('=')[0] ?? '');
