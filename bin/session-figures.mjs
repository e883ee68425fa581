// @ts-check
/** Counts what a session holds: messages, text as it is sent, images, timestamps. */
import { isMessage } from './session-file.mjs';

/**
 * @typedef {import('../index.mjs').MessageLike} MessageLike
 *
 * @typedef {object} TextFigures
 * @property {number} units UTF-16 units of what is sent as text
 * @property {number} estimatedTokens
 *
 * @typedef {object} ImageFigures
 * @property {number} count
 * @property {number} units of their data; no text, so never part of {@link TextFigures}
 *
 * @typedef {object} TimestampFigures
 * @property {number} count messages that have a finite numeric one
 * @property {number} notNumeric messages whose timestamp is something else
 * @property {number} resultsWithout tool results that have none
 * @property {number | null} first the earliest
 * @property {number | null} last the latest
 */

/** @typedef {{ text: (text: string) => void, image: (data: string) => void }} Visitor */

/**
 * @param {unknown} value
 * @param {string} key
 * @returns {unknown}
 */
function field(value, key) {
  return typeof value === 'object' && value !== null ? /** @type {Record<string, unknown>} */ (value)[key] : undefined;
}

/**
 * @param {unknown} value
 * @returns {readonly unknown[]}
 */
function list(value) {
  return Array.isArray(value) ? value : [];
}

/**
 * @param {unknown} part one part of a message's content, or one of its `images`
 * @param {Visitor} visitor
 */
function visitPart(part, visitor) {
  const text = field(part, 'text');
  if (typeof text === 'string') visitor.text(text);
  const imageUrl = field(part, 'image_url');
  const image =
    field(imageUrl, 'url') ?? imageUrl ?? (field(part, 'type') === 'image' ? field(part, 'data') : undefined);
  if (typeof image === 'string') visitor.image(image);
}

/**
 * @param {unknown} message
 * @param {Visitor} visitor
 */
function visitMessage(message, visitor) {
  if (!isMessage(message)) return;
  const { content } = message;
  if (typeof content === 'string') visitor.text(content);
  for (const part of list(content)) visitPart(part, visitor);
  for (const image of list(field(message, 'images'))) visitPart(image, visitor);
  const reasoning = field(message, 'reasoning_content');
  if (typeof reasoning === 'string') visitor.text(reasoning);
  for (const call of list(message.tool_calls)) {
    for (const key of ['name', 'arguments']) {
      const text = field(field(call, 'function'), key);
      if (typeof text === 'string') visitor.text(text);
    }
  }
}

/**
 * @param {readonly MessageLike[]} messages
 * @param {(text: string) => number} estimateTokens
 * @returns {{ text: TextFigures, images: ImageFigures }}
 */
export function measureContent(messages, estimateTokens) {
  const text = { units: 0, estimatedTokens: 0 };
  const images = { count: 0, units: 0 };
  /** @type {Visitor} */
  const visitor = {
    text(piece) {
      text.units += piece.length;
      text.estimatedTokens += estimateTokens(piece);
    },
    image(data) {
      images.count += 1;
      images.units += data.length;
    },
  };
  for (const message of messages) visitMessage(message, visitor);
  return { text, images };
}

/**
 * @param {readonly MessageLike[]} messages
 * @returns {TimestampFigures}
 */
export function measureTimestamps(messages) {
  const figures = { count: 0, notNumeric: 0, resultsWithout: 0 };
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const message of messages) {
    const timestamp = field(message, 'timestamp');
    if (typeof timestamp === 'number' && Number.isFinite(timestamp)) {
      figures.count += 1;
      first = Math.min(first, timestamp);
      last = Math.max(last, timestamp);
      continue;
    }
    if (timestamp !== undefined && timestamp !== null) figures.notNumeric += 1;
    if (field(message, 'role') === 'tool') figures.resultsWithout += 1;
  }
  return figures.count === 0 ? { ...figures, first: null, last: null } : { ...figures, first, last };
}

/**
 * @param {readonly MessageLike[]} messages
 * @returns {number}
 */
export function countToolResults(messages) {
  return messages.filter((message) => field(message, 'role') === 'tool').length;
}

/**
 * @typedef {{ name: string, arguments: unknown }} DeclaredCall
 */

/**
 * @param {readonly MessageLike[]} messages
 * @returns {Map<string, DeclaredCall>} by call id
 */
export function declaredCalls(messages) {
  /** @type {Map<string, DeclaredCall>} */
  const calls = new Map();
  for (const message of messages) {
    for (const call of list(field(message, 'tool_calls'))) {
      const id = field(call, 'id');
      const name = field(field(call, 'function'), 'name');
      if (typeof id === 'string' && typeof name === 'string') {
        calls.set(id, { name, arguments: field(field(call, 'function'), 'arguments') });
      }
    }
  }
  return calls;
}
