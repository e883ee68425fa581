// @ts-check
/** Finds the spans of values in JSON bytes by brackets and strings; `JSON.parse` validates the pieces. */

/** @typedef {{ start: number, end: number }} Span `end`: after the last character */
/** @typedef {Span & { key: string }} Member */

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
/** `[` `]` `{` `}`. */
export const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
export const OBJECT_END = 0x7d;

/** @param {number} offset */
const noJson = (offset) => new SyntaxError(`no JSON from character ${offset} on`);

/** @param {number | undefined} code */
const isSpace = (code) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** @param {Buffer} bytes @param {number} offset @returns {number} the first offset that is not white space */
export function afterSpace(bytes, offset) {
  let end = offset;
  while (isSpace(bytes[end])) end++;
  return end;
}

/** @param {Buffer} bytes @param {number} start start of a value @throws {SyntaxError} if it is cut off */
export function endOfValue(bytes, start) {
  const first = bytes[start];
  if (first === QUOTE) return endOfString(bytes, start);
  if (first !== OBJECT && first !== LIST) return endOfWord(bytes, start);
  let depth = 0;
  for (let offset = start; offset < bytes.length; offset++) {
    const code = bytes[offset];
    if (code === QUOTE) offset = endOfString(bytes, offset) - 1;
    else if (code === OBJECT || code === LIST) depth++;
    else if ((code === OBJECT_END || code === LIST_END) && --depth === 0) return offset + 1;
  }
  throw noJson(bytes.length);
}

/** @param {Buffer} bytes @param {number} start */
function endOfString(bytes, start) {
  for (let offset = bytes.indexOf(QUOTE, start + 1); offset >= 0; offset = bytes.indexOf(QUOTE, offset + 1)) {
    let slashes = 0;
    while (bytes[offset - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return offset + 1;
  }
  throw noJson(bytes.length);
}

/** A number, `true`, `false` or `null`. @param {Buffer} bytes @param {number} start */
function endOfWord(bytes, start) {
  let end = start;
  for (; end < bytes.length; end++) {
    const code = bytes[end];
    if (isSpace(code) || code === COMMA || code === LIST_END || code === OBJECT_END) break;
  }
  if (end === start) throw noJson(start);
  return end;
}

/** @param {Buffer} bytes @param {Span} span */
export const textOf = (bytes, { start, end }) => bytes.toString('utf8', start, end);

/**
 * Reads comma-separated entries between two brackets.
 * @template T @param {Buffer} bytes @param {number} start of the opening bracket @param {number} opening
 * @param {number} closing @param {(offset: number) => T & Span} read @returns {{ found: (T & Span)[], end: number }}
 */
function entriesBetween(bytes, start, opening, closing, read) {
  if (bytes[start] !== opening) throw noJson(start);
  /** @type {(T & Span)[]} */ const found = [];
  let offset = afterSpace(bytes, start + 1);
  if (bytes[offset] === closing) return { found, end: offset + 1 };
  for (;;) {
    const one = read(offset);
    found.push(one);
    offset = afterSpace(bytes, one.end);
    const code = bytes[offset];
    if (code === closing) return { found, end: offset + 1 };
    if (code !== COMMA) throw noJson(offset);
    offset = afterSpace(bytes, offset + 1);
  }
}

/**
 * @param {Buffer} bytes @param {number} start of an object
 * @param {(bytes: Buffer, offset: number, key: string) => number} [endOf] a value's end; may skip scanning a known one
 * @returns {{ members: Member[], end: number }} in order, with duplicate keys; a member's span is that of its value
 */
export function membersOf(bytes, start, endOf = endOfValue) {
  const { found, end } = entriesBetween(bytes, start, OBJECT, OBJECT_END, (offset) => {
    if (bytes[offset] !== QUOTE) throw noJson(offset);
    const keyEnd = endOfString(bytes, offset);
    const colon = afterSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) throw noJson(colon);
    const value = afterSpace(bytes, colon + 1);
    const key = /** @type {string} */ (JSON.parse(textOf(bytes, { start: offset, end: keyEnd })));
    return { key, start: value, end: endOf(bytes, value, key) };
  });
  return { members: found, end };
}

/** @param {Buffer} bytes @param {number} start of a list @param {readonly Span[]} [known] spans of the first items */
export function itemsOf(bytes, start, known = []) {
  let index = 0;
  const read = (/** @type {number} */ offset) => known[index++] ?? { start: offset, end: endOfValue(bytes, offset) };
  const { found, end } = entriesBetween(bytes, start, LIST, LIST_END, read);
  return { items: found, end };
}
