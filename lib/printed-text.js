// @ts-check
'use strict';

const { describe } = require('./errors.js');

/** An object reached by two paths counts twice. */
const MAX_VALUES = 1_000_000;

/**
 * Formats a value for a person or a model. Never `[object Object]`, and never throws: one invalid value must not hide the others.
 * @param {unknown} value @returns {string}
 */
function printedText(value) {
  try {
    if (typeof value !== 'object' || value === null) return String(value);
    const held = readable(value);
    if (typeof held === 'string') return held;
    const json = JSON.stringify(held, replacer());
    // Dates and boxed strings become text without quotes.
    if (json !== undefined) return json.startsWith('"') ? JSON.parse(json) : json;
  } catch {
    // A getter threw, or the value is nested too deeply or too large.
  }
  return `(${describe(value)})`;
}

/** The message of an error or of a plain object with a `message`, else the whole value as text. @param {unknown} error @returns {string} */
function printedError(error) {
  return printedText(messageOf(error) || error);
}

/** @param {unknown} error @returns {string | undefined} */
function messageOf(error) {
  try {
    const { message, errors, code } = /** @type {any} */ (error) ?? {};
    if (typeof message === 'string' && message !== '') return message;
    // Node.js reports an error without a message if none of a host's addresses responds.
    if (error instanceof AggregateError) return errors.map(messageOf).join('; ');
    return error instanceof Error && typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}

/** A `JSON.stringify` replacer for values that JSON omits or rejects. */
function replacer() {
  let values = 0;
  /** The objects being written, outermost first: JSON's value and the original. @type {[unknown, unknown][]} */
  const path = [];
  const open = new Set();
  /** @this {any} @param {string} key @param {unknown} given */
  return function (key, given) {
    values += 1;
    if (values > MAX_VALUES) throw new RangeError('too many values');
    for (let last = path.at(-1); last !== undefined && last[0] !== this; last = path.at(-1)) {
      open.delete(last[1]);
      path.pop();
    }
    // Read the original value, because `toJSON` would turn a `Buffer` into a list of bytes.
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

/** Converts values that JSON would write as `{}` or as a list of bytes. @param {unknown} value @returns {unknown} */
function readable(value) {
  if (value instanceof Error) return messageOf(value) || String(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof Promise) return `(${describe(value)})`;
  return value;
}

module.exports = { printedError, printedText };
