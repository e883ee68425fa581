// @ts-check
'use strict';

const { copyOfList } = require('../lists.js');
const { dialectOrChat } = require('../messages/choice.js');
const { copyOf } = require('../messages/copy.js');
const { formOf } = require('../messages/form.js');
const { cutTexts } = require('../messages/parts.js');
const { Stamp } = require('../messages/stamp.js');
const native = require('../native.js');
const { once } = require('../once.js');
const { isObject, safely } = require('../plain-data.js');
const { BINARY, withBinary } = require('./report.js');

/** @typedef {import('./report.js').CleanupReport} CleanupReport */

/** Count of messages at the end that are scanned again: applications add results in place. */ const RESCANNED = 16;

/** The messages of a growing conversation, without the binary data in their tool results. */
class MessagesWithoutBinary {
  #dialect;
  /** The same without binary data. @type {any[]} */ #clean = [];
  /** Removals of binary data, keyed by message. @type {Map<number, import('./report.js').CountedChange>} */
  #changes = new Map();
  /** The last report, and the same with binary data. @type {Record<'original' | 'extended', CleanupReport> | null} */
  #reports = null;

  /** @param {import('../messages/choice.js').Forced} dialect */
  constructor(dialect) {
    this.#dialect = dialect;
    /** The messages of the last call. @type {readonly any[]} */ this.given = [];
  }

  /** Removes the binary data. @param {readonly any[]} messages @returns {any[]} a new array; messages without binary data are the same objects */
  update(messages) {
    const given = copyOfList(messages);
    const end = Math.min(given.length, this.given.length - RESCANNED);
    let unchangedCount = 0;
    while (unchangedCount < end && given[unchangedCount] === this.given[unchangedCount]) unchangedCount++;
    this.#clean.length = unchangedCount;
    for (const index of this.#changes.keys())
      if (index >= unchangedCount && this.#changes.delete(index)) this.#reports = null;
    this.given = given;
    for (let index = unchangedCount; index < given.length; index++) {
      const found = binaryIn(given[index], this.#dialect);
      this.#clean.push(found === null ? given[index] : found.message);
      if (found === null) continue;
      this.#changes.set(index, { message: index, rule: BINARY, before: found.before, after: found.after });
      this.#reports = null;
    }
    return copyOfList(this.#clean);
  }

  get changes() {
    return [...this.#changes.values()];
  }

  /** The report with the removals of binary data: the same object until its content changes. @param {CleanupReport} report */
  reportWithBinary(report) {
    if (this.#changes.size === 0) return report;
    if (this.#reports?.original !== report) {
      this.#reports = { original: report, extended: withBinary(report, this.changes) };
    }
    return this.#reports.extended;
  }
}

/**
 * A message without the binary data in its tool results' texts. Images in the provider's own image format stay.
 * @typedef {{ message: any, before: string[], after: string[] }} WithoutBinary
 *
 * A message's result, and what tells whether the message changed since: for a message with text content and no binary data, content and role; for
 * all others a stamp.
 * @typedef {{ content: unknown, role: unknown, stamp: InstanceType<typeof Stamp> | undefined, forced: string | undefined,
 *   result: WithoutBinary | null }} Cached
 */

/** Keyed by message, because every request contains the earlier messages. @type {WeakMap<object, Cached>} */
const cache = new WeakMap();

/** In UTF-16 units. Texts up to this length are not searched. */
const threshold = once(() => native.binaryDataRules().sizeThreshold);

/**
 * Replaces binary data that tool results hold as text: base64 and data URLs in longer text, in JSON, in lists of bytes. Null if nothing changes. The
 * copy is the same as long as the message is unchanged.
 * @param {any} message @param {import('../messages/choice.js').Forced} [forced]
 */
function binaryIn(message, forced) {
  // If a getter or a proxy throws, the message stays unchanged.
  const found = safely(() => {
    if (!isObject(message) || (forced === undefined && hasNoLongResult(message))) return null;
    const cached = cache.get(message);
    if (cached !== undefined && cached.forced === forced && isUnchanged(message, cached)) return cached.result;
    const result = withoutBinary(message, forced);
    const { content, role } = message;
    const stamp = result === null && typeof content === 'string' ? undefined : new Stamp(message);
    cache.set(message, { content, role, stamp, forced, result });
    return result;
  });
  return found ?? null;
}

/** Fast path: true for a chat message without a result, or with a short one, as are most messages. @param {any} message */
function hasNoLongResult(message) {
  const { role, content } = message;
  if (formOf(message) !== null) return false;
  return (role !== 'tool' && role !== 'function') || (typeof content === 'string' && content.length <= threshold());
}

/** @param {any} message @param {Cached} cached */
const isUnchanged = (message, { content, role, stamp }) =>
  stamp === undefined ? message.content === content && message.role === role : stamp.mayBeUnchanged(message);

/** @param {any} message @param {import('../messages/choice.js').Forced} forced @returns {WithoutBinary | null} */
function withoutBinary(message, forced) {
  const dialect = dialectOrChat(message, forced);
  /** @type {string[]} */ const before = [];
  /** @type {string[]} */ const after = [];
  const changes = cutTexts(message, dialect, (text, isOutput) => {
    const shorter = isOutput && text.length > threshold() ? native.withoutBinaryRuns(text) : null;
    if (shorter === null) return text;
    before.push(text);
    after.push(shorter);
    return shorter;
  });
  if (before.length === 0) return null;
  const copy =
    dialect.fieldAccess === undefined ? copyOf(message, changes) : dialect.fieldAccess.copy(message, [], changes);
  return { message: copy, before, after };
}

module.exports = { binaryIn, MessagesWithoutBinary };
