// @ts-check
'use strict';

/**
 * Where clients put what the provider said: `cause` chains, axios' `response.data`, the OpenAI and Anthropic
 * SDKs' `error`, the AI SDK's `responseBody` and `lastError`. Headers are left out: `x-ratelimit-…` is on every answer.
 */
const PLACES = [
  'message',
  'cause',
  'error',
  'errors',
  'lastError',
  'response',
  'data',
  'body',
  'responseBody',
  'detail',
  'details',
];

/** Places that hold an answer's body: all of it may matter, numbers beside the message too. */
const BODIES = new Set(['error', 'data', 'body', 'responseBody', 'detail', 'details']);

/** Enough for every client's nesting; an error can drag a whole application along. */
const MOST_OBJECTS = 64;

/** Longer bodies are pages, not errors. */
const LONGEST_BODY = 65_536;

/**
 * The strings in which a provider's sentence may stand, outermost first.
 *
 * @param {unknown} error a string, an error or a response body
 * @returns {string[]}
 */
function textsOfError(error) {
  /** @type {string[]} */
  const texts = [];
  const seen = new Set();
  /** @type {{ value: unknown, isBody: boolean }[]} */
  const open = [{ value: error, isBody: !(error instanceof Error) }];
  for (let next = open.shift(); next !== undefined && seen.size < MOST_OBJECTS; next = open.shift()) {
    const { value, isBody } = next;
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) {
      texts.push(decoded(value));
      continue;
    }
    if (isBody && !(value instanceof Error) && read(value, 'headers') === undefined) texts.push(written(value));
    if (Array.isArray(value)) open.push(...value.slice(0, MOST_OBJECTS).map((inner) => ({ value: inner, isBody })));
    for (const place of PLACES) open.push({ value: read(value, place), isBody: BODIES.has(place) });
  }
  return texts.filter((text) => text !== '');
}

/** @param {ArrayBufferView} bytes */
function decoded({ buffer, byteOffset, byteLength }) {
  return byteLength > LONGEST_BODY ? '' : new TextDecoder().decode(new Uint8Array(buffer, byteOffset, byteLength));
}

/** @param {object} body */
function written(body) {
  try {
    if (!isShort(body)) return '';
    const text = JSON.stringify(body);
    return text !== undefined && text.length <= LONGEST_BODY ? text : '';
  } catch {
    // A getter throws, or a bigint: not an answer's body.
    return '';
  }
}

/**
 * Whether `body` can be {@link LONGEST_BODY} units as JSON at most. Told before it is written: what is shared is written
 * each time it is met, and thirty levels of it take longer than anybody waits.
 * @param {object} body
 */
function isShort(body) {
  let units = 0;
  /** @type {unknown[]} */
  const open = [body];
  while (open.length > 0) {
    const value = open.pop();
    units += typeof value === 'string' ? value.length : 1;
    if (Array.isArray(value)) units += value.length;
    if (ArrayBuffer.isView(value)) units += value.byteLength;
    if (units > LONGEST_BODY) return false;
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) open.push(inner);
  }
  return true;
}

/**
 * @param {object} object
 * @param {string} place
 */
function read(object, place) {
  try {
    return /** @type {Record<string, unknown>} */ (object)[place];
  } catch {
    return undefined;
  }
}

module.exports = { textsOfError };
