// @ts-check
'use strict';

const aiSdk = require('./dialects/ai-sdk.js');
const anthropic = require('./dialects/anthropic.js');
const gemini = require('./dialects/gemini.js');
const langchain = require('./dialects/langchain.js');
const pi = require('./dialects/pi.js');
const responses = require('./dialects/openai-responses.js');
const { formOf } = require('./form.js');

/**
 * A form in which agents keep messages: how it is read, and changed on copies. Whatever is not changed stays by
 * reference. One file each, listed here; `form.js` tells by shape which one a message has.
 *
 * @typedef {InstanceType<typeof import('./reader.js').Reader>} Reader
 * @typedef {InstanceType<typeof import('../cleanup/outcome.js').Outcome>} Outcome
 * @typedef {InstanceType<typeof import('../tokens/message.js').Found>} Found
 * @typedef {import('./row.js').ReadCall} ReadCall
 *
 * @typedef {object} Dialect
 * @property {readonly string[] | null} fields of a message that its provider takes; null where only our own go
 * @property {(message: any) => boolean} reads whether a message that looks like it can be read
 * @property {(message: any, reader: Reader) => void} read tells `reader` of calls and results
 * @property {(message: any) => number} [timeOf] where it is kept elsewhere than hosts keep it
 * @property {(message: any, rows: readonly any[], at: number, end: number) => boolean} [isAsRead] whether the message, which
 *   has the role and type that it had, still says what `read` made the rows from `at` to `end` of; without it a
 *   conversation is read anew at each request
 * @property {(message: any, texts: Map<number, string>) => any} replace a copy with other texts in these parts
 * @property {(message: any, parts: Set<number>) => any} without a copy without these parts; undefined when none is left
 * @property {(outcome: Outcome, index: number, calls: ReadCall[], text: string) => void} answer gives calls of message
 *   `index` a result each, where the dialect wants it
 * @property {(outcome: Outcome) => void} [tidy] takes along what can't stand without what was removed
 * @property {(message: any, found: Found) => void} count tells `found` of all that is sent
 */

/** @type {Readonly<Partial<Record<import('./form.js').Form, Dialect>>>} */
const DIALECTS = Object.freeze({
  'ai-sdk': aiSdk,
  anthropic,
  gemini,
  langchain,
  'openai-agents': responses,
  'openai-responses': responses,
  pi,
});

/**
 * The dialect in which a message can be read that is not chat's.
 * @param {import('./form.js').Form | null} form as `formOf` tells it
 * @param {any} message
 * @returns {Dialect | null}
 */
function dialectOf(form, message) {
  const dialect = form === null ? undefined : DIALECTS[form];
  if (dialect === undefined) return null;
  try {
    return dialect.reads(message) ? dialect : null;
  } catch {
    return null;
  }
}

/** What a message looks like that nobody here can read. @param {any} message */
function unknownFormOf(message) {
  const form = formOf(message);
  return dialectOf(form, message) === null ? form : null;
}

module.exports = { dialectOf, unknownFormOf };
