// @ts-check
/** Loads the library when a command needs it; says what to do when the addon has not been built. */
import { createRequire } from 'node:module';

/**
 * @typedef {object} Library
 * @property {typeof import('../index.mjs').prepareMessages} prepareMessages
 * @property {typeof import('../index.mjs').truncateOutput} truncateOutput
 * @property {typeof import('../index.mjs').getMaxOutputLimit} getMaxOutputLimit
 * @property {typeof import('../index.mjs').sanitizeToolResult} sanitizeToolResult
 * @property {typeof import('../index.mjs').sanitizeToolResultsJson} sanitizeToolResultsJson
 * @property {(text: string) => number} countTokens in o200k_base, which reports count in
 * @property {typeof import('../index.mjs').TokenCounter} TokenCounter
 * @property {typeof import('../index.mjs').renderCompressionHistory} renderCompressionHistory
 * @property {string} version
 */

/** @returns {Promise<Library>} */
export async function loadLibrary() {
  try {
    const library = await import('../index.mjs');
    const { countO200k: countTokens } = createRequire(import.meta.url)('../lib/tokens/o200k.js');
    return { ...library, countTokens };
  } catch (error) {
    // Nothing that is built helps an older Node.js.
    if (process.getBuiltinModule === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason} In a clone of the repository, \`npm start\` builds it.`, { cause: error });
  }
}
