// @ts-check
/** Finds the Chromium for element tests: an installed one, or in CI Debian's package. */
import { findProgram, installInCi, isProgram } from './find-program.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
/** Programs outside of `PATH`. */
const OTHER_PATHS = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** @returns {string | undefined} path of the program; `PALIMPSEST_CHROMIUM` overrides it */
export function findBrowser() {
  return process.env.PALIMPSEST_CHROMIUM || (findProgram(NAMES) ?? OTHER_PATHS.find(isProgram));
}

/** Installs Chromium in CI. @returns {string | undefined} an error message, if any */
export function ensureBrowser() {
  return findBrowser() === undefined ? installInCi('chromium') : undefined;
}
