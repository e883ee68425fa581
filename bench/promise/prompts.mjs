// @ts-check
/**
 * Prompts as a provider sees them: a tree whose nodes are prefixes, identified by the bytes of their messages. Each text
 * is serialised and counted once.
 */
import { TokenCounter } from 'palimpsest';

/** Fields of messages that are not part of a prompt. */
const NOT_SENT = new Set(['cache_control', 'cacheControl', 'timestamp', 'usage']);
/** A node id and a text id are combined into one key. */
const MAX_TEXT_IDS = 2 ** 26;

/** The empty prefix. */
export const ROOT = 0;

/** Shared, because a session is played many times and its messages need to be counted only once. */
const counter = new TokenCounter();
/** By text. @type {Map<string, { tokens: number, isTool: boolean }>} */
const counted = new Map();
/** Text of each message. @type {WeakMap<object, string>} */
const texts = new WeakMap();

/** The tree. */
export class Prompts {
  /** @type {WeakMap<object, number>} */ #idOfObject = new WeakMap();
  /** @type {Map<string, number>} */ #idOfText = new Map();
  /** @type {number[]} */ #tokens = [];
  /** @type {boolean[]} */ #isTool = [];
  /** By parent and text. @type {Map<number, number>} */ #children = new Map();
  /** Number of messages in each node. */
  depths = [0];

  /** The prefix that consists of `parent` and one more message. @param {number} parent @param {number} textId */
  child(parent, textId) {
    const key = parent * MAX_TEXT_IDS + textId;
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const node = this.depths.length;
    this.depths.push(/** @type {number} */ (this.depths[parent]) + 1);
    this.#children.set(key, node);
    return node;
  }

  /** Equal for messages with the same bytes. @param {any} message */
  textId(message) {
    const own = this.#idOfObject.get(message);
    if (own !== undefined) return own;
    const text = texts.get(message) ?? textOf(message);
    texts.set(message, text);
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

/**
 * A message as the cache sees it: without breakpoints and the application's notes. A single text part equals a string.
 * @param {any} message
 */
function textOf(message) {
  const { content } = message;
  const only = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  const isText =
    only?.type === 'text' && Object.keys(only).every((key) => key === 'type' || key === 'text' || NOT_SENT.has(key));
  return JSON.stringify(isText ? { ...message, content: only.text } : message, sentValue);
}

/** A replacer for `JSON.stringify`. @this {any} @param {string} key @param {unknown} value */
function sentValue(key, value) {
  if (NOT_SENT.has(key)) return undefined;
  // Read the original value, because a Buffer's `toJSON` runs before this function.
  const original = this[key];
  return ArrayBuffer.isView(original)
    ? Buffer.from(original.buffer, original.byteOffset, original.byteLength).toString('base64')
    : value;
}

/** @param {any} message */
function isToolMessage({ role, type, content }) {
  if (role === 'tool' || role === 'toolResult' || type === 'function_call_output') return true;
  return Array.isArray(content) && content.some((part) => /^tool[_-]result$/.test(part?.type));
}

/** Number of Anthropic content blocks in a message. @param {any} message @returns {number} */
export function blocksIn({ content }) {
  return Array.isArray(content) ? Math.max(1, content.length) : 1;
}

/** Number of messages at the start that form the system prompt. @param {readonly any[]} messages */
export function systemLength(messages) {
  let length = 0;
  while (messages[length]?.role === 'system') length++;
  return length;
}
