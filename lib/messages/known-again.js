// @ts-check
'use strict';

const { fingerprintOf } = require('./likeness.js');

/**
 * How many of `messages` at the start have these marks.
 * @param {readonly unknown[]} messages
 * @param {readonly (number | null)[]} marks
 * @param {number} from so many are taken for the same
 */
function knownAgain(messages, marks, from) {
  const end = Math.min(messages.length, marks.length);
  let known = Math.min(from, end);
  while (known < end && marks[known] !== null && fingerprintOf(messages[known]) === marks[known]) known++;
  return known;
}

module.exports = { knownAgain };
