// @ts-check
'use strict';

const { describe } = require('./errors.js');
const { safely } = require('./plain-data.js');

/** Upper limit of values in one text. An object reached by two paths counts twice. */ const MAX_VALUES = 1_000_000;

/** A value for a person or a model. Never throws: one invalid value must not hide the others. @param {unknown} value @returns {string} */
function printedText(value) {
  try {
    if (typeof value !== 'object' || value === null) return String(value);
    const printable = printableOf(value);
    if (typeof printable === 'string') return printable;
    const json = JSON.stringify(printable, replacer());
    // Dates and boxed strings become text without quotes.
    if (json !== undefined) return json.startsWith('"') ? JSON.parse(json) : json;
  } catch {
    // A getter threw, or the value is nested too deeply or too large.
  }
  return `(${describe(value)})`;
}

/** The message of an error or of a plain object with a `message`, else the whole value as text. @param {unknown} error @returns {string} */
const printedError = (error) => printedText(messageOf(error) || error);

/** @param {unknown} error @returns {string | undefined} */
function messageOf(error) {
  return safely(() => {
    const { message, errors, code } = /** @type {any} */ (error) ?? {};
    if (typeof message === 'string' && message !== '') return message;
    // Node.js reports an error without a message if none of a host's addresses responds.
    if (error instanceof AggregateError) return errors.map(messageOf).join('; ');
    return error instanceof Error && typeof code === 'string' ? code : undefined;
  });
}

/** A `JSON.stringify` replacer that writes the values of `printableOf`, bigints as text and cycles as `[circular]`. */
function replacer() {
  let valueCount = 0;
  /** The objects being written, outermost first. @type {{ written: unknown, original: unknown }[]} */ const path = [];
  /** The originals on the path. */ const open = new Set();
  /** @this {any} @param {string} key @param {unknown} given */
  return function (key, given) {
    valueCount += 1;
    if (valueCount > MAX_VALUES) throw new RangeError('too many values');
    // `this` is the object that holds `key`: leave the objects that are completely written.
    for (let last = path.at(-1); last !== undefined && last.written !== this; last = path.at(-1)) {
      open.delete(last.original);
      path.pop();
    }
    // `given` is the value after `toJSON`, which turns a `Buffer` into a list of bytes.
    const original = this[key];
    const printable = printableOf(original);
    const written = printable === original ? given : printable;
    if (typeof written === 'bigint') return String(written);
    if (typeof written !== 'object' || written === null) return written;
    if (open.has(original)) return '[circular]';
    open.add(original);
    path.push({ written, original });
    return written;
  };
}

/** Converts values that JSON would write as `{}` or as a list of bytes. @param {unknown} value @returns {unknown} */
function printableOf(value) {
  if (value instanceof Error) return messageOf(value) || String(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof Promise) return `(${describe(value)})`;
  return value;
}

module.exports = { printedError, printedText };
