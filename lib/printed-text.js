// @ts-check
'use strict';

const { describe } = require('./errors.js');

/** The most values that are written out; an object that is reached twice counts twice. */
const MOST_VALUES = 1_000_000;

/**
 * `value` as a person or a model can read it: text as it is, an error's message, anything else as JSON. Never
 * `[object Object]`, and never throws: one odd value must not cost the reader the others.
 * @param {unknown} value
 * @returns {string}
 */
function printedText(value) {
  try {
    if (typeof value !== 'object' || value === null) return String(value);
    const held = readable(value);
    if (typeof held === 'string') return held;
    const json = JSON.stringify(held, replacer());
    // A date and a boxed string are text, and quotes would not be theirs.
    if (json !== undefined) return json.startsWith('"') ? JSON.parse(json) : json;
  } catch {
    // A getter throws, or it is nested too deeply, or has no end.
  }
  return `(${describe(value)})`;
}

/** An error's `message`, of plain objects too. @param {unknown} error @returns {string} */
function printedError(error) {
  return printedText(messageOf(error) || error);
}

/** @param {unknown} error @returns {string | undefined} */
function messageOf(error) {
  try {
    const { message, errors, code } = /** @type {any} */ (error) ?? {};
    if (typeof message === 'string' && message !== '') return message;
    // What Node.js throws where no address of a host answers has no message of its own.
    if (error instanceof AggregateError) return errors.map(messageOf).join('; ');
    return error instanceof Error && typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Writes what JSON would leave out or refuse. */
function replacer() {
  let values = 0;
  /** The objects that are being written, outermost first: as JSON walks them, and their originals. @type {[unknown, unknown][]} */
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
    // Before `toJSON`: a `Buffer` would be a list of its bytes.
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

/** Gives words to values that JSON writes as `{}` or as a list of bytes. @param {unknown} value @returns {unknown} */
function readable(value) {
  if (value instanceof Error) return messageOf(value) || String(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof Promise) return `(${describe(value)})`;
  return value;
}

module.exports = { printedError, printedText };
