// @ts-check
import chat from '../lib/messages/chat.js';
import rows from '../lib/messages/rows.js';

/** Counts a session's tokens by kind of message: the object that `palimpsest tokens --json` prints. */

/**
 * @typedef {'system' | 'user' | 'assistant' | 'tool calls' | 'tool results' | 'other'} Kind
 * @typedef {{ messages: number, tokens: number }} KindFigures
 *
 * @typedef {object} TokenFigures
 * @property {string} file
 * @property {number | null} contextWindow of the model, where it is known
 * @property {string} encoding the vocabulary that counted
 * @property {boolean} isExact false: estimated for the model from that vocabulary
 * @property {number} messages
 * @property {number} tokens of a request with all of them
 * @property {number} unrecognised messages of a form that isn't known, counted as JSON text
 * @property {import('../index.mjs').UnrecognisedForms} unrecognisedForms what they look like
 * @property {Readonly<Record<Kind, KindFigures>>} byKind each message with its share of the chat format, rounded up
 */

/** In the order in which they are shown. @type {readonly Kind[]} */
export const kinds = ['system', 'user', 'assistant', 'tool calls', 'tool results', 'other'];

/**
 * @param {any} message
 * @returns {Kind}
 */
function kindOf(message) {
  // In a message of another dialect only its first row counts: calls and results don't stand together.
  const [row] = rows.rowsOf([message]);
  if (row !== message && row.role !== 'other') return kindOfChat(row);
  return kindOfChat(message);
}

/** @param {any} message @returns {Kind} */
function kindOfChat(message) {
  switch (message?.role) {
    case 'system':
    case 'developer':
      return 'system';
    case 'user':
      return 'user';
    case 'assistant':
      return (chat.callsOf(message)?.length ?? 0) > 0 ? 'tool calls' : 'assistant';
    case 'tool':
      return 'tool results';
    default:
      return 'other';
  }
}

/**
 * @param {import('./session-file.mjs').Session} session
 * @param {import('../index.mjs').TokenCounter} counter
 * @returns {TokenFigures}
 */
export function countSession({ file, messages }, counter) {
  const byKind = /** @type {Record<Kind, KindFigures>} */ (
    Object.fromEntries(kinds.map((kind) => [kind, { messages: 0, tokens: 0 }]))
  );
  for (const message of messages) {
    const figures = byKind[kindOf(message)];
    figures.messages += 1;
    figures.tokens += counter.countMessage(message);
  }
  const { contextWindow, encoding, isExact } = counter;
  const tokens = counter.countMessages(messages);
  const { unrecognised, unrecognisedForms } = counter;
  const counted = { messages: messages.length, tokens, unrecognised, unrecognisedForms, byKind };
  return { file, contextWindow, encoding, isExact, ...counted };
}
