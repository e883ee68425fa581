// @ts-check
'use strict';

const aiSdk = require('./dialects/ai-sdk.js');
const anthropic = require('./dialects/anthropic.js');
const bedrock = require('./dialects/bedrock.js');
const gemini = require('./dialects/gemini.js');
const langchain = require('./dialects/langchain.js');
const opencode = require('./dialects/opencode.js');
const pi = require('./dialects/pi.js');
const responses = require('./dialects/openai-responses.js');

/**
 * A form in which agents keep messages: how it is read, and changed on copies. What isn't changed stays the same object. One file each, listed
 * here; `form.js` detects the form of a message.
 *
 * @typedef {InstanceType<typeof import('./parts.js').Parts>} Parts
 * @typedef {InstanceType<typeof import('../cleanup/outcome.js').Outcome>} Outcome
 * @typedef {import('./parts.js').Call} ReadCall
 * @typedef {InstanceType<typeof import('./table.js').Table>} Table
 *
 * For messages that aren't plain objects: where our own fields are, and how a copy is made.
 * @typedef {object} Keeper
 * @property {(message: any) => any} own the object with our own fields, if any
 * @property {(message: any) => any} fields the object with the message's fields
 * @property {(message: any) => any[]} reports the objects that may hold reports of usage
 * @property {(message: any, names: readonly string[]) => Record<string, unknown>} without the values, keyed by field, that remain after usage of
 *   these names is removed
 * @property {(message: any, without: readonly string[], changes: Record<string, unknown>) => any} copy a copy without some fields, ours or the
 *   message's, and with others
 *
 * @typedef {object} Dialect
 * @property {readonly string[] | null} fields fields that the provider accepts; null: all except our own
 * @property {(message: any) => readonly string[]} [repeated] fields that duplicate others and may be stale, or that a provider ignores
 * @property {(message: any) => any} [providerView] the message with only what a provider sees, if fields hold more
 * @property {(message: any) => import('./parts.js').Role} [roleOf] the role of a message without a `role` field
 * @property {boolean} [hasSystemInTurn] a system message may be between a call and its result
 * @property {boolean} [isInPlace] a result is valid only for calls of the turn directly before it
 * @property {boolean} [hasOwnResults] an assistant message also has the results of its calls
 * @property {boolean} [isByName] results match calls without an id by tool and order
 * @property {(message: any) => boolean} reads true if a message of this form can be read
 * @property {(message: any, parts: Parts) => void} read adds each part to `parts`
 * @property {(message: any) => number} [timeOf] the time of a message, if it is not in the usual fields
 * @property {(table: Table, messages: readonly any[], index: number, end: number) => number} firstChanged index of the first
 *   message from `index` to `end` that changed since `read`; `end` if none did. All are of this dialect
 * @property {(message: any, texts: Map<number, string>) => any} replace a copy with new texts in these parts
 * @property {(message: any, parts: Set<number>) => any} [without] a copy without these parts; undefined if none is left
 * @property {(message: any, calls: ReadCall[]) => any} [withoutCalls] a copy without these calls, if calls aren't separate parts
 * @property {(outcome: Outcome, index: number, calls: ReadCall[], text: string) => void} answer adds a result with `text` for each of these calls of
 *   message `index`, in the place that the dialect requires
 * @property {(outcome: Outcome) => void} [tidy] removes what is invalid without the messages and parts that were removed
 * @property {(text: string, conversation: readonly any[], now: number) => any} [makeText] creates a user message, if chat's form doesn't fit
 * @property {(messages: readonly any[], isOurs: (message: any) => boolean) => any[]} [merged] joins messages that a compression made adjacent, if the
 *   provider requires it
 * @property {Keeper} [keeper]
 */

/** @type {Readonly<Partial<Record<import('./form.js').Form, Dialect>>>} */
const DIALECTS = Object.freeze({
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

/**
 * The dialect that can read a message that isn't chat's.
 * @param {import('./form.js').Form | null} form as returned by `formOf`
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

module.exports = { DIALECTS, dialectOf };
