// @ts-check
'use strict';

const { outOfRange, quoted, wrongType } = require('../errors.js');
const { jsonText } = require('../json-text.js');
const native = require('../native.js');

/** The version of the exported form. */
const VERSION = 1;

/**
 * @typedef {import('../entry/types/view.js').ContextViewState} State
 * @typedef {InstanceType<typeof import('./projection.js').Projection>} Projection
 */

/** A number by which a message is known again; null for one that JSON can't hold. @param {unknown} message */
function fingerprintOf(message) {
  try {
    return native.textFingerprint(jsonText(message) ?? '');
  } catch {
    return null;
  }
}

/**
 * @param {Projection} projection
 * @param {Record<string, unknown>} options
 * @param {unknown} compression
 * @returns {State}
 */
function exported(projection, options, compression) {
  projection.takeInEdits();
  const { schedule, applied, mending, seen, firstSeen, lastEnd, end, edited } = projection;
  const state = {
    version: VERSION,
    options,
    schedule: JSON.parse(schedule.state.export()),
    messages: seen.messages.map(fingerprintOf),
    firstSeen,
    replaced: [...applied.replaced].map(([row, { rule, text }]) => [row, rule, text]),
    unfounded: [...applied.unfounded],
    mended: [...mending.mended].map(([index, { isGone, added }]) => [index, isGone, added]),
    ends: [lastEnd, end],
    edited,
    compression,
  };
  return JSON.parse(JSON.stringify(state));
}

/** @param {unknown} state @returns {State} */
function readState(state) {
  if (state === null || typeof state !== 'object') throw wrongType('state', 'an exported state', state);
  const given = plainCopy(state);
  if (given.version !== VERSION) throw outOfRange('state.version', String(VERSION), quoted(given.version));
  const { messages, firstSeen, replaced, unfounded, mended, ends, edited, schedule, options } = given;
  const isComplete =
    Array.isArray(messages) &&
    messages.every((mark) => mark === null || typeof mark === 'number') &&
    Array.isArray(firstSeen) &&
    firstSeen.every(Number.isFinite) &&
    Array.isArray(replaced) &&
    replaced.every(isReplaced) &&
    Array.isArray(unfounded) &&
    unfounded.every(Number.isSafeInteger) &&
    Array.isArray(mended) &&
    mended.every(isMended) &&
    Array.isArray(ends) &&
    ends.length === 2 &&
    ends.every(Number.isSafeInteger) &&
    Array.isArray(edited ?? []) &&
    (edited ?? []).every(Number.isSafeInteger) &&
    isObject(schedule) &&
    isObject(options);
  if (!isComplete) throw outOfRange('state', 'what export() gave', 'something else');
  return /** @type {State} */ (given);
}

/** @param {object} state @returns {Record<string, any>} */
function plainCopy(state) {
  try {
    return JSON.parse(jsonText(state) ?? 'null') ?? {};
  } catch {
    throw outOfRange('state', 'what export() gave', 'what JSON can not hold');
  }
}

/** @param {unknown} value */
function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** @param {unknown} entry */
function isReplaced(entry) {
  if (!Array.isArray(entry)) return false;
  const [row, rule, text] = entry;
  return Number.isSafeInteger(row) && row >= 0 && Number.isSafeInteger(rule) && rule >= 0 && typeof text === 'string';
}

/** @param {unknown} entry */
function isMended(entry) {
  if (!Array.isArray(entry)) return false;
  const [index, isGone, added] = entry;
  return Number.isSafeInteger(index) && index >= 0 && typeof isGone === 'boolean' && Number.isFinite(added);
}

/** How many of `messages` at the start have these marks. @param {readonly unknown[]} messages @param {readonly (number | null)[]} marks */
function knownAgain(messages, marks) {
  const end = Math.min(messages.length, marks.length);
  let known = 0;
  while (known < end && marks[known] !== null && fingerprintOf(messages[known]) === marks[known]) known++;
  return known;
}

module.exports = { exported, fingerprintOf, knownAgain, readState };
