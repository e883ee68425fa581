// @ts-check
'use strict';

const { isList } = require('../lists.js');

/**
 * Finds the first message whose calls or results the application edited in place since they were read.
 *
 * @typedef {import('./row.js').AnyRow} AnyRow
 * @typedef {import('./dialect.js').Table} Table
 *
 * Compares part `at` of a message with its call or result number `nth` as it was read: true if it is unchanged, false if it changed, undefined if
 * the part is neither call nor result.
 * @typedef {(row: AnyRow, nth: number, part: any, at: number) => boolean | undefined} IsStill
 */

/**
 * A dialect's `firstChanged` if calls and results are parts in the list `field`.
 * @param {string} field @param {unknown} assistantRole @param {IsStill} isStillCall @param {IsStill} isStillResult
 * @returns {import('./dialect.js').Dialect['firstChanged']}
 */
function firstChangedIn(field, assistantRole, isStillCall, isStillResult) {
  return (table, messages, start, end) => {
    for (let index = start; index < end; index++) {
      const message = messages[index];
      const { role, timestamp } = message;
      const parts = message[field];
      if (!isList(parts) || !table.isAt(index, message, role, parts.length)) return index;
      const row = table.rowAt(index);
      if (role === assistantRole) {
        if (!sameCalls(row, parts, isStillCall)) return index;
      } else if (!row.isTimed(message, timestamp) || !sameResults(table, index, parts, isStillResult)) return index;
    }
    return end;
  };
}

/** True if `parts` have the calls of `row`, unchanged, and no others. @param {AnyRow} row @param {readonly any[]} parts @param {IsStill} isStillCall */
function sameCalls(row, parts, isStillCall) {
  let nth = 0;
  for (let at = 0; at < parts.length; at++) {
    const isStill = isStillCall(row, nth, parts[at], at);
    if (isStill === false) return false;
    if (isStill === true) nth++;
  }
  return row.hasCalls(nth);
}

/** @param {Table} table @param {number} index @param {readonly any[]} parts @param {IsStill} isStillResult */
function sameResults(table, index, parts, isStillResult) {
  let nth = 0;
  for (let at = 0; at < parts.length; at++) {
    const isStill = isStillResult(table.rowAt(index, nth), nth, parts[at], at);
    if (isStill === false) return false;
    if (isStill === true) nth++;
  }
  return table.hasResults(index, nth);
}

module.exports = { firstChangedIn, sameCalls };
