// @ts-check
/** Loads the library on demand, so that help works before the addon is built. */
import { createRequire } from 'node:module';

/** @typedef {typeof import('../index.mjs')} Library */

const require = createRequire(import.meta.url);

/** @returns {Library} @throws if the addon is missing; the message says how to build it */
export function loadLibrary() {
  try {
    return require('../index.js');
  } catch (error) {
    // Node.js is too old; a build would not help.
    if (process.getBuiltinModule === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason} In a clone of the repository, \`npm start\` builds it.`, { cause: error });
  }
}

/** @returns {typeof import('../lib/entry/command.js')} */
export function loadInner() {
  return require('../lib/entry/command.js');
}
