// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { copyOf } = require('./copy.js');

/**
 * A dialect's `merged` if its provider requires alternating roles: joins two adjacent messages of one role if a compression made one of them.
 * @param {string} field field with the list of parts
 * @returns {NonNullable<import('./dialect.js').Dialect['merged']>}
 */
function mergedIn(field) {
  return (messages, isGenerated) => {
    /** @type {any[]} */
    const merged = [];
    let isLastNew = false;
    for (const message of messages) {
      const last = merged.at(-1);
      const isNew = isGenerated(message);
      /** @type {boolean} */ const isJoined = (isLastNew || isNew) && isSameSpeaker(last, message, field);
      if (isJoined) merged[merged.length - 1] = joined(last, message, field);
      else merged.push(message);
      isLastNew = isNew || isJoined;
    }
    return merged;
  };
}

/** True if both have the same role and lists of parts. @param {any} previous @param {any} message @param {string} field */
function isSameSpeaker(previous, message, field) {
  return previous?.role === message?.role && isList(previous?.[field]) && isList(message?.[field]);
}

/** A copy of `previous` with the parts of `message` appended. @param {any} previous @param {any} message @param {string} field */
function joined(previous, message, field) {
  return copyOf(previous, { [field]: [...previous[field], ...message[field]] });
}

module.exports = { isSameSpeaker, joined, mergedIn };
