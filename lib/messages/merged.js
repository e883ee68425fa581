// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { copyOf } = require('./copy.js');

/**
 * A dialect's `merged` if its provider requires alternating roles.
 * @param {string} field field with the list of parts
 * @returns {NonNullable<import('./dialect.js').Dialect['merged']>}
 */
function mergedIn(field) {
  return (messages, isOurs) => {
    /** @type {any[]} */
    const merged = [];
    let hasOurs = false;
    for (const message of messages) {
      const last = merged.at(-1);
      const isOwn = isOurs(message);
      /** @type {boolean} */ const isJoined = (hasOurs || isOwn) && isSameSpeaker(last, message, field);
      if (isJoined) merged[merged.length - 1] = joined(last, message, field);
      else merged.push(message);
      hasOurs = isOwn || isJoined;
    }
    return merged;
  };
}

/** True if both have the same role and lists of parts. @param {any} before @param {any} message @param {string} field */
function isSameSpeaker(before, message, field) {
  return before?.role === message?.role && isList(before?.[field]) && isList(message?.[field]);
}

/** A copy of `before` with the parts of `message` appended. @param {any} before @param {any} message @param {string} field */
function joined(before, message, field) {
  return copyOf(before, { [field]: [...before[field], ...message[field]] });
}

module.exports = { isSameSpeaker, joined, mergedIn };
