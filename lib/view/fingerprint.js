// @ts-check
'use strict';

const { jsonText } = require('../json-text.js');
const native = require('../native.js');
const { canonical } = require('./likeness.js');

/** A number by which a message is known again, whoever has written its JSON; null for one that JSON can't hold. O(message). @param {unknown} message */
function fingerprintOf(message) {
  try {
    return native.textFingerprint(jsonText(canonical(message)) ?? '');
  } catch {
    return null;
  }
}

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

module.exports = { fingerprintOf, knownAgain };
