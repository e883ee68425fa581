// @ts-check
'use strict';

const { changedCopy } = require('./copy.js');
const { dialectOf } = require('./dialect.js');
const { formOf } = require('./form.js');

/**
 * Access to a message's fields and to our own. Most messages have both on themselves; a dialect's `keeper` knows other places.
 */

/** @param {any} message @returns {import('./dialect.js').Keeper | undefined} undefined if the message itself has the fields */
function keeperOf(message) {
  if (message === null || typeof message !== 'object' || typeof message.role === 'string') return undefined;
  return dialectOf(formOf(message), message)?.keeper;
}

/** The object that has our own fields. @param {any} message @returns {any} */
function ownFieldsOf(message) {
  return keeperOf(message)?.own(message) ?? message;
}

/** The objects whose fields may include a provider's usage. @param {any} message @returns {any[]} */
function reportsIn(message) {
  return keeperOf(message)?.reports(message) ?? [message];
}

/**
 * Changes that remove the fields of these names.
 * @param {any} message
 * @param {readonly string[]} names
 * @returns {Record<string, unknown>} new values, keyed by field; undefined removes the field
 */
function withoutFields(message, names) {
  const keeper = keeperOf(message);
  if (keeper !== undefined) return keeper.without(message, names);
  const present = names.filter((field) => Object.hasOwn(message, field));
  return Object.fromEntries(present.map((field) => [field, undefined]));
}

/** The values of these fields. @param {any} message @param {readonly string[]} fields */
function valuesOf(message, fields) {
  const held = keeperOf(message)?.fields(message) ?? message;
  return Object.fromEntries(fields.map((field) => [field, held[field]]));
}

/**
 * A shallow copy of `message` without the fields `without`, and with `changes`, including prototype, symbols and hidden properties.
 * @template {object} T
 * @param {T} message
 * @param {readonly string[]} without
 * @param {Record<string, unknown>} changes
 * @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function copyWith(message, without, changes) {
  const keeper = keeperOf(message);
  return keeper === undefined ? changedCopy(message, without, changes) : keeper.copy(message, without, changes);
}

module.exports = { copyWith, ownFieldsOf, reportsIn, valuesOf, withoutFields };
