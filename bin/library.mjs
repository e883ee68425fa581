// @ts-check
/** Loads the library when a command needs it: help is shown before the addon is built. */
import { createRequire } from 'node:module';

/** @typedef {typeof import('../index.mjs')} Library */

const require = createRequire(import.meta.url);

/** @returns {Library} what users import @throws where the addon is missing, saying what to do when it has not been built */
export function loadLibrary() {
  try {
    return require('../index.js');
  } catch (error) {
    // Nothing that is built helps an older Node.js.
    if (process.getBuiltinModule === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason} In a clone of the repository, \`npm start\` builds it.`, { cause: error });
  }
}

/** @returns {typeof import('../lib/entry/command.js')} what only this command needs of the package */
export function loadInner() {
  return require('../lib/entry/command.js');
}
