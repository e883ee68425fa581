// @ts-check
'use strict';

const { sayAll, sayOf } = require('../messages/said.js');
const { ignoreRejection } = require('../unwaited.js');
const { compressionOf, countIn, isPinnedCopy, recordIdsIn } = require('./record.js');

/** In the order of the core's `Role`. */
const ROLES = ['system', 'user', 'assistant', 'tool', 'other'];
/** Bits of a message's flags, as `src/compression/said_columns.rs` reads them. */
const FAILED = 1;
const THINKING = 2;
const PINNED = 4;
const MADE = { summary: 8, truncation: 16, pinned: 24 };
const JOINED = 32;

/**
 * A conversation in the form in which the core decides on it: all texts in one array, all numbers in another.
 * @typedef {{ texts: string[], numbers: Float64Array }} SaidColumns
 * @typedef {InstanceType<typeof import('../messages/said.js').Said>} Said
 */

/**
 * Writes down for the core what the messages say. Never throws: what can't be read isn't there.
 * @param {readonly any[]} messages
 * @param {(index: number) => number} tokensOf
 * @param {((message: any) => unknown) | null} pin the host's own choice of what to keep
 * @param {import('../messages/choice.js').Forced} [forced]
 * @returns {SaidColumns}
 */
function columnsOf(messages, tokensOf, pin, forced) {
  /** @type {string[]} */
  const texts = [];
  /** @type {number[]} */
  const numbers = [];
  const ids = recordIdsIn(messages);
  sayAll(messages, forced).forEach((said, index) => {
    const { role, calls, answers } = said;
    numbers.push(
      ROLES.indexOf(role),
      flagsOf(said, messages[index], pin, ids),
      Math.floor(countIn(compressionOf(messages[index]), 'level', 0)),
      tokensOf(index),
      calls.length,
      answers.length,
      answers.length > 0 && role === 'user' ? said.unitsBesideResults : 0,
    );
    // One by one: as arguments of one call, those of a message with 40,000 calls don't fit on the stack.
    texts.push(said.texts.join('\n'));
    for (const call of calls) for (const part of call) texts.push(part);
    for (const answer of answers) texts.push(answer);
  });
  return { texts, numbers: Float64Array.from(numbers) };
}

/** @param {Said} said @param {any} message @param {((message: any) => unknown) | null} pin @param {ReadonlySet<unknown>} ids of records */
function flagsOf({ isFailed, hasThinking, isJoined }, message, pin, ids) {
  let flags = (isFailed ? FAILED : 0) | (hasThinking ? THINKING : 0) | (isJoined ? JOINED : 0);
  const record = compressionOf(message);
  if (record !== undefined) flags |= MADE[record.kind === 'truncation' ? 'truncation' : 'summary'];
  else if (isPinnedCopy(message, ids)) flags |= MADE.pinned;
  try {
    const answer = pin?.(message);
    // A promise is no answer yet, whatever it will be.
    if (answer && !ignoreRejection(answer)) flags |= PINNED;
  } catch {
    // The host's own `pin` throws.
  }
  return flags;
}

/** The ids of the calls that a message declares and answers. @param {any} message @param {import('../messages/choice.js').Forced} [forced] */
function pairingOf(message, forced) {
  return pairing(sayOf(message, forced));
}

/** The same of each, where calls without an id are known by their place. @param {readonly any[]} messages @param {import('../messages/choice.js').Forced} [forced] */
function pairingsOf(messages, forced) {
  return sayAll(messages, forced).map(pairing);
}

/** @param {Said} said */
function pairing({ calls, answers }) {
  return { declares: calls.map(([id]) => id), answers };
}

/** The words of a message, such as a summary's. @param {any} message @param {import('../messages/choice.js').Forced} [forced] */
function textOf(message, forced) {
  return sayOf(message, forced).texts.join('\n');
}

module.exports = { pairingOf, pairingsOf, columnsOf, textOf };
