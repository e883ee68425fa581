// @ts-check
'use strict';

const { MOST_MARKS } = require('../../view/marks.js');

/**
 * The messages with a mark for Anthropic's cache at each of `places`, on copies; fewer where the application has set marks of
 * its own.
 * @param {readonly any[]} messages
 * @param {readonly number[]} places
 * @returns {any[]}
 */
function withCacheMarks(messages, places) {
  let free = MOST_MARKS - messages.reduce((sum, message) => sum + marksIn(message), 0);
  const marked = [...messages];
  // The last first: behind it stands what is new at the next request.
  for (const place of [...places].reverse()) {
    if (free <= 0) break;
    if (marksIn(marked[place]) > 0) continue;
    marked[place] = markedCopy(marked[place]);
    free--;
  }
  return marked;
}

/** @param {any} holder a message, or a part of one */
const isMarked = (holder) => (holder?.providerOptions?.anthropic?.cacheControl ?? null) !== null;

/** @param {any} message */
function marksIn(message) {
  const parts = Array.isArray(message?.content) ? message.content : [];
  const marked = parts.filter((/** @type {any} */ part) => isMarked(part) || isMarked(part?.output)).length;
  return marked + (isMarked(message) ? 1 : 0);
}

/** @param {any} message */
function markedCopy(message) {
  const { providerOptions } = message;
  const anthropic = { ...providerOptions?.anthropic, cacheControl: { type: 'ephemeral' } };
  return { ...message, providerOptions: { ...providerOptions, anthropic } };
}

module.exports = { withCacheMarks };
