// @ts-check
'use strict';

const { checkOptions, isGiven } = require('../arguments.js');
const { lookupTool } = require('../archive/lookup-tool.js');
const { OPTIONS } = require('../option-names.js');
const { safely } = require('../plain-data.js');

/** @typedef {InstanceType<typeof import('./projection.js').Projection>} Projection */

/** The session id in search results without an archive. */ const VIEW_SESSION = 'view';

/**
 * The tool with which a model retrieves a removed result by its handle, such as `#41`: from the view's messages, otherwise from the archive.
 * @param {() => Projection} currentProjection @param {unknown} options @returns {import('../entry/types/archive.js').LookupTool}
 */
function viewLookupTool(currentProjection, options) {
  const { archive, ...settings } = checkOptions(options, OPTIONS.viewLookupTool) ?? {};
  const hasArchive = isGiven(archive);
  const viewSettings = hasArchive ? settings : { ...settings, sessionId: VIEW_SESSION, allSessions: undefined };
  const viewTool = /** @type {any} */ (lookupTool(resultsOf(currentProjection), viewSettings, true));
  if (!hasArchive) return viewTool;
  const archiveTool = lookupTool(archive, settings);
  const asksForResult = (/** @type {unknown} */ args) => {
    const id = safely(() => (typeof args === 'string' ? JSON.parse(args) : /** @type {any} */ (args)).id);
    return typeof id === 'string' && rowOf(currentProjection(), id) !== undefined;
  };
  return { ...viewTool, handler: (args) => (asksForResult(args) ? viewTool : archiveTool).handler(args) };
}

/** @param {Projection} projection @param {string} handle @returns {number | undefined} */
function rowOf({ conversation }, handle) {
  const row = conversation.state.rowOf(handle);
  return row === null || conversation.transcript.contents[row] === undefined ? undefined : row;
}

/** A view's results in the interface of an archive, one batch for each result. @param {() => Projection} currentProjection */
function resultsOf(currentProjection) {
  const textOf = (/** @type {number} */ row) => currentProjection().conversation.transcript.contents[row] ?? '';
  const messageOf = (/** @type {number} */ row) => ({ role: 'tool', content: textOf(row) });
  return {
    /** @param {unknown} _ @param {readonly string[]} ids */
    getMany: async (_, ids) =>
      ids.flatMap((id) => {
        const row = rowOf(currentProjection(), id);
        return row === undefined ? [] : [{ messages: [messageOf(row)], at: Number.NaN }];
      }),
    /** @param {string} query @param {{ limit: number, context: number }} options */
    search: async (query, { limit, context }) => {
      const { conversation, removed } = currentProjection();
      // Words and double-quoted phrases.
      const parts = query.toLowerCase().matchAll(/"([^"]+)"|[^\s"]+/g);
      const words = Array.from(parts, ([word, phrase]) => phrase ?? word);
      const [firstWord] = words;
      if (firstWord === undefined) return [];
      const hasAllWords = (/** @type {string} */ text) => words.every((word) => text.includes(word));
      const newestFirst = [...removed.keys()].sort((one, other) => other - one);
      const found = newestFirst.filter((row) => hasAllWords(textOf(row).toLowerCase()));
      return found.slice(0, limit).map((row) => {
        const wordAt = textOf(row).toLowerCase().indexOf(firstWord);
        return {
          sessionId: VIEW_SESSION,
          batchId: conversation.state.handleOf(row),
          index: 0,
          at: Number.NaN,
          snippet: textOf(row).slice(Math.max(0, wordAt - context), wordAt + context),
          message: messageOf(row),
        };
      });
    },
  };
}

module.exports = { viewLookupTool };
