// @ts-check
/** Loads the library on demand, so that help works before the addon is built. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** @typedef {typeof import('../index.mjs')} Library */

// The command is a separate package, so it loads the library by name; in a checkout the name resolves to the checkout.
const require = createRequire(import.meta.url);

/** Errors get the `remedy` for a clone of the repository. @template T @param {string} remedy @param {() => T} load */
function withRemedy(remedy, load) {
  try {
    return load();
  } catch (error) {
    // Node.js is too old; a build would not help.
    if (process.getBuiltinModule === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const remedied = new Error(`${reason} In a clone of the repository, ${remedy} builds it.`, { cause: error });
    throw Object.assign(remedied, { code: Object(error).code });
  }
}

/** @returns {Library} @throws if the addon is missing */
export const loadLibrary = () => withRemedy('`npm start`', () => require('palimpsest'));

/** Functions of the library that only the command uses. @returns {typeof import('../lib/entry/command.js')} */
export const loadInternals = () => createRequire(require.resolve('palimpsest/package.json'))('./lib/entry/command.js');

/** True if an addon is missing or can't be loaded. @param {any} error */
export const isNativeError = (error) => error?.code === 'ERR_PALIMPSEST_NATIVE';

/** The readers of recorded sessions, in the command's own addon. @throws if the command's addon is missing */
export function loadSessionReaders() {
  return withRemedy('`npm run build:quick`', () => loadInternals().sessionsFor(fileURLToPath(import.meta.url)));
}
