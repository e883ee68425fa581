// @ts-check
/** Finds the Chromium for element tests: an installed one, or in CI Debian's package. */
import { findProgram, installInCi, isProgram } from './find-program.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** @returns {string | undefined} path of the program; `PALIMPSEST_CHROMIUM` overrides it */
export function findBrowser() {
  return process.env.PALIMPSEST_CHROMIUM || (findProgram(NAMES) ?? ELSEWHERE.find(isProgram));
}

/** @returns {string | undefined} an error message, if any */
export function ensureBrowser() {
  return findBrowser() === undefined ? installInCi('chromium') : undefined;
}
