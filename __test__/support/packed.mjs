// @ts-check
/** Packs the package as it is published and installs it where nothing of this repository is near. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));
const addon = 'palimpsest.linux-x64-gnu.node';
const tools = join(repository, 'node_modules');

/**
 * @typedef {object} Tarball
 * @property {string} file
 * @property {number} size bytes as they travel
 * @property {number} unpackedSize bytes as they lie on the user's disk
 * @property {string[]} paths
 */

/** @returns {string | false} why there is no such package for this machine */
export function whyNotPackable() {
  const { header } = /** @type {any} */ (process.report.getReport());
  const machine = `${process.platform}-${process.arch}${header.glibcVersionRuntime ? '-gnu' : ''}`;
  return machine === 'linux-x64-gnu' ? false : `packs the addon for linux-x64-gnu; this machine is ${machine}`;
}

/** Of npm's own settings none may reach the child: they would say where *this* package is. */
function plainEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NAPI_RS_|NODE_|PALIMPSEST_)/i.test(name));
  return Object.fromEntries(kept);
}

/**
 * @param {string} directory
 * @param {string} program
 * @param {string[]} words
 * @returns {{ stderr: string, stdout: string }}
 * @throws {Error} with all of its output when it fails
 */
export function run(directory, program, words) {
  const { error, signal, status, stderr, stdout } = spawnSync(program, words, {
    cwd: directory,
    encoding: 'utf8',
    env: plainEnvironment(),
    timeout: 120_000,
  });
  if (error !== undefined) throw error;
  if (status === 0) return { stderr, stdout };
  throw new Error(`${program} ${words.join(' ')} ended with ${signal ?? `exit code ${status}`}\n${stdout}${stderr}`);
}

/**
 * @param {string} directory
 * @param {string[]} words
 */
export function node(directory, ...words) {
  return run(directory, process.execPath, words);
}

/** TypeScript's compiler of this repository, in another folder. @param {string} directory @param {string} config */
export function compile(directory, config) {
  return node(directory, join(tools, 'typescript', 'bin', 'tsc'), '-p', config);
}

/**
 * @param {string} source the package's folder
 * @param {string} destination
 * @returns {Tarball}
 */
function pack(source, destination) {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const [{ filename, files, size, unpackedSize }] = JSON.parse(run(source, 'npm', words).stdout);
  const paths = files.map((/** @type {{ path: string }} */ { path }) => path);
  return { file: join(destination, filename), size, unpackedSize, paths };
}

/** The package that holds the addon, with the description that napi-rs gives it. @param {string} folder */
function makePlatformPackage(folder) {
  mkdirSync(folder);
  cpSync(join(repository, 'package.json'), join(folder, 'package.json'));
  node(folder, join(tools, '@napi-rs', 'cli', 'dist', 'cli.js'), 'create-npm-dirs');
  const made = join(folder, 'npm', 'linux-x64-gnu');
  if (!existsSync(join(repository, addon))) throw new Error(`${addon} is missing; “npm run build” makes it`);
  cpSync(join(repository, addon), join(made, addon));
  return made;
}

/**
 * @returns {{ folder: string, host: string, main: Tarball, platform: Tarball }} `host` is a project that has both
 *   packages and nothing else; the caller removes `folder`
 */
export function packAndInstall() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-packed-')));
  const main = pack(repository, folder);
  const platform = pack(makePlatformPackage(join(folder, 'platform')), folder);
  const host = join(folder, 'host');
  cpSync(join(repository, '__test__', 'fixtures', 'consumer'), host, { recursive: true });
  cpSync(join(repository, '__test__', 'types'), join(host, 'types'), { recursive: true });
  writeFileSync(join(host, 'package.json'), '{ "name": "host", "private": true }\n');
  // An empty cache and no network: what isn't in the two packages can't come from anywhere.
  const alone = ['--offline', '--cache', join(folder, 'cache'), '--no-audit', '--no-fund'];
  run(host, 'npm', ['install', ...alone, main.file, platform.file]);
  return { folder, host, main, platform };
}
