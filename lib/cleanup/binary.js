// @ts-check
'use strict';

const { copyOfList } = require('../lists.js');
const { binaryIn } = require('../results/binary-in-messages.js');

/** @typedef {import('./report.js').Change} Change */

/** Used in place of a rule's number. */
const BINARY = -2;

/**
 * Removes binary data from tool results before the rules run, so that rules see what is sent.
 * @param {readonly unknown[]} messages
 * @param {import('../messages/choice.js').Forced} dialect
 * @returns {{ messages: readonly unknown[], changes: Change[] }} the same array if nothing changes
 */
function withoutBinaries(messages, dialect) {
  /** @type {unknown[] | undefined} */ let own;
  /** @type {Change[]} */ const changes = [];
  for (let row = 0; row < messages.length; row++) {
    const found = binaryIn(messages[row], dialect);
    if (found === null) continue;
    own ??= copyOfList(messages);
    own[row] = found.message;
    changes.push({ row, rule: BINARY, before: [...found.before], after: [...found.after], paths: null, media: 0 });
  }
  return { messages: own ?? messages, changes };
}

module.exports = { BINARY, withoutBinaries };
