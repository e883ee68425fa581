// @ts-check
'use strict';

const { copyOfList, isList } = require('../lists.js');
const { copyOf, isSpreadable } = require('./copy.js');

/**
 * What dialects share whose messages have a list of parts.
 * @typedef {import('./row.js').AnyRow} AnyRow
 * @typedef {import('./choice.js').Dialect} Dialect
 * @typedef {import('./choice.js').Table} Table
 *
 * Compares part `at` of a message with its call or result number `nth` as it was read: true if it is unchanged, false if it changed, undefined if
 * the part is neither call nor result.
 * @typedef {(row: AnyRow, nth: number, part: any, at: number) => boolean | undefined} IsStill
 *
 * `field` has the list; `replaced` copies a result's part with another text.
 * @typedef {{ field: string, assistantRole: unknown, isStillCall: IsStill, isStillResult: IsStill, replaced: WithText }} PartList
 * @typedef {(part: any, text: string) => any} WithText
 */

/**
 * The members of a dialect whose calls and results are parts.
 * @param {PartList} list @returns {Required<Pick<Dialect, 'canRead' | 'isUnchanged' | 'replace' | 'without'>>}
 */
function partList({ field, assistantRole, isStillCall, isStillResult, replaced }) {
  return {
    canRead: (message) => isList(message[field]),

    isUnchanged(table, index, message) {
      const { role, timestamp } = message;
      const parts = message[field];
      if (!isList(parts) || !table.isAt(index, message, role, parts.length)) return false;
      const row = table.rowAt(index);
      if (role === assistantRole) return sameCalls(row, parts, isStillCall);
      return row.isTimed(message, timestamp) && sameResults(table, index, parts, isStillResult);
    },

    replace: replaceIn(field, replaced),
    without: (message, removed) => withoutParts(message, field, removed),
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

/** A dialect's `replace` if results are parts in the list `field`. @param {string} field @param {WithText} replaced @returns {Dialect['replace']} */
function replaceIn(field, replaced) {
  return (message, texts) => {
    const parts = copyOfList(message[field]);
    for (const [index, text] of texts) parts[index] = replaced(parts[index], text);
    return isSpreadable(message) ? { ...message, [field]: parts } : copyOf(message, { [field]: parts });
  };
}

/** A copy without some parts of a list; undefined if none is left. @param {any} message @param {string} field @param {Set<number>} removed indices */
function withoutParts(message, field, removed) {
  const parts = copyOfList(message[field]).filter((_, index) => !removed.has(index));
  return parts.length === 0 ? undefined : copyOf(message, { [field]: parts });
}

/** `blocks` with `results` after the results at its start. @param {readonly any[]} blocks @param {(block: any) => boolean} isResult @param {any[]} results */
function afterResults(blocks, isResult, results) {
  const firstOther = blocks.findIndex((block) => !isResult(block));
  const end = firstOther < 0 ? blocks.length : firstOther;
  return [...blocks.slice(0, end), ...results, ...blocks.slice(end)];
}

/**
 * A dialect's `merged` if its provider requires alternating roles: joins two adjacent messages of one role if a compression made one of them.
 * @param {string} field @returns {NonNullable<Dialect['merged']>}
 */
function mergedIn(field) {
  return (messages, isGenerated) => {
    /** @type {any[]} */ const merged = [];
    /** The last of `merged` was made by the compression, or has parts of such a message. */
    let isLastGenerated = false;
    for (const message of messages) {
      const isNew = isGenerated(message);
      /** @type {any} */ const both = isLastGenerated || isNew ? joined(merged.at(-1), message, field) : undefined;
      if (both === undefined) merged.push(message);
      else merged[merged.length - 1] = both;
      isLastGenerated = isNew || both !== undefined;
    }
    return merged;
  };
}

/** A copy of `previous` with the parts of `message` appended; undefined for another role, or without lists of parts. @param {any} previous @param {any} message @param {string} field */
function joined(previous, message, field) {
  if (previous?.role !== message?.role || !isList(previous?.[field]) || !isList(message?.[field])) return undefined;
  return copyOf(previous, { [field]: [...previous[field], ...message[field]] });
}

module.exports = { afterResults, joined, mergedIn, partList, replaceIn, sameCalls, withoutParts };
