// @ts-check
'use strict';

const { fingerprintOf } = require('./likeness.js');

/**
 * Count of `messages` at the start that have these fingerprints.
 * @param {readonly unknown[]} messages
 * @param {readonly (number | null)[]} marks
 * @param {number} from count of messages at the start assumed to match
 */
function knownAgain(messages, marks, from) {
  const end = Math.min(messages.length, marks.length);
  let known = Math.min(from, end);
  while (known < end && marks[known] !== null && fingerprintOf(messages[known]) === marks[known]) known++;
  return known;
}

module.exports = { knownAgain };
