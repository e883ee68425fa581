// @ts-check
'use strict';

const { copyWith, ownFieldsOf } = require('../messages/own-fields.js');

/** @typedef {{ isCompressed: true, compressedAt: number, compression: import('./record.js').CompressionRecord }} Made */

/** `message`, which is ours and in nobody's array yet, marked as made by a compression. @param {any} message @param {Made} made */
function marked(message, made) {
  return copyWith(message, [], { ...made });
}

/** The record of a marked message; the caller completes it. @param {any} message */
function recordIn(message) {
  return ownFieldsOf(message).compression;
}

module.exports = { marked, recordIn };
