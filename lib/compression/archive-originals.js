// @ts-check
'use strict';

const { unlessAborted } = require('../archive/store.js');
const { indexInList } = require('../lists.js');
const { copyWith } = require('../messages/message-fields.js');
const { replaceSlots } = require('../slots.js');
const { originalsSeparately } = require('./flat-originals.js');
const { compressedAt, compressionOf } = require('./record.js');
const { textOf } = require('./message-columns.js');

/**
 * Moves the originals of a summary or notice into the archive. They are removed from the array only after they are stored, by replacing the message
 * with a copy, because the application may already have saved the message with its originals.
 * @param {any[]} messages @param {any} made the summary or notice
 * @param {any} archive @param {string} sessionId the manager's own: one from the history could name anybody's session
 * @param {AbortSignal | undefined} signal stops waiting; the originals then stay
 */
async function archiveOriginals(messages, made, archive, sessionId, signal) {
  const complete = /** @type {import('./record.js').CompressionRecord} */ (compressionOf(made));
  const { originalMessages, earlier, ...record } = complete;
  const { id, kind, level } = record;
  const originals = originalsSeparately(complete);
  const batch = { id, kind, level, at: compressedAt(made), messages: originals, summary: textOf(made) };
  await unlessAborted(async () => archive.append(sessionId, batch, { signal }), signal);
  const index = indexInList(messages, made);
  if (index === -1) return;
  replaceSlots(messages, [index], [copyWith(made, [], { compression: { ...record, archive: { sessionId, id } } })]);
}

module.exports = { archiveOriginals };
