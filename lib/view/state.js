// @ts-check
'use strict';

const { badState, quoted, wrongType } = require('../errors.js');
const { jsonText } = require('../json-text.js');
const { copyOfList } = require('../lists.js');
const { fingerprintOf } = require('../messages/likeness.js');

/** The version of the exported form. */
const VERSION = 2;

/**
 * @typedef {import('../entry/types/view.js').ContextViewState} State
 * @typedef {InstanceType<typeof import('./projection.js').Projection>} Projection
 */

/**
 * @param {Projection} projection
 * @param {Record<string, unknown>} options
 * @param {{ past: import('./costs.js').Costs, compression: unknown }} more what other conversations of the view have cost
 * @returns {State}
 */
function exported(projection, options, { past, compression }) {
  takeInEdits(projection);
  const { schedule, applied, mending, seen, firstSeen, behind, engine } = projection;
  const messages = [...seen.messages, ...behind];
  // From the first placeholder, or answer to an interrupted call, on the language stays.
  const isSpoken = applied.replaced.size + mending.mended.size > 0;
  const { placeholderLanguage } = isSpoken ? (engine.spec.options ?? {}) : options;
  const state = {
    version: VERSION,
    options: { ...options, placeholderLanguage },
    schedule: JSON.parse(schedule.state.export()),
    messages: messages.map(fingerprintOf),
    firstSeen: messages.map((_, index) => firstSeen[index] ?? null),
    replaced: [...applied.replaced].map(([row, { rule, text, change }]) => [row, rule, text, change]),
    past,
    compression,
  };
  return JSON.parse(JSON.stringify(state));
}

/** @param {unknown} state @returns {State} */
function readState(state) {
  if (state === null || typeof state !== 'object') throw wrongType('state', 'an exported state', state);
  const given = plainCopy(state);
  if (given.version !== VERSION) throw badState(`version ${VERSION}`, `version ${quoted(given.version)}`);
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

/** @param {object} state @returns {Record<string, any>} */
function plainCopy(state) {
  try {
    return JSON.parse(jsonText(state) ?? 'null') ?? {};
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
  const { messages, head } = compression;
  return Array.isArray(messages) && Array.isArray(head) && head.every(isObject);
}

/**
 * What of `messages` another process has seen.
 * @param {readonly unknown[]} messages
 * @param {State} state
 * @returns {{ known: number, ages: number[] }} how many at the start are those that its last requests had, and by message
 *   when it was first sent
 */
function seenBefore(messages, { messages: marks, firstSeen, schedule }) {
  /** @type {number[]} */
  const ages = [];
  let known = 0;
  for (let index = 0; index < Math.min(messages.length, marks.length); index++) {
    if (marks[index] === null || fingerprintOf(messages[index]) !== marks[index]) continue;
    if (known === index) known++;
    const age = firstSeen[index] ?? null;
    if (age !== null) ages[index] = age;
  }
  return { known: Math.min(known, schedule.messages.length), ages };
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
 */
function resume(projection, messages, state) {
  const { conversation, applied, engine, touched, schedule, weighed } = projection;
  const { known, ages } = seenBefore(messages, state);
  const prefix = copyOfList(messages, 0, known);
  const { changes } = schedule.truncate(known);
  projection.seen.resume(messages, known);
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

/** How many of `messages` at the start have these marks. @param {readonly unknown[]} messages @param {readonly (number | null)[]} marks */
function knownAgain(messages, marks) {
  const end = Math.min(messages.length, marks.length);
  let known = 0;
  while (known < end && marks[known] !== null && fingerprintOf(messages[known]) === marks[known]) known++;
  return known;
}

module.exports = { exported, knownAgain, readState, resume };
