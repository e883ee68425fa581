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
 * A form in which agents keep messages: how it is read, and changed on copies. Whatever is not changed stays by
 * reference. One file each, listed here; `form.js` tells by shape which one a message has.
 *
 * @typedef {InstanceType<typeof import('./parts.js').Parts>} Parts
 * @typedef {InstanceType<typeof import('../cleanup/outcome.js').Outcome>} Outcome
 * @typedef {import('./parts.js').Call} ReadCall
 * @typedef {InstanceType<typeof import('./table.js').Table>} Table
 *
 * Where messages are no plain objects with fields of their own, what keeps ours and how a copy is made:
 * @typedef {object} Keeper
 * @property {(message: any) => any} own what has our own fields; undefined for nothing
 * @property {(message: any) => any} fields what has the message's
 * @property {(message: any) => any[]} reports what may hold reports of usage
 * @property {(message: any, names: readonly string[]) => Record<string, unknown>} without by field, what is left of it
 *   without usage of these names
 * @property {(message: any, without: readonly string[], changes: Record<string, unknown>) => any} copy without some
 *   fields, ours or the message's, and with others
 *
 * @typedef {object} Dialect
 * @property {readonly string[] | null} fields of a message that its provider takes; null where only our own go
 * @property {(message: any) => readonly string[]} [repeated] fields that say once more what others hold, and need not keep
 *   up with them, or that say nothing to a provider
 * @property {(message: any) => any} [seenBy] the message with what a provider sees of it alone, where fields hold more than that
 * @property {(message: any) => import('./parts.js').Role} [roleOf] who speaks, where no role says so
 * @property {boolean} [hasSystemInTurn] whether a system message between a call and its result parts them not
 * @property {boolean} [isInPlace] whether a result answers only calls of the turn right before it
 * @property {boolean} [hasOwnResults] whether a message of the model's has the results of its calls, too
 * @property {boolean} [isByName] whether calls without an id are answered by tool and order
 * @property {(message: any) => boolean} reads whether a message that looks like it can be read
 * @property {(message: any, parts: Parts) => void} read tells `parts` of each part
 * @property {(message: any) => number} [timeOf] where it is kept elsewhere than hosts keep it
 * @property {(table: Table, messages: readonly any[], index: number, end: number) => number} firstChanged the first of the
 *   messages from `index` to `end`, all of this dialect, that says something else than `read` has read; `end` where none does
 * @property {(message: any, texts: Map<number, string>) => any} replace a copy with other texts in these parts
 * @property {(message: any, parts: Set<number>) => any} [without] a copy without these parts; undefined when none is left
 * @property {(message: any, calls: ReadCall[]) => any} [withoutCalls] a copy without these calls, where they are no parts that go alone
 * @property {(outcome: Outcome, index: number, calls: ReadCall[], text: string) => void} answer gives calls of message
 *   `index` a result each, where the dialect wants it
 * @property {(outcome: Outcome) => void} [tidy] takes along what can't stand without what was removed
 * @property {(text: string, conversation: readonly any[], now: number) => any} [makeText] a message of the user's, where it
 *   is other than chat's
 * @property {(messages: readonly any[], isOurs: (message: any) => boolean) => any[]} [merged] the messages as its provider
 *   takes them, where it wants some that a compression put side by side to be one
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

module.exports = { DIALECTS, dialectOf };
