// @ts-check
/** Counts a session's tokens by kind of message; `palimpsest tokens --json` prints the returned object. */
import { loadInternals } from './library.mjs';

/**
 * @typedef {import('../lib/command/recorded-list.js').Kind} Kind
 * @typedef {{ messages: number, tokens: number }} KindFigures
 *
 * @typedef {object} TokenFigures
 * @property {string} file
 * @property {number | null} contextWindow null if the model's is not known
 * @property {string} encoding name of the vocabulary
 * @property {boolean} isExact false if estimated from that vocabulary
 * @property {number} messages
 * @property {number} tokens tokens of a request with all messages
 * @property {number} unrecognised messages in an unknown form, counted as JSON text
 * @property {import('../index.mjs').UnrecognisedForms} unrecognisedForms
 * @property {Readonly<Record<Kind, KindFigures>>} byKind including each message's chat format overhead, rounded up
 */

/** In display order. @type {readonly Kind[]} */
export const kinds = ['system', 'user', 'assistant', 'tool calls', 'tool results', 'other'];

/**
 * @param {import('./session-file.mjs').Session} session @param {import('../index.mjs').TokenCounter} counter
 * @returns {TokenFigures}
 */
export function countSession({ file, messages }, counter) {
  const byKind = /** @type {Record<Kind, KindFigures>} */ (
    Object.fromEntries(kinds.map((kind) => [kind, { messages: 0, tokens: 0 }]))
  );
  const { kindOf } = loadInternals().list;
  for (const message of messages) {
    const figures = byKind[kindOf(message)];
    figures.messages += 1;
    figures.tokens += counter.countMessage(message);
  }
  const { contextWindow, encoding, isExact } = counter;
  const tokens = counter.countMessages(messages);
  // Only complete once all messages are counted.
  const { unrecognised, unrecognisedForms } = counter;
  const counts = { messages: messages.length, tokens, unrecognised, unrecognisedForms, byKind };
  return { file, contextWindow, encoding, isExact, ...counts };
}
