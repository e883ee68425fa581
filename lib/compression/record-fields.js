// @ts-check
'use strict';

/** Finds record fields with invalid values, for a warning: applications and users edit saved sessions. */

const { isList } = require('../lists.js');
const { ownFieldsOf } = require('../messages/message-fields.js');
const { compressionOf, isCount } = require('./record.js');

const isText = (/** @type {unknown} */ value) => typeof value === 'string';
const isDistance = (/** @type {unknown} */ value) => isCount(value) && Number.isInteger(value) && value > 0;
const isObject = (/** @type {unknown} */ value) => typeof value === 'object' && value !== null;
const isLists = (/** @type {unknown} */ value) => isList(value) && value.every(isList);

const COUNTS = [
  ...['level', 'beforeCount', 'afterCount', 'tokensBefore', 'tokensAfter', 'windowTokens', 'usageBefore', 'usageAfter'],
  ...['durationMs', 'droppedCount', 'droppedTokens', 'messageCount'],
];

/** For each record field, whether a value is valid. @type {[string, (value: any) => boolean][]} */
const FIELDS = [
  ['id', isText],
  ['kind', (value) => value === 'summary' || value === 'truncation'],
  ...COUNTS.map((field) => /** @type {[string, typeof isCount]} */ ([field, isCount])),
  ['firstRequest', isText],
  ['digest', isObject],
  ['originalMessages', isList],
  ['earlier', isLists],
  ['originalsBack', isDistance],
  ['archive', isObject],
];

/**
 * The names of record fields with invalid values, which readers ignore; `compression` for a record that can't be read.
 * @param {readonly any[]} messages @returns {string[]}
 */
function invalidFieldsIn(messages) {
  const invalid = new Set();
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (!isCompressed(message)) continue;
    const record = /** @type {Record<string, unknown> | undefined} */ (compressionOf(message));
    if (record === undefined) invalid.add('compression');
    else for (const [field, test] of FIELDS) if (!isValid(record[field], test)) invalid.add(field);
  }
  return [...invalid];
}

/** @param {unknown} value @param {(value: any) => boolean} test */
function isValid(value, test) {
  try {
    return value === undefined || test(value);
  } catch {
    // A proxy may throw on access.
    return false;
  }
}

/** @param {any} message */
function isCompressed(message) {
  try {
    return ownFieldsOf(message)?.isCompressed === true;
  } catch {
    // It can't be determined whether the mark is ours.
    return false;
  }
}

module.exports = { invalidFieldsIn };
