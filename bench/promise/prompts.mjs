// @ts-check
/**
 * Prompts as a provider sees them: a tree whose nodes are prefixes, told apart by the bytes of their messages. Each text is written out
 * and counted once.
 */
import { TokenCounter } from 'palimpsest';

/** What stands on messages and is no part of a prompt. */
const NOT_SENT = new Set(['cache_control', 'cacheControl', 'timestamp', 'usage']);
/** Node ids and text ids make one key. */
const MOST_TEXTS = 2 ** 26;

export const ROOT = 0;

/** A session is played many times: what its messages say is written out and counted once. */
const counter = new TokenCounter();
/** @type {Map<string, { tokens: number, isTool: boolean }>} */
const counted = new Map();
/** @type {WeakMap<object, string>} */
const written = new WeakMap();

export class Prompts {
  /** @type {WeakMap<object, number>} */ #idOfObject = new WeakMap();
  /** @type {Map<string, number>} */ #idOfText = new Map();
  /** @type {number[]} */ #tokens = [];
  /** @type {boolean[]} */ #isTool = [];
  /** @type {Map<number, number>} */ #children = new Map();
  /** Of each node, how many messages it holds. */
  depths = [0];

  /** The prefix that a message makes of another one. @param {number} parent @param {number} textId */
  child(parent, textId) {
    const key = parent * MOST_TEXTS + textId;
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const node = this.depths.length;
    this.depths.push(/** @type {number} */ (this.depths[parent]) + 1);
    this.#children.set(key, node);
    return node;
  }

  /** @param {any} message */
  textId(message) {
    const own = this.#idOfObject.get(message);
    if (own !== undefined) return own;
    const text = written.get(message) ?? textOf(message);
    written.set(message, text);
    let id = this.#idOfText.get(text);
    if (id === undefined) {
      id = this.#idOfText.size;
      this.#idOfText.set(text, id);
      const known = counted.get(text) ?? { tokens: counter.countMessage(message), isTool: isToolMessage(message) };
      counted.set(text, known);
      this.#tokens.push(known.tokens);
      this.#isTool.push(known.isTool);
    }
    this.#idOfObject.set(message, id);
    return id;
  }

  /** @param {number} textId */
  tokensOf(textId) {
    return /** @type {number} */ (this.#tokens[textId]);
  }

  /** @param {number} textId */
  isTool(textId) {
    return this.#isTool[textId] === true;
  }
}

/** A message as it counts to a cache: without marks and what hosts note on it; one text part is the string. @param {any} message */
function textOf(message) {
  const { content } = message;
  const only = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  const isText =
    only?.type === 'text' && Object.keys(only).every((key) => key === 'type' || key === 'text' || NOT_SENT.has(key));
  return JSON.stringify(isText ? { ...message, content: only.text } : message, sent);
}

/** @this {any} @param {string} key @param {unknown} value */
function sent(key, value) {
  if (NOT_SENT.has(key)) return undefined;
  // A Buffer would write itself out before this is called.
  const held = this[key];
  return ArrayBuffer.isView(held)
    ? Buffer.from(held.buffer, held.byteOffset, held.byteLength).toString('base64')
    : value;
}

/** @param {any} message */
function isToolMessage({ role, type, content }) {
  if (role === 'tool' || role === 'toolResult' || type === 'function_call_output') return true;
  return Array.isArray(content) && content.some((part) => /^tool[_-]result$/.test(part?.type));
}

/** How many blocks a message is to Anthropic. @param {any} message @returns {number} */
export function blocksIn({ content }) {
  return Array.isArray(content) ? Math.max(1, content.length) : 1;
}

/** How many messages at the start are the system prompt. @param {readonly any[]} messages */
export function systemLength(messages) {
  let length = 0;
  while (messages[length]?.role === 'system') length++;
  return length;
}
