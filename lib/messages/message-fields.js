// @ts-check
'use strict';

const { isObject } = require('../plain-data.js');
const { dialectFor } = require('./choice.js');
const { changedCopy } = require('./copy.js');

/** Reads and changes a message's role and fields, and the fields that this package adds (`OWN_FIELDS`), wherever its dialect has them. */

/** The field `role` as it is (`model`), else the dialect's `roleOf`; undefined if it can't be read. `partsOf` has normalised roles. @param {any} message @returns {string | undefined} */
function roleOf(message) {
  try {
    if (!isObject(message)) return undefined;
    const { role } = message;
    return typeof role === 'string' ? role : dialectFor(message)?.roleOf?.(message);
  } catch {
    return undefined;
  }
}

const ASSISTANT_ROLES = new Set(['assistant', 'model']);
const SYSTEM_ROLES = new Set(['system', 'developer']);
/** True for an assistant message, or an item of an assistant response. @param {any} message */
const isAssistant = (message) => ASSISTANT_ROLES.has(roleOf(message) ?? '');
const isSystem = (/** @type {any} */ message) => SYSTEM_ROLES.has(roleOf(message) ?? '');
const isUser = (/** @type {any} */ message) => roleOf(message) === 'user';

/** @param {any} message @returns {import('./choice.js').FieldAccess | undefined} undefined if the message itself has the fields */
const fieldAccessOf = (message) =>
  isObject(message) && typeof message.role !== 'string' ? dialectFor(message)?.fieldAccess : undefined;

/** The object that has the fields that this package adds. @param {any} message @returns {any} */
const ownFieldsOf = (message) => fieldAccessOf(message)?.own(message) ?? message;
/** The objects whose fields may include a provider's usage. @param {any} message @returns {any[]} */
const reportsIn = (message) => fieldAccessOf(message)?.reports(message) ?? [message];

/** Changes that remove these fields. @param {any} message @param {readonly string[]} names @returns {Record<string, unknown>} undefined: removes a field */
function withoutFields(message, names) {
  const access = fieldAccessOf(message);
  if (access !== undefined) return access.changesWithoutUsage(message, names);
  const present = names.filter((field) => Object.hasOwn(message, field));
  return Object.fromEntries(present.map((field) => [field, undefined]));
}

/** The values of these fields. @param {any} message @param {readonly string[]} fields */
function valuesOf(message, fields) {
  const holder = fieldAccessOf(message)?.fields(message) ?? message;
  return Object.fromEntries(fields.map((field) => [field, holder[field]]));
}

/**
 * `changedCopy` for a message of any dialect. Throws what a proxy or an accessor throws.
 * @template {object} T @param {T} message @param {readonly string[]} removed @param {Record<string, unknown>} changes @returns {T}
 */
function copyWith(message, removed, changes) {
  const access = fieldAccessOf(message);
  return access === undefined ? changedCopy(message, removed, changes) : access.copy(message, removed, changes);
}

module.exports = { copyWith, isAssistant, isSystem, isUser, ownFieldsOf, reportsIn, roleOf, valuesOf, withoutFields };
