// @ts-check
/** Help is shown before the addon is built, so commands load the library themselves. */
import { createRequire } from 'node:module';

/** @typedef {typeof import('../index.mjs')} Library */

const require = createRequire(import.meta.url);

/** @returns {Library} @throws where the addon is missing, saying how it is built */
export function loadLibrary() {
  try {
    return require('../index.js');
  } catch (error) {
    // A build would not help an older Node.js.
    if (process.getBuiltinModule === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason} In a clone of the repository, \`npm start\` builds it.`, { cause: error });
  }
}

/** @returns {typeof import('../lib/entry/command.js')} */
export function loadInner() {
  return require('../lib/entry/command.js');
}
