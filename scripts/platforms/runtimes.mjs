// @ts-check
/**
 * Runtimes for this machine's platform: every supported major version of Node.js, for two of them also the oldest
 * supported release, and Bun and Deno.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../platform-packages.mjs';
import { denoProgram, NODE_22, nodeProgram, thisMachine } from '../programs.mjs';

const NODE_VERSIONS = ['20.16.0', '20.20.2', '22.3.0', NODE_22, '24.21.0', '26.10.0'];
const DENO_VERSION = '2.9.6';

/**
 * @typedef {object} Runtime
 * @property {string} name
 * @property {import('../programs.mjs').Program | undefined} program undefined if none is pinned for this machine
 * @property {string[]} args arguments before the script
 * @property {string[]} [install] arguments of its own package manager; default: npm
 * @property {string} [how] how to get it, if `--install` doesn't
 */

const BUN = join(repository, 'node_modules', 'bun', 'bin', 'bun.exe');
/** What programs may do under Deno. */
const DENO_PERMISSIONS = ['--allow-read', '--allow-write', '--allow-ffi', '--allow-env', '--allow-net=127.0.0.1'];

/** All runtimes. @returns {Runtime[]} */
export const runtimes = () => [
  ...NODE_VERSIONS.map((version) => ({ name: `Node.js ${version}`, program: nodeProgram(version), args: [] })),
  {
    name: 'Bun',
    program: existsSync(BUN) ? { spec: 'bun', path: BUN } : undefined,
    args: ['run'],
    install: ['add', 'palimpsest', 'palimpsest-cli'],
    how: 'npm ci && npm rebuild bun',
  },
  {
    name: `Deno ${DENO_VERSION}`,
    program: denoProgram(DENO_VERSION),
    args: ['run', '--no-prompt', ...DENO_PERMISSIONS],
    // By default Deno rejects versions that were published less than a day ago.
    install: ['add', '--node-modules-dir=auto', '--minimum-dependency-age=0', 'npm:palimpsest', 'npm:palimpsest-cli'],
  },
];

/** The Node.js that runs this script, with the addon built on this machine. @returns {Runtime} */
export function here() {
  const program = { spec: 'node', path: process.execPath };
  return { name: `${thisMachine}, its own Node.js`, program, args: [] };
}
