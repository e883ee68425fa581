// @ts-check
'use strict';

const { beforeCompressionOf, compressionOf } = require('../compression/record.js');
const { restored } = require('../compression/copies.js');
const { findOriginals, NO_NEIGHBOURS } = require('../compression/find-originals.js');

/**
 * Opens a compressed history level by level: the originals of a compression are a level, which may contain further compressions.
 *
 * @typedef {import('../compression/find-originals.js').Batch} Batch
 * @typedef {import('../compression/find-originals.js').Neighbours & { messages: readonly any[] }} Level
 * @typedef {{ level: Level } | { missing: Batch } | { damage: string }} Opened
 */

/** @param {readonly any[]} messages the application's messages, or a batch from an archive @returns {Level} */
function levelOf(messages) {
  return { messages, ...NO_NEIGHBOURS };
}

/**
 * Returns the originals of the compression at `index`; undefined if the message is not a compression. Never throws.
 * @param {Level} level
 * @param {number} index
 * @param {(batch: Batch) => { messages: unknown } | undefined} fetched returns what an archive returned for a batch, if it was asked
 * @param {ReadonlySet<readonly any[]>} [enclosing] the levels' lists that contain it, to detect cycles
 * @returns {Opened | undefined}
 */
function openLevel(level, index, fetched, enclosing) {
  const record = compressionOf(level.messages[index]);
  if (record === undefined) return undefined;
  try {
    const found = findOriginals(record, level, fetched);
    if ('missing' in found) return found;
    if ('damage' in found) return { damage: `expected ${found.damage.expected}, got ${found.damage.actual}` };
    if (enclosing?.has(found.messages)) return { damage: 'expected other messages, got a record that holds itself' };
    return { level: found };
  } catch {
    return { damage: 'expected a record, got one that can’t be read' };
  }
}

/**
 * The original of a message that a compression changed or repeated; any other message itself.
 * @param {any} message
 * @param {ReadonlySet<unknown>} ids of records in the same list: a message's own claim to be a copy is not trusted
 * @returns {{ message: any, isRepeated: boolean, isChanged: boolean }} `isRepeated`: a compression holds the original
 */
function originalOf(message, ids) {
  const before = beforeCompressionOf(message);
  if (before === undefined) return { message, isRepeated: false, isChanged: false };
  const isRepeated = ids.has(before.pinnedBy);
  try {
    return { message: restored(message), isRepeated, isChanged: true };
  } catch {
    return { message, isRepeated, isChanged: false };
  }
}

module.exports = { originalOf, levelOf, openLevel };
