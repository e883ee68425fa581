// @ts-check
/** Finds system programs that tests need: installed ones, or in CI Debian's packages. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @param {readonly string[]} names the first one found is used
 * @param {readonly string[]} [folders] in addition to `PATH`
 * @returns {string | undefined} its path
 */
export function findProgram(names, folders = []) {
  const all = [...(process.env.PATH ?? '').split(delimiter), ...folders];
  return all.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

/** @param {string} path */
export function isProgram(path) {
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
 * @param {string} name
 * @returns {string | undefined} an error message, if any
 */
export function installInCi(name) {
  if (process.env.CI !== 'true' || process.getuid?.() !== 0) return undefined;
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const { error, status, stderr } = spawnSync('apt-get', args, { encoding: 'utf8', env: environment });
    if (error !== undefined || status !== 0) return `apt-get ${args.join(' ')}: ${error?.message ?? stderr}`;
  }
  return undefined;
}
