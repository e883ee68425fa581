// @ts-check
/** Finds where values begin and end in JSON text. Only brackets and strings are looked at: `JSON.parse` checks the pieces. */

/** @typedef {{ start: number, end: number }} Span `end`: after the last character */
/** @typedef {Span & { key: string }} Member */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
/** A number, `true`, `false` or `null` ends before one of these. */
const AFTER_WORD = /[\s,\]}]/g;

/** @param {number} at */
const unexpected = (at) => new SyntaxError(`no JSON from character ${at} on`);

/** @param {string} text @param {number} at @returns {number} the first place that is not white space */
export function afterSpace(text, at) {
  for (let place = at; ; place++) {
    const code = text.charCodeAt(place);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return place;
  }
}

/** @param {string} text @param {number} start of a value @returns {number} @throws {SyntaxError} if it is cut off */
export function endOfValue(text, start) {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  if (first !== OBJECT && first !== LIST) return endOfWord(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === OBJECT || code === LIST) depth++;
    else if ((code === OBJECT_END || code === LIST_END) && --depth === 0) return at + 1;
  }
  throw unexpected(text.length);
}

/** @param {string} text @param {number} start */
function endOfString(text, start) {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  throw unexpected(text.length);
}

/** @param {string} text @param {number} start */
function endOfWord(text, start) {
  AFTER_WORD.lastIndex = start;
  const end = AFTER_WORD.exec(text)?.index ?? text.length;
  if (end === start) throw unexpected(start);
  return end;
}

/**
 * Reads what stands between two brackets, with commas between.
 * @template T
 * @param {string} text @param {number} start of the opening bracket @param {number} opening @param {number} closing
 * @param {(at: number) => T & Span} read
 * @returns {{ found: (T & Span)[], end: number }}
 */
function between(text, start, opening, closing, read) {
  if (text.charCodeAt(start) !== opening) throw unexpected(start);
  /** @type {(T & Span)[]} */ const found = [];
  let at = afterSpace(text, start + 1);
  if (text.charCodeAt(at) === closing) return { found, end: at + 1 };
  for (;;) {
    const one = read(at);
    found.push(one);
    at = afterSpace(text, one.end);
    const code = text.charCodeAt(at);
    if (code === closing) return { found, end: at + 1 };
    if (code !== COMMA) throw unexpected(at);
    at = afterSpace(text, at + 1);
  }
}

/**
 * @param {string} text @param {number} start of an object
 * @returns {{ members: Member[], end: number }} in order, keys that come twice included; a member's span is that of its value
 */
export function membersOf(text, start) {
  const { found, end } = between(text, start, OBJECT, OBJECT_END, (at) => {
    if (text.charCodeAt(at) !== QUOTE) throw unexpected(at);
    const keyEnd = endOfString(text, at);
    const colon = afterSpace(text, keyEnd);
    if (text.charCodeAt(colon) !== COLON) throw unexpected(colon);
    const value = afterSpace(text, colon + 1);
    return {
      key: /** @type {string} */ (JSON.parse(text.slice(at, keyEnd))),
      start: value,
      end: endOfValue(text, value),
    };
  });
  return { members: found, end };
}

/**
 * @param {string} text @param {number} start of a list
 * @param {(text: string, at: number, index: number) => number} [endOf] ends an item that is known already
 * @returns {{ items: Span[], end: number }}
 */
export function itemsOf(text, start, endOf = endOfValue) {
  let index = 0;
  const { found, end } = between(text, start, LIST, LIST_END, (at) => ({ start: at, end: endOf(text, at, index++) }));
  return { items: found, end };
}
