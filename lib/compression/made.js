// @ts-check
'use strict';

const { copyWith, ownFieldsOf } = require('../messages/own-fields.js');

/** @typedef {{ isCompressed: true, compressedAt: number, compression: import('./record.js').CompressionRecord }} Made */

/** `message`, which is ours and in nobody's array yet, marked as made by a compression. @param {any} message @param {Made} made */
function marked(message, made) {
  return copyWith(message, [], { ...made });
}

/**
 * The same, where it lies in an array that is being put together.
 * @param {any} message
 * @param {Made} made
 */
function mark(message, made) {
  Object.assign(ownFieldsOf(message), made);
}

/** The record itself, still to be completed. @param {any} message that was marked */
function recordIn(message) {
  return ownFieldsOf(message).compression;
}

module.exports = { mark, marked, recordIn };
