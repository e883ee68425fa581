// @ts-check
'use strict';

const { isList } = require('../lists.js');

/**
 * @typedef {import('./row.js').AnyRow} AnyRow
 * @typedef {import('./dialect.js').Table} Table
 *
 * True if a part still is call or result number `nth` at the same index, false if it changed, undefined if it is neither.
 * @typedef {(row: AnyRow, nth: number, part: any, at: number) => boolean | undefined} IsStill
 */

/**
 * A dialect's `firstChanged` if calls and results are parts in one list.
 * @param {string} field field with the list
 * @param {unknown} model the role of the model's messages
 * @param {IsStill} isStillCall
 * @param {IsStill} isStillResult
 * @returns {import('./dialect.js').Dialect['firstChanged']}
 */
function firstChangedIn(field, model, isStillCall, isStillResult) {
  return (table, messages, index, end) => {
    for (; index < end; index++) {
      const message = messages[index];
      const { role, timestamp } = message;
      const parts = message[field];
      if (!isList(parts) || !table.isAt(index, message, role, parts.length)) return index;
      const row = table.rowAt(index);
      if (role === model) {
        if (!sameCalls(row, parts, isStillCall)) return index;
      } else if (!row.isTimed(message, timestamp) || !sameResults(table, index, parts, isStillResult)) return index;
    }
    return end;
  };
}

/** @param {AnyRow} row @param {readonly any[]} parts @param {IsStill} isStillCall */
function sameCalls(row, parts, isStillCall) {
  let nth = 0;
  for (let at = 0; at < parts.length; at++) {
    const is = isStillCall(row, nth, parts[at], at);
    if (is === false) return false;
    if (is === true) nth++;
  }
  return row.hasCalls(nth);
}

/** @param {Table} table @param {number} index @param {readonly any[]} parts @param {IsStill} isStillResult */
function sameResults(table, index, parts, isStillResult) {
  let nth = 0;
  for (let at = 0; at < parts.length; at++) {
    const is = isStillResult(table.rowAt(index, nth), nth, parts[at], at);
    if (is === false) return false;
    if (is === true) nth++;
  }
  return table.areResults(index, nth);
}

module.exports = { firstChangedIn, sameCalls };
