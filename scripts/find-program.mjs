// @ts-check
/** Programs of the machine that tests are run with: those that are there, or in CI Debian's own packages. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @param {readonly string[]} names the first that is there
 * @param {readonly string[]} [folders] beside those of `PATH`
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
 * Installs a package where CI runs as root on Debian. Elsewhere that is for people to decide, and tests that want it are skipped.
 * @param {string} name
 * @returns {string | undefined} what went wrong
 */
export function installInCi(name) {
  if (process.env.CI !== 'true' || process.getuid?.() !== 0) return undefined;
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const { error, status, stderr } = spawnSync('apt-get', words, { encoding: 'utf8', env: environment });
    if (error !== undefined || status !== 0) return `apt-get ${words.join(' ')}: ${error?.message ?? stderr}`;
  }
  return undefined;
}
