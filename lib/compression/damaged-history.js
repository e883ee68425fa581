// @ts-check
'use strict';

const { nameErrors, wrongType } = require('../errors.js');

/** @typedef {'ERR_DAMAGED_HISTORY' | 'ERR_ARCHIVE_NEEDED' | 'ERR_FOREIGN_SESSION' | 'ERR_HISTORY_TOO_LONG'} Code */

/** A compressed history can't be restored completely; `messages` has the readable part. */
class DamagedHistoryError extends Error {
  /** @param {Code} code @param {string} reason @param {any[]} messages @param {unknown} [cause] */
  constructor(code, reason, messages, cause) {
    if (typeof reason !== 'string') throw wrongType('reason', 'a string', reason);
    super(reason, cause === undefined ? undefined : { cause });
    this.code = code;
    /** @type {any[]} */ this.messages = messages;
    // Not enumerable, so that printing the error does not print the conversation.
    Object.defineProperty(this, 'messages', { enumerable: false });
  }
}

nameErrors(DamagedHistoryError, 'DamagedHistoryError');

module.exports = { DamagedHistoryError };
