// @ts-check
'use strict';

const { checkOptions } = require('../arguments.js');
const { lookupTool } = require('../archive/lookup-tool.js');
const { OPTIONS } = require('../option-names.js');

/** @typedef {InstanceType<typeof import('./projection.js').Projection>} Projection */

/** The session id in search results without an archive. */ const VIEW_SESSION = 'view';

/**
 * The tool with which a model retrieves a removed result by its handle, such as `#41`: from the view's messages, otherwise from the archive.
 * @param {() => Projection} currentProjection @param {unknown} options @returns {import('../entry/types/archive.js').LookupTool}
 */
function viewLookupTool(currentProjection, options) {
  const { archive, ...settings } = checkOptions(options, OPTIONS.viewLookupTool) ?? {};
  const hasArchive = archive !== undefined && archive !== null;
  const viewSettings = hasArchive ? settings : { ...settings, sessionId: VIEW_SESSION, allSessions: undefined };
  const viewTool = /** @type {import('../entry/types/archive.js').LookupTool} */ (
    lookupTool(resultsOf(currentProjection), viewSettings, true)
  );
  if (!hasArchive) return viewTool;
  const archiveTool = lookupTool(archive, settings);
  const toolFor = (/** @type {unknown} */ args) => (asksForResult(currentProjection(), args) ? viewTool : archiveTool);
  return { ...viewTool, handler: (args) => toolFor(args).handler(args) };
}

/** True if the model's arguments contain the handle of a result in this view. @param {Projection} projection @param {unknown} args */
function asksForResult(projection, args) {
  try {
    const { id } = typeof args === 'string' ? JSON.parse(args) : /** @type {any} */ (args);
    return typeof id === 'string' && rowOf(projection, id) !== undefined;
  } catch {
    return false;
  }
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
      const words = wordsOf(query);
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

/** Words and double-quoted phrases, in lower case. @param {string} query */
function wordsOf(query) {
  return [...query.toLowerCase().matchAll(/"([^"]+)"|[^\s"]+/g)].map(([word, phrase]) => phrase ?? word);
}

module.exports = { viewLookupTool };
