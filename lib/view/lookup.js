// @ts-check
'use strict';

const { checkOptions } = require('../arguments.js');
const { lookupTool } = require('../archive/lookup-tool.js');
const { OPTIONS } = require('../option-names.js');

/** @typedef {InstanceType<typeof import('./projection.js').Projection>} Projection */

/** Session name without an archive: a view has only one conversation. */
const OWN = 'view';

/**
 * The tool with which a model retrieves the result that a placeholder replaces: from the view's messages, otherwise from the archive.
 * @param {() => Projection} current
 * @param {unknown} options
 * @returns {import('../entry/types/archive.js').LookupTool}
 */
function viewLookupTool(current, options) {
  const { archive, ...settings } = checkOptions(options, OPTIONS.viewLookupTool) ?? {};
  const hasArchive = archive !== undefined && archive !== null;
  const own = hasArchive ? settings : { ...settings, sessionId: OWN, allSessions: undefined };
  const tool = /** @type {import('../entry/types/archive.js').LookupTool} */ (
    lookupTool(resultsOf(current), own, true)
  );
  if (!hasArchive) return tool;
  const archived = lookupTool(archive, settings);
  return {
    ...tool,
    handler: (/** @type {unknown} */ args) => (asksForResult(current(), args) ? tool : archived).handler(args),
  };
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

/** A view's results in the interface of an archive, one batch for each result. @param {() => Projection} current */
function resultsOf(current) {
  const textOf = (/** @type {number} */ row) => current().conversation.transcript.contents[row] ?? '';
  const messageOf = (/** @type {number} */ row) => ({ role: 'tool', content: textOf(row) });
  return {
    /** @param {unknown} _ @param {readonly string[]} ids */
    getMany: async (_, ids) =>
      ids.flatMap((id) => {
        const row = rowOf(current(), id);
        return row === undefined ? [] : [{ messages: [messageOf(row)], at: Number.NaN }];
      }),
    /** @param {string} query @param {{ limit: number, context: number }} options */
    search: async (query, { limit, context }) => {
      const wanted = wordsOf(query);
      const found = [];
      for (const row of [...current().removed.keys()].sort((a, b) => b - a)) {
        const text = textOf(row).toLowerCase();
        const isFound = wanted.length > 0 && wanted.every((word) => text.includes(word));
        if (!isFound || found.length >= limit) continue;
        const at = text.indexOf(wanted[0] ?? '');
        found.push({
          sessionId: OWN,
          batchId: current().conversation.state.handleOf(row),
          index: 0,
          at: Number.NaN,
          snippet: textOf(row).slice(Math.max(0, at - context), at + context),
          message: messageOf(row),
        });
      }
      return found;
    },
  };
}

/** Words and double-quoted phrases, in lower case. @param {string} query */
function wordsOf(query) {
  return [...query.toLowerCase().matchAll(/"([^"]+)"|[^\s"]+/g)].map(([word, phrase]) => phrase ?? word);
}

module.exports = { viewLookupTool };
