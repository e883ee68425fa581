// @ts-check
'use strict';

const { replaceSlots } = require('../slots.js');
const { compressionOf } = require('./record.js');

/**
 * Moves the originals of a summary or notice into the archive. They leave the array only when they are stored, and
 * by way of a copy: the host may already have saved the message that has them.
 * @param {any[]} messages
 * @param {any} made
 * @param {any} archive
 * @param {string | undefined} sessionId default: the one that the history names, else the first compression's id
 */
async function archiveOriginals(messages, made, archive, sessionId) {
  const { originalMessages, ...record } = made.compression;
  const session = sessionId ?? sessionOf(originalMessages) ?? sessionOf(messages) ?? record.id;
  const { id, kind, level } = record;
  const batch = { id, kind, level, at: made.compressedAt, messages: originalMessages, summary: made.content };
  await archive.append(session, batch);
  const index = messages.indexOf(made);
  if (index === -1) return;
  replaceSlots(messages, [index], [{ ...made, compression: { ...record, archive: { sessionId: session, id } } }]);
}

/** @param {readonly any[]} messages @returns {string | undefined} */
function sessionOf(messages) {
  return messages.map((message) => compressionOf(message)?.archive?.sessionId).find((id) => typeof id === 'string');
}

module.exports = { archiveOriginals };
