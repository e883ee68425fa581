// @ts-check
'use strict';

const { changedCopy } = require('./copy.js');
const { dialectOf } = require('./dialect.js');
const { formOf } = require('./form.js');

/**
 * Reads and copies a message with its own fields and those that this package adds. Most messages have both on themselves; a dialect's `fieldAccess`
 * knows other places.
 */

/** @param {any} message @returns {import('./dialect.js').FieldAccess | undefined} undefined if the message itself has the fields */
function fieldAccessOf(message) {
  if (message === null || typeof message !== 'object' || typeof message.role === 'string') return undefined;
  return dialectOf(formOf(message), message)?.fieldAccess;
}

/** The object that has the fields that this package adds. @param {any} message @returns {any} */
function ownFieldsOf(message) {
  return fieldAccessOf(message)?.own(message) ?? message;
}

/** The objects whose fields may include a provider's usage. @param {any} message @returns {any[]} */
function reportsIn(message) {
  return fieldAccessOf(message)?.reports(message) ?? [message];
}

/**
 * Changes that remove the fields of these names.
 * @param {any} message
 * @param {readonly string[]} names
 * @returns {Record<string, unknown>} new values, keyed by field; undefined removes the field
 */
function withoutFields(message, names) {
  const access = fieldAccessOf(message);
  if (access !== undefined) return access.without(message, names);
  const present = names.filter((field) => Object.hasOwn(message, field));
  return Object.fromEntries(present.map((field) => [field, undefined]));
}

/** The values of these fields. @param {any} message @param {readonly string[]} fields */
function valuesOf(message, fields) {
  const holder = fieldAccessOf(message)?.fields(message) ?? message;
  return Object.fromEntries(fields.map((field) => [field, holder[field]]));
}

/**
 * A shallow copy of `message` without the fields `removed`, and with `changes`, including prototype, symbols and hidden properties.
 * @template {object} T
 * @param {T} message
 * @param {readonly string[]} removed
 * @param {Record<string, unknown>} changes
 * @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function copyWith(message, removed, changes) {
  const access = fieldAccessOf(message);
  return access === undefined ? changedCopy(message, removed, changes) : access.copy(message, removed, changes);
}

module.exports = { copyWith, ownFieldsOf, reportsIn, valuesOf, withoutFields };
