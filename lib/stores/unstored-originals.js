// @ts-check
'use strict';

const { compressionOf } = require('../compression/record.js');
const { copyWith } = require('../messages/own-fields.js');

/**
 * Puts originals that could not be archived back into their summaries, so that the host can store them.
 * @param {any} prepared @param {readonly import('../entry/types/archive.js').ArchiveBatch[]} batches
 */
function withUnstored(prepared, batches) {
  if (batches.length === 0) return prepared;
  const byId = new Map(batches.map(({ id, messages }) => [id, messages]));
  prepared.history = prepared.history.map((/** @type {any} */ message) => {
    const { archive, ...record } = compressionOf(message) ?? {};
    const originalMessages = archive && byId.get(/** @type {{ id: string }} */ (archive).id);
    return originalMessages ? copyWith(message, [], { compression: { ...record, originalMessages } }) : message;
  });
  return prepared;
}

module.exports = { withUnstored };
