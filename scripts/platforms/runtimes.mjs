// @ts-check
/** The runtimes of this machine's platform: Node.js in every major version that is supported, and the oldest of two; Bun and Deno. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION as NODE_22 } from '../node-22.mjs';
import { repository } from '../platform-packages.mjs';
import { denoProgram, nodeProgram, thisMachine } from '../programs.mjs';

const NODES = ['20.16.0', '20.20.2', '22.3.0', NODE_22, '24.21.0', '26.10.0'];
const DENO = '2.9.6';

/**
 * @typedef {object} Runtime
 * @property {string} name
 * @property {import('../programs.mjs').Program | undefined} program nothing where none is pinned for this machine
 * @property {string[]} words before the script
 * @property {string[]} [install] with its own package manager; else npm does
 * @property {string} [how] to get it, where it isn't `--install`
 */

/** @param {string} version @returns {Runtime} */
function node(version) {
  return { name: `Node.js ${version}`, program: nodeProgram(version), words: [] };
}

/** @returns {Runtime} */
function bun() {
  const path = join(repository, 'node_modules', 'bun', 'bin', 'bun.exe');
  const program = existsSync(path) ? { spec: 'bun', path } : undefined;
  return { name: 'Bun', program, words: ['run'], install: ['add', 'palimpsest'], how: 'npm ci && npm rebuild bun' };
}

/** @returns {Runtime} */
function deno() {
  const allowed = ['--allow-read', '--allow-write', '--allow-ffi', '--allow-env', '--allow-net=127.0.0.1'];
  return {
    name: `Deno ${DENO}`,
    program: denoProgram(DENO),
    words: ['run', '--no-prompt', ...allowed],
    // It would wait a day before it takes a version that was published just now.
    install: ['add', '--node-modules-dir=auto', '--minimum-dependency-age=0', 'npm:palimpsest'],
  };
}

/** @returns {Runtime[]} */
export const runtimes = () => [...NODES.map(node), bun(), deno()];

/** The Node.js that runs this script, with this machine's own addon. @returns {Runtime} */
export function here() {
  const program = { spec: 'node', path: process.execPath };
  return { name: `${thisMachine}, its own Node.js`, program, words: [] };
}
