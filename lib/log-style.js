// @ts-check
'use strict';

const { optional, readChoice } = require('./arguments.js');
const { ignoreRejection } = require('./unwaited.js');

/** Calls an application's logger in the order of arguments that it takes: message first, or fields first. */

/**
 * @typedef {'debug' | 'info' | 'warn' | 'error'} Level
 * @typedef {'message-first' | 'fields-first'} LogStyle
 * @typedef {Partial<Record<Level, (...values: any[]) => void>>} Logger
 * @typedef {{ level: Level, message: string, fields: Record<string, unknown> }} Entry
 */

const STYLES = /** @type {const} */ (['message-first', 'fields-first']);

/** Among loggers with `child`, only winston's have this field; they take the message first. */
const WINSTON_FIELD = 'transports';

/** @param {unknown} given @returns {LogStyle | undefined} */
function readLogStyle(given) {
  return optional(readChoice, 'options.logStyle', given, STYLES);
}

/**
 * Pino and bunyan, recognised by `bindings` or `child`, take the fields first; nearly all others take the message first.
 * @param {unknown} logger @returns {LogStyle}
 */
function styleOf(logger) {
  try {
    const { bindings, child, [WINSTON_FIELD]: transports } = /** @type {any} */ (logger ?? {});
    const takesFields = typeof bindings === 'function' || (typeof child === 'function' && transports === undefined);
    return takesFields ? 'fields-first' : 'message-first';
  } catch {
    return 'message-first';
  }
}

/**
 * Logs an entry. A logger's own error is dropped, because it could only be reported to the same logger.
 * @param {Logger} logger @param {LogStyle} style @param {Entry} entry
 */
function logEntry(logger, style, { level, message, fields }) {
  try {
    const printable = withText(fields);
    const values = style === 'fields-first' ? [printable, message] : [message, printable];
    ignoreRejection(logger[level]?.(...values));
  } catch {
    // The application's logger failed.
  }
}

/** Adds a `toString`, because a logger that joins its arguments would print `[object Object]`. @param {Record<string, unknown>} fields */
function withText(fields) {
  const value = () => {
    try {
      return JSON.stringify(fields);
    } catch {
      // The application's own fields may be cyclic.
      return Object.keys(fields).join(' ');
    }
  };
  return Object.defineProperty({ ...fields }, 'toString', { value });
}

module.exports = { readLogStyle, styleOf, logEntry };
