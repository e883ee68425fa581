// @ts-check
'use strict';

/** Copies of messages that a compression changes. Each copy remembers in `beforeCompression` what it takes to restore the original. */

const { OWN_FIELDS } = require('../messages/copy.js');
const { copyWith, valuesOf, withoutFields } = require('../messages/message-fields.js');
const { beforeCompressionOf } = require('./record.js');

/** Fields that are never restored. A provider's response may be stored with any fields: restoring these could turn it into a user message. */
const NEVER_CHANGED = new Set(['role', 'type', ...OWN_FIELDS]);

/** A compression invalidates usage (R7.7). @param {any} message @param {readonly string[]} names of its fields */
function withoutUsage(message, names) {
  try {
    const changes = withoutFields(message, names);
    return Object.keys(changes).length === 0 ? message : withChanges(message, changes);
  } catch {
    return message;
  }
}

/** @param {any} message @param {Record<string, unknown>} changes by field; undefined removes it */
function withChanges(message, changes) {
  const earlier = beforeCompressionOf(message);
  const fields = Object.keys(changes);
  const remembered = earlier?.fields ?? {};
  const newlyChanged = fields.filter((field) => !Object.hasOwn(remembered, field));
  const originalValues = valuesOf(message, newlyChanged);
  const removedFields = fields.filter((field) => changes[field] === undefined);
  const newFields = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const beforeCompression = { ...earlier, fields: { ...remembered, ...originalValues } };
  return copyWith(message, removedFields, { ...newFields, beforeCompression });
}

/**
 * A copy that is repeated next to the summary or notice `id`.
 * @param {any} message @param {string} id @param {boolean} isCarried the next compression removes it
 */
function repeatedCopy(message, id, isCarried) {
  const { pinnedBy, carried, ...remembered } = beforeCompressionOf(message) ?? {};
  const beforeCompression = { ...remembered, pinnedBy: id, ...(isCarried && { carried: true }) };
  return copyWith(message, [], { beforeCompression });
}

/** The message without the changes of any compression. @param {any} message */
function restored(message) {
  const beforeCompression = beforeCompressionOf(message);
  if (beforeCompression === undefined) return message;
  const { fields } = beforeCompression;
  const originalEntries = fields !== null && typeof fields === 'object' ? Object.entries(fields) : [];
  const originals = Object.fromEntries(originalEntries.filter(([field]) => !NEVER_CHANGED.has(field)));
  return copyWith(message, ['beforeCompression'], originals);
}

module.exports = { repeatedCopy, restored, withChanges, withoutUsage };
