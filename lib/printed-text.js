// @ts-check
'use strict';

const { describe } = require('./errors.js');

/** An object that is reached twice counts twice. */
const MOST_VALUES = 1_000_000;

/**
 * What a person or a model can read. Never `[object Object]`, and never throws: one odd value must not cost the reader the others.
 * @param {unknown} value @returns {string}
 */
function printedText(value) {
  try {
    if (typeof value !== 'object' || value === null) return String(value);
    const held = readable(value);
    if (typeof held === 'string') return held;
    const json = JSON.stringify(held, replacer());
    // A date and a boxed string are text without quotes.
    if (json !== undefined) return json.startsWith('"') ? JSON.parse(json) : json;
  } catch {
    // A getter threw, or the value is nested too deeply, or has no end.
  }
  return `(${describe(value)})`;
}

/** Plain objects may have an error's `message`, too. @param {unknown} error @returns {string} */
function printedError(error) {
  return printedText(messageOf(error) || error);
}

/** @param {unknown} error @returns {string | undefined} */
function messageOf(error) {
  try {
    const { message, errors, code } = /** @type {any} */ (error) ?? {};
    if (typeof message === 'string' && message !== '') return message;
    // Node.js's error has no message when none of a host's addresses answers.
    if (error instanceof AggregateError) return errors.map(messageOf).join('; ');
    return error instanceof Error && typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Writes values that JSON would leave out or refuse. */
function replacer() {
  let values = 0;
  /** Objects that are being written, outermost first: JSON's and the original. @type {[unknown, unknown][]} */
  const path = [];
  const open = new Set();
  /** @this {any} @param {string} key @param {unknown} given */
  return function (key, given) {
    values += 1;
    if (values > MOST_VALUES) throw new RangeError('too many values');
    for (let last = path.at(-1); last !== undefined && last[0] !== this; last = path.at(-1)) {
      open.delete(last[1]);
      path.pop();
    }
    // `toJSON` would make a `Buffer` a list of its bytes.
    const own = this[key];
    const said = readable(own);
    const value = said === own ? given : said;
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (open.has(own)) return '[circular]';
    open.add(own);
    path.push([value, own]);
    return value;
  };
}

/** JSON would write these as `{}`, or as a list of bytes. @param {unknown} value @returns {unknown} */
function readable(value) {
  if (value instanceof Error) return messageOf(value) || String(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof Promise) return `(${describe(value)})`;
  return value;
}

module.exports = { printedError, printedText };
