// @ts-check
'use strict';

const { outOfRange, quoted, wrongType } = require('../errors.js');
const aiSdk = require('./dialects/ai-sdk.js');
const anthropic = require('./dialects/anthropic.js');
const bedrock = require('./dialects/bedrock.js');
const gemini = require('./dialects/gemini.js');
const langchain = require('./dialects/langchain.js');
const { opencode } = require('./dialects/opencode.js');
const pi = require('./dialects/pi.js');
const responses = require('./dialects/openai-responses.js');
const chat = require('./dialects/openai-chat.js');
const { formOf } = require('./form.js');

/**
 * The dialects, and which of them reads a message: that of the option `dialect`, or the one detected. A form is how a message looks; a dialect is the
 * code that reads messages of a form, and changes them on copies. Several forms may share a dialect, and `other` has none.
 * @typedef {string | undefined} Forced the option `dialect`
 * @typedef {{ form: import('./form.js').Form | null, dialect: Dialect | null }} Choice `form`: null for chat
 * @typedef {InstanceType<typeof import('./parts.js').Parts>} Parts
 * @typedef {InstanceType<typeof import('../cleanup/outcome.js').Outcome>} Outcome
 * @typedef {import('./parts.js').Call} ReadCall
 * @typedef {InstanceType<typeof import('./table.js').Table>} Table
 *
 * For messages that aren't plain objects: where the fields that this package adds are, and how a copy is made.
 * @typedef {object} FieldAccess
 * @property {(message: any) => any} own the object with this package's fields, if any
 * @property {(message: any) => any} fields the object with the message's fields
 * @property {(message: any) => any[]} reports the objects that may hold reports of usage
 * @property {(message: any, names: readonly string[]) => Record<string, unknown>} changesWithoutUsage for `copy`: removes usage fields of these names
 * @property {(message: any, removed: readonly string[], changes: Record<string, unknown>) => any} copy without the fields `removed`, with `changes`
 * @typedef {object} Dialect
 * @property {readonly string[] | null} fields fields that the provider accepts; null: all except this package's
 * @property {(message: any) => readonly string[]} [redundantFields] fields that duplicate others and may be stale, or that a provider ignores
 * @property {(message: any) => any} [providerView] the message with only what a provider sees, if fields hold more
 * @property {(message: any) => import('./parts.js').Role} [roleOf] the role of a message without a `role` field; a result of Responses is `other`
 * @property {boolean} [allowsSystemInTurn] a system message may be between a call and its result
 * @property {boolean} [needsResultsInTurn] a result is valid only for calls of the turn directly before it
 * @property {boolean} [hasResultsWithCalls] an assistant message also has the results of its calls
 * @property {boolean} [matchesByName] a result without an id belongs to the tool's first call without one that has no result yet
 * @property {(message: any) => boolean} canRead true if a message of this form can be read
 * @property {(message: any, parts: Parts) => void} read adds each part to `parts`
 * @property {(message: any) => number} [timeOf] the time of a message, if it is not in the usual fields
 * @property {(table: Table, index: number, message: any) => boolean} isUnchanged true if message `index` is certainly as it was when `table` read it
 * @property {(message: any, texts: Map<number, string>) => any} replace a copy with new texts, keyed by part (−1: the message's content)
 * @property {(message: any, parts: Set<number>) => any} [without] a copy without these parts; undefined if none is left
 * @property {(message: any, calls: ReadCall[]) => any} [withoutCalls] a copy without these calls, if calls aren't separate parts
 * @property {(outcome: Outcome, index: number, calls: ReadCall[], text: string) => void} addResults adds results for these calls of a message
 * @property {(outcome: Outcome) => void} [repair] removes or joins what became invalid when other messages and parts were removed
 * @property {(text: string, conversation: readonly any[], now: number) => any} [makeText] creates a user message, if chat's form doesn't fit
 * @property {(messages: readonly any[], isGenerated: (message: any) => boolean) => any[]} [merged] joins generated messages with neighbours of their role
 * @property {FieldAccess} [fieldAccess] absent if messages are plain objects
 */

/** @type {Readonly<Partial<Record<import('./form.js').Form, Dialect>>>} */ const DIALECTS = Object.freeze({
  'ai-sdk': aiSdk,
  anthropic,
  bedrock,
  gemini,
  langchain,
  'openai-agents': responses,
  'openai-responses': responses,
  opencode,
  pi,
});

/** The dialect that can read a message of this form. @param {import('./form.js').Form | null} form @param {any} message @returns {Dialect | null} */
function dialectOf(form, message) {
  const dialect = form === null ? undefined : DIALECTS[form];
  if (dialect === undefined) return null;
  try {
    return dialect.canRead(message) ? dialect : null;
  } catch {
    return null;
  }
}

const CHAT = 'openai-chat';
const NAMES = [CHAT, ...Object.keys(DIALECTS)];
/** @type {Choice} */ const READ_AS_CHAT = Object.freeze({ form: null, dialect: null });
/** @type {Choice} */ const CHAT_WITH_PARTS = Object.freeze({ form: null, dialect: chat });

/** Reads the option `dialect`. @param {Record<string, unknown> | undefined} options @returns {Forced} */
function forcedFrom(options) {
  const dialect = options?.dialect;
  if (dialect === undefined || dialect === null) return undefined;
  if (typeof dialect !== 'string') throw wrongType('options.dialect', 'a string', dialect);
  if (!NAMES.includes(dialect)) throw outOfRange('options.dialect', `one of ${NAMES.join(', ')}`, quoted(dialect));
  return dialect;
}

/** The form of a message, null for chat, and the dialect that can read it, if any but chat. @param {any} message @param {Forced} forced */
function formFor(message, forced) {
  const detected = formOf(message);
  if (detected === null && (forced === undefined || forced === CHAT)) return READ_AS_CHAT;
  if (forced === undefined) return { form: detected, dialect: dialectOf(detected, message) };
  const isObject = message !== null && typeof message === 'object';
  if (forced === CHAT) return { form: isObject ? null : detected, dialect: null };
  const form = /** @type {import('./form.js').Form} */ (forced);
  const dialect = isObject ? dialectOf(form, message) : null;
  return dialect === null ? { form: detected, dialect } : { form, dialect };
}

/**
 * Like {@link formFor}, but the chat dialect also reads a chat result whose content is a list of parts, because rules need a text.
 * @param {any} message @param {Forced} forced @returns {Choice}
 */
function rowFormFor(message, forced) {
  const choice = formFor(message, forced);
  if (choice.form !== null) return choice;
  try {
    return message !== null && typeof message === 'object' && chat.canRead(message) ? CHAT_WITH_PARTS : choice;
  } catch {
    return choice;
  }
}

/** The dialect of a message; null for chat or if none can read it. @param {any} message @param {Forced} [forced] */
const dialectFor = (message, forced) => formFor(message, forced).dialect;
/** The dialect of a message; chat if no other can read it. @param {any} message @param {Forced} [forced] */
const dialectOrChat = (message, forced) => dialectFor(message, forced) ?? chat;

module.exports = { DIALECTS, dialectFor, dialectOf, dialectOrChat, forcedFrom, formFor, rowFormFor };
