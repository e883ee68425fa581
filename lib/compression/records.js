// @ts-check
'use strict';

const { compressionOf, countIn, digestOf } = require('./record.js');

/**
 * The records of the summaries and notices among `messages`, as the core takes them.
 * @param {readonly any[]} messages
 * @returns {import('../../binding.js').MessageRecord[]}
 */
function recordsIn(messages) {
  /** @type {import('../../binding.js').MessageRecord[]} */
  const records = [];
  for (let index = 0; index < messages.length; index++) {
    const record = compressionOf(messages[index]);
    if (record === undefined) continue;
    const { firstRequest } = record;
    records.push({
      index,
      firstRequest: typeof firstRequest === 'string' ? firstRequest : undefined,
      digest: digestOf(record),
      droppedCount: countIn(record, 'droppedCount', 1),
      droppedTokens: countIn(record, 'droppedTokens', 0),
    });
  }
  return records;
}

module.exports = { recordsIn };
