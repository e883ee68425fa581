// @ts-check
/** The Chromium that the elements are tried in: one that is there, or in CI Debian's own package. */
import { findProgram, installInCi, isProgram } from './find-program.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** @returns {string | undefined} the program; `PALIMPSEST_CHROMIUM` names one outright */
export function findBrowser() {
  return process.env.PALIMPSEST_CHROMIUM || (findProgram(NAMES) ?? ELSEWHERE.find(isProgram));
}

/** @returns {string | undefined} what went wrong */
export function ensureBrowser() {
  return findBrowser() === undefined ? installInCi('chromium') : undefined;
}
