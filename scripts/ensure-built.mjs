// @ts-check
/**
 * Makes a fresh clone runnable with only Node.js, npm and a stable Rust toolchain. Installs dependencies and builds the
 * addon if they are missing or out of date; otherwise does nothing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const buildInputs = ['Cargo.toml', 'Cargo.lock', 'build.rs', 'src', 'crates'];

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
  const what =
    error === undefined ? `“cargo --version” ended with exit code ${status}` : '“cargo” could not be started';
  throw new SetupError(
    `building the native addon takes a stable Rust toolchain, but ${what}; install one (https://rustup.rs) and try again`,
  );
}

/** This machine's target triple. @returns {string} */
export function hostTriple() {
  const [, host] = /^host: (.+)$/m.exec(spawnSync('rustc', ['-vV'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  if (host === undefined) throw new SetupError('“rustc -vV” does not say what machine this is');
  return host;
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>} packages by path
 */
function lockedPackages(file) {
  return JSON.parse(readFileSync(join(repository, file), 'utf8')).packages ?? {};
}

/**
 * Compares contents, because a checkout or copy doesn't preserve file times.
 *
 * @returns {boolean}
 */
function hasPackages() {
  const installedList = 'node_modules/.package-lock.json';
  if (!existsSync(join(repository, installedList))) return false;
  const installed = lockedPackages(installedList);
  return Object.entries(lockedPackages('package-lock.json')).every(([path, wanted]) => {
    if (path === '') return true;
    // Packages for other platforms are locked but not installed.
    if (installed[path] === undefined) return wanted.optional === true;
    return installed[path].version === wanted.version;
  });
}

/**
 * @param {string} path
 * @returns {number} modification time of its newest file, ms
 */
function newestChange(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return 0;
  if (!status.isDirectory()) return status.mtimeMs;
  // A directory's own time changes when files are removed or renamed.
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

/** @returns {string[]} addons built for this platform */
function builtAddons() {
  const prefix = `palimpsest.${process.platform}-${process.arch}`;
  const names = readdirSync(repository).filter((name) => name.startsWith(prefix) && name.endsWith('.node'));
  return names.map((name) => join(repository, name));
}

/** @returns {boolean} */
function isBuilt() {
  const addons = builtAddons();
  if (addons.length === 0) return false;
  const newestInput = Math.max(...buildInputs.map((path) => newestChange(join(repository, path))));
  return addons.every((addon) => statSync(addon).mtimeMs >= newestInput);
}

/**
 * @param {string[]} words
 * @param {boolean} verbose
 * @returns {Promise<void>}
 */
function runNpm(words, verbose) {
  const onWindows = process.platform === 'win32';
  return new Promise((resolve, reject) => {
    const stdio = verbose ? /** @type {const} */ (['ignore', 2, 2]) : /** @type {const} */ (['ignore', 'pipe', 'pipe']);
    const child = spawn('npm', words, { cwd: repository, shell: onWindows, stdio: [...stdio] });
    /** @type {Buffer[]} */
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => reject(new SetupError(`npm could not be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      process.stderr.write(Buffer.concat(output));
      reject(new SetupError(`“npm ${words.join(' ')}” ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

/**
 * @param {string} what
 * @param {string[]} words
 * @param {boolean} verbose
 */
async function step(what, words, verbose) {
  announce(`${what} (npm ${words.join(' ')}) …`);
  const started = performance.now();
  await runNpm(words, verbose);
  announce(`… done in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

/** @throws {SetupError} if the development dependencies can't be installed */
export async function ensurePackages(verbose = false) {
  requireNode();
  if (!hasPackages()) await step('Installing the development tools', ['ci'], verbose);
}

/**
 * @param {object} [options]
 * @param {boolean} [options.dev] also installs the development dependencies
 * @param {boolean} [options.release] uses the release profile, for packing or timing; otherwise keeps the profile of
 *   the existing addon, or uses the fast one
 * @param {boolean} [options.verbose] shows the tools' output even if they succeed
 * @throws {SetupError} names what is missing
 */
export async function ensureBuilt({ dev = false, release = false, verbose = false } = {}) {
  requireNode();
  // Always run Cargo for a release build: it checks itself what is out of date, and the addon doesn't tell its profile.
  const needsBuild = release || !isBuilt();
  if (needsBuild) requireCargo();
  if ((needsBuild || dev) && !hasPackages()) await step('Installing the development tools', ['ci'], verbose);
  if (!needsBuild) return;
  const started = new Date();
  const what = 'Building the native addon, which takes a few minutes the first time';
  await step(what, ['run', release ? 'build' : 'build:quick'], verbose);
  const addons = builtAddons();
  if (addons.length === 0) {
    throw new SetupError(
      `expected the build to leave palimpsest.${process.platform}-${process.arch}*.node; there is none`,
    );
  }
  // Set the time to the start of the build, so that an input saved during the build is newer than the addon.
  for (const addon of addons) utimesSync(addon, started, started);
}
