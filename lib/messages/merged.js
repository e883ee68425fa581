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
      const isSameSide = merged.length > 0 && isSameSpeaker(last, message, field);
      const isOwn = isOurs(message);
      if (!isSameSide || !(hasOurs || isOwn)) {
        merged.push(message);
        hasOurs = isOwn;
        continue;
      }
      merged[merged.length - 1] = joined(last, message, field);
      hasOurs = true;
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
