// @ts-check
/** The Chromium that the elements are tried in: one that is there, or in CI Debian's own package. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** @returns {string | undefined} the program; `PALIMPSEST_CHROMIUM` names one outright */
export function findBrowser() {
  const { PALIMPSEST_CHROMIUM: named, PATH = '' } = process.env;
  if (named) return named;
  const places = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...places, ...ELSEWHERE].find(isProgram);
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
 * Installs Chromium where CI runs as root on Debian and has none. Elsewhere that is for people to decide, and tests that
 * want one are skipped without it.
 * @returns {string | undefined} what went wrong
 */
export function ensureBrowser() {
  if (findBrowser() !== undefined || process.env.CI !== 'true' || process.getuid?.() !== 0) return undefined;
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { error, status, stderr } = spawnSync('apt-get', words, { encoding: 'utf8', env: environment });
    if (error !== undefined || status !== 0) return `apt-get ${words.join(' ')}: ${error?.message ?? stderr}`;
  }
  return undefined;
}
