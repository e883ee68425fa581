// @ts-check
'use strict';

const { OWN_FIELDS } = require('../messages/own-field-names.js');
const { copyWith, valuesOf, withoutFields } = require('../messages/own-fields.js');
const { beforeOf } = require('./record.js');

/** Fields that are never restored. A provider's response may be stored with any fields: restoring these could turn it into a user message. */
const NEVER_CHANGED = new Set(['role', 'type', ...OWN_FIELDS]);

/**
 * A copy without usage statistics, which a compression invalidates; the same message if it has none (R7.7).
 * @param {any} message @param {readonly string[]} names of the fields that hold them
 */
function withoutUsage(message, names) {
  try {
    const changes = withoutFields(message, names);
    return Object.keys(changes).length === 0 ? message : withChanges(message, changes);
  } catch {
    return message;
  }
}

/**
 * A copy with changed fields that remembers their original values.
 * @param {any} message @param {Record<string, unknown>} changes by field; undefined removes it
 */
function withChanges(message, changes) {
  const before = beforeOf(message);
  const fields = Object.keys(changes);
  const remembered = before?.fields ?? {};
  const originalValues = valuesOf(
    message,
    fields.filter((field) => !Object.hasOwn(remembered, field)),
  );
  const removedFields = fields.filter((field) => changes[field] === undefined);
  const newFields = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const beforeCompression = { ...before, fields: { ...remembered, ...originalValues } };
  return copyWith(message, removedFields, { ...newFields, beforeCompression });
}

/** @param {any} message @param {string} id of the summary before which it is repeated */
function pinnedCopy(message, id) {
  return copyWith(message, [], { beforeCompression: { ...rememberedFields(message), pinnedBy: id } });
}

/** A copy of a message, placed next to the summary or notice `id`; the next compression removes it. @param {any} message @param {string} id */
function carriedCopy(message, id) {
  return copyWith(message, [], { beforeCompression: { ...rememberedFields(message), pinnedBy: id, carried: true } });
}

/** The remembered fields without the summary's id. @param {any} message */
function rememberedFields(message) {
  const { pinnedBy, carried, ...known } = beforeOf(message) ?? {};
  return known;
}

/** The message without the changes of any compression. @param {any} message */
function restored(message) {
  const before = beforeOf(message);
  if (before === undefined) return message;
  const { fields } = before;
  const originalEntries = fields !== null && typeof fields === 'object' ? Object.entries(fields) : [];
  return copyWith(
    message,
    ['beforeCompression'],
    Object.fromEntries(originalEntries.filter(([field]) => !NEVER_CHANGED.has(field))),
  );
}

module.exports = { carriedCopy, pinnedCopy, restored, withChanges, withoutUsage };
