// @ts-check
'use strict';

const native = require('../native.js');
const { argumentsOf, calleeOf, callIdOf, callsOf, nameOf, resultIdOf, timeOfAny } = require('../messages/chat.js');
const { formOf } = require('../messages/form.js');
const { rowsOf } = require('../messages/table.js');
const { readMessage } = require('../tokens/message.js');

/**
 * Reads single messages of any dialect for the command's list of a recorded session.
 *
 * @typedef {'system' | 'user' | 'assistant' | 'tool calls' | 'tool results' | 'other'} Kind
 * @typedef {{ name: string, arguments: unknown }} DeclaredCall
 */

/** Keyed by role. @type {Record<string, Kind>} */
const KINDS = { system: 'system', developer: 'system', user: 'user', tool: 'tool results' };

/** Also recognises items and LangChain's messages, which have no role. @param {any} value @returns {boolean} */
function isMessage(value) {
  if (typeof value !== 'object' || value === null) return false;
  return typeof value.role === 'string' || formOf(value) !== 'other';
}

/** @param {any} message @returns {Kind} */
function kindOf(message) {
  // A row is the message or one of its results. The first row determines the kind: in opencode, whose messages have calls and results, that of the calls.
  const [row] = /** @type {any[]} */ (rowsOf([message]));
  const described = row?.role === 'other' ? message : row;
  if (described?.role === 'assistant') return (callsOf(described)?.length ?? 0) > 0 ? 'tool calls' : 'assistant';
  return Object.hasOwn(KINDS, described?.role) ? /** @type {Kind} */ (KINDS[described.role]) : 'other';
}

/** @param {any} message @returns {number} milliseconds since 1970, or NaN */
function timeMsOf(message) {
  const time = timeOfAny(message);
  return Number.isFinite(time) ? native.timeInMs(time) : Number.NaN;
}

/** @param {any} message @returns {{ texts: string[], images: string[] }} images as links or data */
function contentOf(message) {
  const { texts, images } = readMessage(message);
  return { texts, images };
}

/** @param {readonly any[]} rows @returns {Map<string, DeclaredCall>} keyed by call id */
function declaredCallsOf(rows) {
  /** @type {Map<string, DeclaredCall>} */ const calls = new Map();
  for (const row of rows) {
    if (typeof row !== 'object' || row === null) continue;
    for (const call of callsOf(row) ?? []) {
      const id = callIdOf(call);
      const callee = calleeOf(call);
      const name = nameOf(callee);
      if (typeof id === 'string' && typeof name === 'string') calls.set(id, { name, arguments: argumentsOf(callee) });
    }
  }
  return calls;
}

module.exports = { callsOf, contentOf, declaredCallsOf, isMessage, kindOf, resultIdOf, rowsOf, timeMsOf };
