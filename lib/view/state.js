// @ts-check
'use strict';

const { optional, readArray } = require('../arguments.js');
const { badState, quoted, wrongType } = require('../errors.js');
const { jsonText } = require('../json-text.js');
const { copyOfList } = require('../lists.js');
const { fingerprintOf } = require('../messages/likeness.js');
const { merged } = require('./delta.js');

/** The version of the exported form. */
const VERSION = 2;

/**
 * @typedef {import('../entry/types/view.js').ContextViewState} State
 * @typedef {InstanceType<typeof import('./projection.js').Projection>} Projection
 */

/**
 * What a projection holds beside its schedule, as of its last request. Only messages that are new cost anything.
 * @param {Projection} projection
 * @param {Record<string, unknown>} options
 * @param {{ past: import('./costs.js').Costs, compression: unknown }} more what other conversations of the view have cost
 * @returns {import('./delta.js').Parts}
 */
function partsOf(projection, options, { past, compression }) {
  const { applied, mending, seen, marks, firstSeen, behind, engine } = projection;
  for (let index = marks.length; index < seen.length; index++) marks.push(fingerprintOf(seen.messages[index]));
  const messages = [...marks, ...behind.map(fingerprintOf)];
  // From the first placeholder, or answer to an interrupted call, on the language stays.
  const isSpoken = applied.replaced.size + mending.mended.size > 0;
  const { placeholderLanguage } = isSpoken ? (engine.spec.options ?? {}) : options;
  return {
    options: { ...options, placeholderLanguage },
    messages,
    firstSeen: messages.map((_, index) => firstSeen[index] ?? null),
    replaced: applied.replaced,
    past,
    compression,
  };
}

/** The same of what was imported, until the messages come. @param {State} state @returns {import('./delta.js').Parts} */
function partsIn({ messages, firstSeen, replaced, options, past, compression }) {
  const byRow = new Map(replaced.map(([row, rule, text, change]) => [row, { rule, text, change }]));
  return { messages, firstSeen, replaced: byRow, options, past, compression: compression ?? null };
}

/**
 * @param {import('./delta.js').Parts} parts
 * @param {string} schedule
 * @returns {State}
 */
function stateOf({ replaced, ...parts }, schedule) {
  const rows = [...replaced].map(([row, { rule, text, change }]) => [row, rule, text, change]);
  rows.sort(([a], [b]) => Number(a) - Number(b));
  return JSON.parse(JSON.stringify({ version: VERSION, ...parts, schedule: JSON.parse(schedule), replaced: rows }));
}

/** @param {unknown} state or its text @param {unknown} [deltas] texts, the oldest first @returns {State} */
function readState(state, deltas) {
  if (typeof state !== 'string' && (state === null || typeof state !== 'object')) {
    throw wrongType('state', 'an exported state', state);
  }
  const snapshot = plainCopy(state);
  if (snapshot.version !== VERSION) throw badState(`version ${VERSION}`, `version ${quoted(snapshot.version)}`);
  const given = merged(snapshot, optional(readArray, 'deltas', deltas) ?? []);
  const { messages, firstSeen, replaced, schedule, options, past, compression } = given;
  const isComplete =
    Array.isArray(messages) &&
    messages.every((mark) => mark === null || typeof mark === 'number') &&
    Array.isArray(firstSeen) &&
    firstSeen.length === messages.length &&
    firstSeen.every((time) => time === null || Number.isFinite(time)) &&
    Array.isArray(replaced) &&
    replaced.every(isReplaced) &&
    isObject(schedule) &&
    Array.isArray(schedule.messages) &&
    schedule.messages.length <= messages.length &&
    isObject(options) &&
    isObject(past) &&
    Object.values(past).every((cost) => Number.isFinite(cost) && cost >= 0) &&
    isCompressed(compression ?? null);
  if (!isComplete) throw badState('what export() gave', 'something else');
  return /** @type {State} */ (given);
}

/** @param {object | string} state @returns {Record<string, any>} */
function plainCopy(state) {
  try {
    return JSON.parse((typeof state === 'string' ? state : jsonText(state)) ?? 'null') ?? {};
  } catch (error) {
    throw badState('what export() gave', 'what JSON can not hold', error);
  }
}

