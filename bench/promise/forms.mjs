// @ts-check
/** Forms in which an application passes its stored messages, other than the same objects. */
import { ContextView } from 'palimpsest';
import { blocksIn, systemLength } from './prompts.mjs';

/** @type {import('palimpsest').ContextViewOptions} */
const RULES_OFF = { outdatedBy: 'nothing', placeholderLanguage: 'en' };
const CACHE_CONTROL = { type: 'ephemeral' };
/** Number of blocks before a breakpoint that the provider searches for a cached prefix. */
const LOOK_BACK_BLOCKS = 20;
/** Header of a PNG of 1,024 × 768 pixels, followed by some data. */
const PICTURE = Uint8Array.from([
  ...[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 4, 0, 0, 0, 3, 0, 8, 2,
    0, 0, 0,
  ],
  ...Array.from({ length: 6_000 }, (_, index) => (index * 31) % 251),
]);

/** The first user message contains a picture that is read from its file for each request. @param {readonly any[]} stored */
export function withPictureReread(stored) {
  const first = stored.findIndex(({ role, content }) => role === 'user' && typeof content === 'string');
  if (first < 0) return [...stored];
  const { content: text, ...message } = stored[first];
  const picture = { type: 'image', image: new Uint8Array(PICTURE), mediaType: 'image/png' };
  return stored.with(first, { ...message, content: [{ type: 'text', text }, picture] });
}

/** As in a process that reads its messages from a database. @param {readonly any[]} stored @returns {any[]} */
export function reread(stored) {
  return structuredClone([...stored]);
}

/**
 * Cache breakpoints that an application sets itself: at the end of the system prompt, of this request and of the
 * previous one.
 */
export class RollingBreakpoints {
  #lastEnd = -1;

  /** @param {readonly any[]} stored @param {boolean} isMain */
  put(stored, isMain) {
    const end = stored.length - 1;
    const indexes = new Set([systemLength(stored) - 1, ...(this.#lastEnd < end ? [this.#lastEnd] : []), end]);
    if (isMain) this.#lastEnd = end;
    return stored.map((message, index) => (indexes.has(index) ? withBreakpoint(message) : message));
  }
}

/** @param {any} message */
function withBreakpoint(message) {
  const { content } = message;
  if (typeof content === 'string')
    return { ...message, content: [{ type: 'text', text: content, cache_control: CACHE_CONTROL }] };
  if (!Array.isArray(content) || content.length === 0) return message;
  return { ...message, content: content.with(-1, { ...content.at(-1), cache_control: CACHE_CONTROL }) };
}

/** Indexes of messages with a cache breakpoint. @param {readonly any[]} messages @returns {number[]} */
export function breakpointsOn(messages) {
  return messages.flatMap((message, index) => (hasBreakpoint(message) ? [index] : []));
}

/** @param {any} message */
function hasBreakpoint(message) {
  const parts = Array.isArray(message.content) ? message.content : [];
  return [message, ...parts].some((part) => part?.cache_control !== undefined || part?.cacheControl !== undefined);
}

/**
 * Breakpoints for unmodified history: at the end of the system prompt, at the end of the request, and at the previous
 * end if the provider would not find it from there.
 */
export class PlainBreakpoints {
  #lastEnd = -1;

  /**
   * Indexes of the messages that get a breakpoint.
   * @param {readonly any[]} messages @param {boolean} isMain @returns {number[]}
   */
  indexesIn(messages, isMain) {
    const end = messages.length - 1;
    const last = this.#lastEnd;
    const blocks = last < end ? messages.slice(last + 1).reduce((sum, message) => sum + blocksIn(message), 0) : 0;
    if (isMain) this.#lastEnd = end;
    const indexes = [systemLength(messages) - 1, ...(blocks > LOOK_BACK_BLOCKS ? [last] : []), end];
    return [...new Set(indexes)].filter((index) => index >= 0);
  }
}

/** The stored messages, changed only where a provider would reject them: calls without a result get one. */
export class UnmodifiedHistory {
  /** Views by branch. @type {Map<number, ContextView>} */ #views = new Map();

  /** @param {number} branch @param {any[]} stored @param {number} now @returns {any[]} */
  messagesOf(branch, stored, now) {
    const view = this.#views.get(branch) ?? new ContextView(RULES_OFF);
    this.#views.set(branch, view);
    return view.project(stored, { now }).messages;
  }
}
