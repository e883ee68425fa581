// @ts-check
/**
 * Makes a fresh clone runnable with only Node.js, npm and a stable Rust toolchain. Installs dependencies and builds the
 * addon if they are missing or out of date; otherwise does nothing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADDONS, builtFiles } from './addons.mjs';

/** @typedef {import('./addons.mjs').Addon} Addon */

const repository = fileURLToPath(new URL('..', import.meta.url));

/** A set-up step failed; the message says how to fix it. */
export class SetupError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'SetupError';
  }
}

/** @param {string} line */
function announce(line) {
  process.stderr.write(`${line}\n`);
}

function requireNode() {
  // The package needs this function; it was added in the versions that the error message lists.
  if (process.getBuiltinModule !== undefined) return;
  throw new SetupError(`expected Node.js 20.16, 22.3 or newer; this is ${process.version}`);
}

/** @throws {SetupError} if there is no Rust toolchain */
export function requireCargo() {
  const { error, status } = spawnSync('cargo', ['--version'], { cwd: repository, stdio: 'ignore' });
  if (error === undefined && status === 0) return;
  const problem =
    error === undefined ? `“cargo --version” ended with exit code ${status}` : '“cargo” could not be started';
  throw new SetupError(
    `building the native addon takes a stable Rust toolchain, but ${problem}; install one (https://rustup.rs) and try again`,
  );
}

/** This machine's target triple. @returns {string} */
export function hostTriple() {
  const [, host] = /^host: (.+)$/m.exec(spawnSync('rustc', ['-vV'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  if (host === undefined) throw new SetupError('“rustc -vV” does not say what machine this is');
  return host;
}

/**
 * True if the packages of the lockfile are installed. Compares contents, because a checkout or copy doesn't preserve
 * file times.
 * @param {string} [folder] with its lockfile
 */
export function hasPackages(folder = repository) {
  /** @type {(file: string) => Record<string, { version?: string, optional?: boolean }>} packages by path */
  const packagesIn = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).packages ?? {};
  const installedList = join('node_modules', '.package-lock.json');
  if (!existsSync(join(folder, installedList))) return false;
  const installed = packagesIn(installedList);
  return Object.entries(packagesIn('package-lock.json')).every(([path, { version, optional }]) => {
    // Packages for other platforms are locked but not installed.
    return path === '' || (installed[path] === undefined ? optional === true : installed[path].version === version);
  });
}

/**
 * @param {string} path @param {string} [except] name of folders to leave out
 * @returns {number} modification time of its newest file, ms
 */
export function newestChange(path, except) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return 0;
  if (!status.isDirectory()) return status.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== except);
  // A directory's own time changes when files are removed or renamed.
  return Math.max(status.mtimeMs, ...names.map((name) => newestChange(join(path, name), except)));
}

/** True if the addon exists and is newer than all its sources. @param {Addon} addon @returns {boolean} */
function isBuilt(addon) {
  const files = builtFiles(addon);
  if (files.length === 0) return false;
  const newestSource = Math.max(...addon.sources.map((path) => newestChange(join(repository, path))));
  return files.every((file) => statSync(file).mtimeMs >= newestSource);
}

/** @param {string[]} args @param {boolean} verbose @returns {Promise<void>} */
function runNpm(args, verbose) {
  const onWindows = process.platform === 'win32';
  return new Promise((resolve, reject) => {
    const stdio = verbose ? /** @type {const} */ (['ignore', 2, 2]) : /** @type {const} */ (['ignore', 'pipe', 'pipe']);
    const child = spawn('npm', args, { cwd: repository, shell: onWindows, stdio: [...stdio] });
    /** @type {Buffer[]} */
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => reject(new SetupError(`npm could not be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      process.stderr.write(Buffer.concat(output));
      reject(new SetupError(`“npm ${args.join(' ')}” ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

/** Runs npm and says so. @param {string} what @param {string[]} args @param {boolean} verbose */
async function step(what, args, verbose) {
  announce(`${what} (npm ${args.join(' ')}) …`);
  const started = performance.now();
  await runNpm(args, verbose);
  announce(`… done in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

/** @throws {SetupError} if the development dependencies can't be installed */
export async function ensurePackages(verbose = false) {
  requireNode();
  if (!hasPackages()) await step('Installing the development tools', ['ci'], verbose);
}

/**
 * Builds the addons that are missing or out of date.
 * @param {object} [options]
 * @param {boolean} [options.dev] also installs the development dependencies
 * @param {boolean} [options.release] uses the release profile, for packing or timing; otherwise keeps the profile of
 *   the existing addon, or uses the fast one
 * @param {boolean} [options.verbose] shows the tools' output even if they succeed
 * @param {boolean} [options.cli] also builds the addon that reads recorded sessions and talks HTTP
 * @throws {SetupError} names what is missing
 */
export async function ensureBuilt({ dev = false, release = false, verbose = false, cli = dev || release } = {}) {
  requireNode();
  const addons = ADDONS.filter(({ name }) => cli || name === 'palimpsest');
  // Always run Cargo for a release build: it checks itself what is out of date, and the addon doesn't tell its profile.
  const outdated = release ? addons : addons.filter((addon) => !isBuilt(addon));
  const needsBuild = outdated.length > 0;
  if (needsBuild) requireCargo();
  if ((needsBuild || dev) && !hasPackages()) await step('Installing the development tools', ['ci'], verbose);
  for (const addon of outdated) await buildAddon(addon, release, verbose);
}

/** @param {Addon} addon @param {boolean} release @param {boolean} verbose */
async function buildAddon(addon, release, verbose) {
  const started = new Date();
  const what = `Building the native addon ${addon.name}, which takes a minute or more the first time`;
  await step(what, ['run', release ? 'build' : 'build:quick', '--', '--only', addon.name], verbose);
  const files = builtFiles(addon);
  if (files.length === 0) {
    const wanted = `${addon.name}.${process.platform}-${process.arch}*.node`;
    throw new SetupError(`expected the build to leave ${wanted}; there is none`);
  }
  // Set the time to the start of the build, so that a source saved during the build is newer than the addon.
  for (const file of files) utimesSync(file, started, started);
}