/** @param {unknown} value */
function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** @param {unknown} entry */
function isReplaced(entry) {
  if (!Array.isArray(entry)) return false;
  const [row, rule, text, change] = entry;
  return [row, rule, change].every((number) => Number.isSafeInteger(number) && number >= 0) && typeof text === 'string';
}

/** @param {any} compression */
function isCompressed(compression) {
  if (compression === null) return true;
  const { messages, head, system } = compression;
  return Array.isArray(messages) && Array.isArray(head) && Number.isSafeInteger(system) && system >= 0;
}

/**
 * What of `messages` another process has seen.
 * @param {readonly unknown[]} messages
 * @param {State} state
 * @returns {{ known: number, changed: number[], ages: number[] }} how many at the start are those that its last requests had, which are
 *   others in their places, and by message when it was first sent
 */
function seenBefore(messages, { messages: marks, firstSeen, schedule }) {
  /** @type {number[]} */
  const ages = [];
  /** @type {number[]} */
  const changed = [];
  for (let index = 0; index < Math.min(messages.length, marks.length); index++) {
    if (marks[index] === null || fingerprintOf(messages[index]) !== marks[index]) {
      changed.push(index);
      continue;
    }
    const age = firstSeen[index] ?? null;
    if (age !== null) ages[index] = age;
  }
  const known = Math.min(changed[0] ?? Infinity, messages.length, marks.length, schedule.messages.length);
  return { known, changed, ages };
}

/**
 * Takes in what the host has edited in place since the last request, as the next one would: an export knows messages by
 * what they held then.
 * @param {Projection} projection
 */
function takeInEdits(projection) {
  const { seen, conversation, firstSeen } = projection;
  if (seen.length === 0) return;
  const taken = copyOfList(seen.messages);
  const now = projection.schedule.lastNow() ?? 0;
  const { changed } = seen.compared(taken);
  conversation.firstSeen = projection.notesTimes ? firstSeen : null;
  conversation.decide(taken, now, 0);
  const [first = Infinity] = changed;
  const edited = projection.firstEdited(taken);
  const shared = Math.min(first, edited);
  if (shared >= seen.length) return;
  projection.goBack(taken, shared, now);
  // Behind an edit that is seen from outside, messages keep their ages.
  if (edited < first) firstSeen.length = edited;
  else for (const index of changed) delete firstSeen[index];
  if (!projection.isByMessages) [projection.inherited, projection.behind] = [firstSeen.length, taken.slice(shared)];
  seen.truncate(shared);
  projection.sent.forget();
}

/**
 * Has a new projection go on where another process left off.
 * @param {Projection} projection
 * @param {readonly any[]} messages
 * @param {State} state
 * @param {{ known: number, ages: number[], isBeside?: boolean }} seen beside it nothing goes back: the conversation is longer than these messages
 */
function resume(projection, messages, state, { known, ages, isBeside = false }) {
  const { conversation, applied, engine, touched, schedule, weighed } = projection;
  const prefix = copyOfList(messages, 0, known);
  const { changes } = isBeside ? { changes: Infinity } : schedule.truncate(known);
  projection.seen.resume(messages, known);
  projection.marks = state.messages.slice(0, known);
  projection.firstSeen = projection.isByMessages ? ages.slice(0, known) : ages;
  projection.inherited = projection.firstSeen.length;
  conversation.firstSeen = projection.notesTimes ? projection.firstSeen : null;
  conversation.decide(prefix, schedule.lastNow() ?? 0, 0);
  const { layout, transcript } = conversation;
  for (const [row, rule, text, change] of state.replaced) {
    const isThere = row < transcript.length && transcript.contents[row] !== undefined;
    if (!isThere || change > changes || rule >= engine.ruleNames.length) continue;
    const { groups = [] } = applied.editOf(conversation, row) ?? {};
    const [saved = 0] = weighed.savings(conversation, [row], [text]);
    applied.keep(row, { rule, text, groups, saved, change });
  }
  projection.mending.update(conversation);
  weighed.resume(state.schedule.messages.slice(0, known).map(([tokens]) => tokens));
  for (const [position] of state.schedule.pending) if (position < known) touched.add(position);
  applied.sync(conversation, touched, weighed);
  weighed.mark(layout, new Set(), touched);
  schedule.messages = known;
  Object.assign(weighed, { taken: prefix, conversation });
}

module.exports = { partsIn, partsOf, readState, resume, seenBefore, stateOf, takeInEdits };
