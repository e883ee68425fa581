// @ts-check
'use strict';

const { optional, readChoice } = require('./arguments.js');
const { ignoreRejection } = require('./unwaited.js');

/**
 * @typedef {'debug' | 'info' | 'warn' | 'error'} Level
 * @typedef {'message-first' | 'fields-first'} LogStyle
 * @typedef {Partial<Record<Level, (...values: any[]) => void>>} Logger
 * @typedef {{ level: Level, message: string, fields: Record<string, unknown> }} Entry
 */

const STYLES = /** @type {const} */ (['message-first', 'fields-first']);

/** Only winston's loggers have this field beside `child`; they take the message first. */
const WINSTON = 'transports';

/** @param {unknown} given @returns {LogStyle | undefined} */
function readLogStyle(given) {
  return optional(readChoice, 'options.logStyle', given, STYLES);
}

/** Pino and bunyan take the fields first, and make children; nearly all others take the message first. @param {unknown} logger @returns {LogStyle} */
function styleOf(logger) {
  try {
    const { bindings, child, [WINSTON]: transports } = /** @type {any} */ (logger ?? {});
    const isStructured = typeof bindings === 'function' || (typeof child === 'function' && transports === undefined);
    return isStructured ? 'fields-first' : 'message-first';
  } catch {
    return 'message-first';
  }
}

/** A logger's error is lost: it could be reported only to that logger. @param {Logger} logger @param {LogStyle} style @param {Entry} entry */
function tell(logger, style, { level, message, fields }) {
  try {
    const printable = withText(fields);
    ignoreRejection(
      style === 'fields-first' ? logger[level]?.(printable, message) : logger[level]?.(message, printable),
    );
  } catch {
    // The host's own logger failed.
  }
}

/** A logger that joins its arguments would print `[object Object]`. @param {Record<string, unknown>} fields */
function withText(fields) {
  const value = () => {
    try {
      return JSON.stringify(fields);
    } catch {
      // A host's own fields may be cyclic.
      return Object.keys(fields).join(' ');
    }
  };
  return Object.defineProperty({ ...fields }, 'toString', { value });
}

module.exports = { readLogStyle, styleOf, tell };
