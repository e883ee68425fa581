// @ts-check
'use strict';

const { optional, readArray, readChoice, readInteger, readOptions } = require('../arguments.js');
const { readName, readText, readTime } = require('../arguments.js');
const { describe, invalidArgument, outOfRange } = require('../errors.js');
const { jsonText, safely } = require('../plain-data.js');
const { readContent } = require('../messages/message-content.js');
const { OPTIONS } = require('../option-names.js');
const { readMessage } = require('../tokens/message.js');
const native = require('../native.js');
const { once } = require('../once.js');

/**
 * Checks what an application wants to store, and converts it to the form in which all stores keep it.
 * @typedef {{ role: string, text: string, json: string }} StoredMessage
 * @typedef {{ id: string, kind: string, level: number, at: number, summary?: string, messages: StoredMessage[] }} StoredBatch
 */

const MAX_UINT32 = 2 ** 32 - 1;
/** With the `u` flag, a pair is one character, so only lone ones match. */ const LONE_SURROGATE = /\p{Surrogate}/u;
/** The defaults and limits of archives, from the core. */ const archiveLimits = once(() => native.archiveLimits());

/** Converts the originals of one summary or notice at once, because applications change arrays. @param {unknown} batch @returns {StoredBatch} */
function storedBatch(batch) {
  const given = readOptions('batch', batch, OPTIONS.archiveBatch);
  const id = readId('batch.id', given.id);
  const level = readInteger('batch.level', given.level, 0, MAX_UINT32);
  const kind = readChoice('batch.kind', given.kind, archiveLimits().kinds);
  const at = readTime('batch.at', given.at);
  const summary = optional(readText, 'batch.summary', given.summary);
  const messages = readArray('batch.messages', given.messages);
  // `Array.from` visits holes too, so a missing message is not skipped silently.
  const stored = Array.from(messages, (message, index) => {
    const json = jsonOf(message, `batch.messages[${index}]`);
    return { ...roleAndText(message), json };
  });
  // JSON escapes lone surrogates, which UTF-8 can't represent.
  const summaryField = summary !== undefined && { summary: JSON.stringify(summary) };
  return { id, kind, level, at, ...summaryField, messages: stored };
}

/** What a search shows of a message: its own role, else its speaker in its dialect, and its texts. @param {any} message */
function roleAndText(message) {
  const role = safely(() => {
    const own = message?.role;
    if (typeof own === 'string') return own;
    const { role: speaker } = readContent(message);
    return speaker === 'other' ? '' : speaker;
  });
  return { role: role ?? '', text: readMessage(message).texts.join('\n') };
}

/** @param {unknown} message @param {string} name of the argument in errors @returns {string} */
function jsonOf(message, name) {
  const refused = (/** @type {string} */ actual, /** @type {unknown} */ cause) =>
    invalidArgument(`${name}: expected a message that JSON can carry, got ${actual}`, cause);
  let json;
  try {
    json = jsonText(message);
  } catch (cause) {
    throw refused('one that holds a cycle, a BigInt, a getter that throws or millions of values', cause);
  }
  if (json === undefined) throw refused(describe(message), undefined);
  return json;
}

/** Checks the id of a session or a batch. @param {string} name @param {unknown} id @returns {string} */
function readId(name, id) {
  const text = readName(name, id);
  // Two ids that differ only in a lone surrogate would be the same id in the file.
  if (LONE_SURROGATE.test(text)) throw outOfRange(name, 'a well-formed string', 'one with a lone surrogate');
  return text;
}

/** PostgreSQL can't store NUL, and UTF-8 no lone surrogates. @param {string} name @param {unknown} value @param {number} [maxUnits] */
function readPlain(name, value, maxUnits = Number.POSITIVE_INFINITY) {
  const text = readText(name, value);
  const invalid = text.includes('\0') ? 'NUL' : LONE_SURROGATE.test(text) && 'a lone surrogate';
  if (invalid) throw outOfRange(name, 'well-formed text without NUL', `text with ${invalid}`);
  if (text.length > maxUnits) throw outOfRange(name, `at most ${maxUnits} units`, `${text.length}`);
  return text;
}

/** All stores reject the same texts, so that facts can be moved from one to another. @param {unknown} facts */
const readFacts = (facts) => Array.from(readArray('facts', facts), (fact, index) => readPlain(`facts[${index}]`, fact));

module.exports = { archiveLimits, LONE_SURROGATE, MAX_UINT32, readFacts, readId, readPlain, roleAndText, storedBatch };
