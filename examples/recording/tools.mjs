// @ts-check
/** The scripted agent's three tools. They run for real in this repository, and none of them writes to it. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Replaces the repository's directory in everything that is recorded. */
export const recordedRoot = '/workspace/palimpsest';

const commandTimeoutMs = 60_000;
const longestOutput = 30_000;
const longestSearch = 40;
// Built or downloaded files, and lock files with addresses of other servers: none is relevant to the agent.
const skipped = new Set([
  '.git',
  'node_modules',
  'target',
  'build',
  'dist',
  'library',
  'examples',
  'package-lock.json',
  'Cargo.lock',
]);

/**
 * @typedef {object} Result
 * @property {string} content
 * @property {'error'} [status]
 */

/**
 * @param {string} text
 * @returns {string}
 */
function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** @type {[RegExp, string][]} longest first, because the repository may be in the home directory */
const machinePaths = /** @type {[string, string][]} */ ([
  [repository, recordedRoot],
  [homedir(), '/home/user'],
  [tmpdir(), '/tmp'],
])
  .filter(([path]) => path.length > 2)
  .map(([path, stable]) => [new RegExp(`${escapePattern(path)}(?![\\w-])`, 'g'), stable]);

/**
 * @param {string} text
 * @returns {string} the text without directories of the recording machine
 */
function withoutMachinePaths(text) {
  return machinePaths.reduce((stable, [pattern, replacement]) => stable.replace(pattern, replacement), text);
}

/**
 * @param {string} path path as the agent wrote it
 * @returns {string}
 */
function realPath(path) {
  const inside = path.startsWith(`${recordedRoot}/`) ? path.slice(recordedRoot.length + 1) : path;
  const real = resolve(repository, inside);
  if (real !== repository && !real.startsWith(repository + sep)) {
    throw new Error(`the scenario reads ${path}, outside the repository`);
  }
  return real;
}

/** @param {import('node:child_process').ChildProcess} child a shell, killed with its children */
function endWithChildren(child) {
  if (child.pid === undefined) return;
  // Killing only the shell would leave its command running, with our pipes open.
  if (process.platform === 'win32') spawn('taskkill', ['/pid', String(child.pid), '/t', '/f']);
  else process.kill(-child.pid, 'SIGKILL');
}

/**
 * @param {string} command
 * @param {number} [endAfterMs]
 * @returns {Promise<{ stdout: string, stderr: string, exitCode: number | null, ended: boolean }>}
 */
function runShell(command, endAfterMs = commandTimeoutMs) {
  return new Promise((settle, reject) => {
    const env = { ...process.env, NO_COLOR: '1', LC_ALL: 'C', COLUMNS: '100' };
    const child = spawn(command, { shell: true, cwd: repository, env, detached: process.platform !== 'win32' });
    const output = { stdout: '', stderr: '' };
    let ended = false;
    const timer = setTimeout(() => {
      ended = true;
      endWithChildren(child);
    }, endAfterMs);
    for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
      child[name].setEncoding('utf8').on('data', (chunk) => {
        output[name] += chunk;
      });
    }
    child.on('error', reject);
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      settle({ ...output, exitCode, ended });
    });
  });
}

/**
 * @param {{ command: string }} call
 * @param {number} [interruptAfterMs] the user stops the command this long after its start
 * @returns {Promise<Result | null>} null if the user stopped it
 */
export async function runCommand({ command }, interruptAfterMs) {
  const { stdout, stderr, exitCode, ended } = await runShell(command, interruptAfterMs);
  if (ended && interruptAfterMs !== undefined) return null;
  const [out, err] = [stdout, stderr].map((text) => withoutMachinePaths(text).slice(0, longestOutput));
  return { content: JSON.stringify({ stdout: out, stderr: err, exitCode, command }) };
}

/**
 * @param {string} path
 * @param {number} [startLine]
 * @param {number} [endLine]
 * @returns {string}
 */
function readOne(path, startLine = 1, endLine = Number.POSITIVE_INFINITY) {
  const real = realPath(path);
  if (statSync(real).isDirectory()) {
    const entries = readdirSync(real, { withFileTypes: true }).map(
      (entry) => entry.name + (entry.isDirectory() ? '/' : ''),
    );
    return `📁 ${path} (${entries.length} entries)\n${entries.sort().join('\n')}`;
  }
  const lines = readFileSync(real, 'utf8').replace(/\n$/, '').split('\n');
  const last = Math.min(endLine, lines.length);
  const shown = lines.slice(startLine - 1, last).map((line, index) => `${startLine + index}→${line}`);
  return `📄 ${path} (lines ${startLine}-${last}/${lines.length})\n${shown.join('\n')}`;
}

/**
 * @typedef {string | { path: string, startLine?: number, endLine?: number }} ReadTarget
 *
 * @param {{ filePath: ReadTarget | ReadTarget[], startLine?: number, endLine?: number }} call
 * @returns {Result}
 */
export function readFiles({ filePath, startLine, endLine }) {
  try {
    const texts = [filePath].flat().map((target) => {
      if (typeof target === 'string') return readOne(target, startLine, endLine);
      return readOne(target.path, target.startLine, target.endLine);
    });
    return { content: withoutMachinePaths(texts.join('\n\n')) };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    return { content: withoutMachinePaths(`Error: ${message}`), status: 'error' };
  }
}

/**
 * @param {string} directory
 * @returns {string[]}
 */
function listFiles(directory) {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(directory, entry.name);
    if (skipped.has(entry.name)) return [];
    if (entry.isDirectory()) return listFiles(path);
    return /\.(?:rs|js|mjs|ts|mts|json|toml|md)$/.test(entry.name) ? [path] : [];
  });
}

/**
 * @param {{ pattern: string, path?: string }} call
 * @returns {Result}
 */
export function searchText({ pattern, path = '.' }) {
  const expression = new RegExp(pattern);
  const hits = listFiles(realPath(path)).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((content, index) =>
        expression.test(content)
          ? [{ filePath: relative(repository, file).split(sep).join('/'), line: index + 1, content: content.trim() }]
          : [],
      ),
  );
  return { content: withoutMachinePaths(JSON.stringify(hits.slice(0, longestSearch), null, 2)) };
}
