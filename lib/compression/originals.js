// @ts-check
'use strict';

const { unlessAborted } = require('../archive/store.js');
const { placeOf } = require('../lists.js');
const { copyWith } = require('../messages/own-fields.js');
const { replaceSlots } = require('../slots.js');
const { originalsApart } = require('./levels.js');
const { compressedAt, compressionOf } = require('./record.js');
const { textOf } = require('./said-columns.js');

/**
/**
 * Moves the originals of a summary or notice into the archive. They leave the array only when they are stored, and
 * by way of a copy: the host may already have saved the message that has them.
 * @param {any[]} messages
 * @param {any} made
 * @param {any} archive
 * @param {string} sessionId the manager's own: one in the history could be anybody's
 * @param {AbortSignal | undefined} signal ends the wait, and then they stay
 */
async function archiveOriginals(messages, made, archive, sessionId, signal) {
  const whole = /** @type {import('./record.js').CompressionRecord} */ (compressionOf(made));
  const { originalMessages, earlier, ...record } = whole;
  const { id, kind, level } = record;
  const originals = originalsApart(whole);
  const batch = { id, kind, level, at: compressedAt(made), messages: originals, summary: textOf(made) };
  await unlessAborted(async () => archive.append(sessionId, batch, { signal }), signal);
  const index = placeOf(messages, made);
  if (index === -1) return;
  replaceSlots(messages, [index], [copyWith(made, [], { compression: { ...record, archive: { sessionId, id } } })]);
}

module.exports = { archiveOriginals };
