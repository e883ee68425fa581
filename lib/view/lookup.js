// @ts-check
'use strict';

const { checkOptions } = require('../arguments.js');
const { ArchiveError } = require('../archive/archive-error.js');
const { lookupTool } = require('../archive/lookup-tool.js');
const { wrongType } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');

/** @typedef {InstanceType<typeof import('./projection.js').Projection>} Projection */
/** @typedef {import('../archive/lookup-tool.js').Reader} Reader */

/** What the tool's settings ask for where there is no archive: a view has but one conversation. */
const OWN = 'view';

/**
 * The tool with which a model gets back what a placeholder stands for: of the messages that the view holds, and whatever else
 * it asks for of the archive.
 * @param {() => Projection} current
 * @param {unknown} options
 * @returns {import('../entry/types/archive.js').LookupTool}
 */
function viewLookupTool(current, options) {
  const { archive, ...settings } = checkOptions(options, OPTIONS.viewLookupTool) ?? {};
  const hasArchive = archive !== undefined && archive !== null;
  if (hasArchive && typeof (/** @type {any} */ (archive).lookupTool) !== 'function') {
    throw wrongType('options.archive', 'a SessionArchive', archive);
  }
  const own = hasArchive ? settings : { ...settings, sessionId: OWN, allSessions: undefined };
  const tool = /** @type {import('../entry/types/archive.js').LookupTool} */ (lookupTool(readerOf(current), own, true));
  if (!hasArchive) return tool;
  const archived = /** @type {any} */ (archive).lookupTool(settings);
  return {
    ...tool,
    handler: (/** @type {unknown} */ args) => (asksForResult(current(), args) ? tool : archived).handler(args),
  };
}

/** Whether a model's arguments hold the handle of a result. @param {Projection} projection @param {unknown} args */
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

/** @param {() => Projection} current @returns {Reader} */
function readerOf(current) {
  const resultIn = (/** @type {number} */ row) => {
    const { transcript, layout } = current().conversation;
    const message = layout.objects[layout.ownerOf(row)];
    return { role: 'tool', text: transcript.contents[row] ?? '', message };
  };
  return {
    batch: async (_, id) => {
      const row = rowOf(current(), String(id));
      if (row === undefined)
        throw new ArchiveError('ARCHIVE_NOT_FOUND', 'expected the handle of a result', { path: '' });
      return /** @type {any} */ ({ messages: [resultIn(row)], at: Number.NaN });
    },
    hits: async (query, { limit, context }) => {
      const wanted = wordsOf(String(query));
      const found = [];
      for (const row of [...current().applied.replaced.keys()].sort((a, b) => b - a)) {
        const message = resultIn(row);
        const text = message.text.toLowerCase();
        const at =
          wanted.length > 0 && wanted.every((word) => text.includes(word)) ? text.indexOf(wanted[0] ?? '') : -1;
        if (at < 0 || found.length >= limit) continue;
        const snippet = message.text.slice(Math.max(0, at - context), at + context);
        found.push({
          sessionId: OWN,
          batchId: current().conversation.state.handleOf(row),
          index: 0,
          at: Number.NaN,
          snippet,
          message,
        });
      }
      return found;
    },
    parsed: (message) => /** @type {any} */ (message),
  };
}

/** Words, and phrases in double quotes, in lower case. @param {string} query */
function wordsOf(query) {
  return [...query.toLowerCase().matchAll(/"([^"]+)"|[^\s"]+/g)].map(([word, phrase]) => phrase ?? word);
}

module.exports = { viewLookupTool };
