// @ts-check
'use strict';

const { placeOf } = require('../lists.js');
const { replaceSlots } = require('../slots.js');
const { originalsApart } = require('./levels.js');

/**
 * Moves the originals of a summary or notice into the archive. They leave the array only when they are stored, and
 * by way of a copy: the host may already have saved the message that has them.
 * @param {any[]} messages
 * @param {any} made
 * @param {any} archive
 * @param {string} sessionId the manager's own: a name that stood in the history could be anybody's
 */
async function archiveOriginals(messages, made, archive, sessionId) {
  const { originalMessages, earlier, ...record } = made.compression;
  const { id, kind, level } = record;
  const originals = originalsApart(made.compression);
  await archive.append(sessionId, {
    id,
    kind,
    level,
    at: made.compressedAt,
    messages: originals,
    summary: made.content,
  });
  const index = placeOf(messages, made);
  if (index === -1) return;
  replaceSlots(messages, [index], [{ ...made, compression: { ...record, archive: { sessionId, id } } }]);
}

module.exports = { archiveOriginals };
