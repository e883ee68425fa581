// @ts-check
'use strict';

const { Decision } = require('../cleanup/conversation.js');
const { outcomeOf } = require('../cleanup/outcome.js');
const { lazyReport, REPEATED } = require('../cleanup/report.js');

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {import('../cleanup/conversation.js').Edit} Edit a result's new text; `request`: number of the request that removes it
 */

/** Fields of a decision that a report contains in addition to replaced results. */
const REPORTED_FIELDS = /** @type {const} */ (['forms', 'unknownTimes', 'unmatchedResults', 'inSeconds', 'duplicates']);

/** The array that is sent: unchanged messages, and copies with placeholders and references. It is patched if messages were only added. */
class SentMessages {
  #orphanFixes;
  #previous;
  /** Incremented when a result is replaced or restored. */ #version = 0;
  /** The version that `#messages` has. */ #builtVersion = -1;
  /** Texts with references, keyed by row. @type {Map<number, Edit>} */ #referring = new Map();
  /** All replaced results, as in a decision. @type {Edit[]} */ #edits = [];
  /** Copies, keyed by message index. @type {import('../cleanup/outcome.js').Copies} */ #copies = new Map();
  /** The array that was sent last. @type {any[]} */ #messages = [];
  /** Count of stored messages that `#messages` was made of. */ #storedCount = 0;
  /** @type {InstanceType<typeof import('../cleanup/outcome.js').Outcome> | null} */ #outcome = null;
  /** The decision that `#report` describes. @type {InstanceType<typeof Decision> | null} */ #reportedDecision = null;
  /** @type {import('../../index.js').CleanupReport | null} */ #report = null;
  /** The argument of `outcomeOf`: always the same object, because it keeps its changes. */
  #conversationAsSent = /** @type {any} */ ({ changes: null });

  /** @param {InstanceType<typeof import('../cleanup/orphan-fixes.js').OrphanFixes>} orphanFixes @param {InstanceType<typeof import('../messages/previous-messages.js').PreviousMessages>} previous */
  constructor(orphanFixes, previous) {
    this.#orphanFixes = orphanFixes;
    this.#previous = previous;
    /** Removed results, keyed by row. @type {Map<number, Edit>} */ this.removed = new Map();
  }

  /** Sends a placeholder instead of a result. @param {Edit} removed */
  remove(removed) {
    this.removed.set(removed.row, removed);
    this.#version++;
    // The removal may replace an earlier text, so a new list is made.
    if (this.#referring.delete(removed.row)) this.#edits = [...this.#referring.values(), ...this.removed.values()];
    else this.#edits.push(removed);
  }

  /** Sends a result with references. @param {number} row @param {string} text */
  shorten(row, text) {
    if (this.removed.has(row)) return;
    const edit = { row, rule: REPEATED, request: 0, groups: [], text };
    this.#referring.set(row, edit);
    this.#edits.push(edit);
    this.#version++;
  }

  /** Starts over: all requests are decided again. @param {number} unchangedCount of messages at the start, whose copies stay */
  restart(unchangedCount) {
    for (const index of this.#copies.keys()) if (index >= unchangedCount) this.#copies.delete(index);
    this.removed = new Map();
    this.#referring = new Map();
    this.#edits = [];
    this.#outcome = null;
    this.#version++;
  }

  /**
   * What is sent, and its report: the same object until its content changes. @param {readonly any[]} stored messages
   * @param {number} identicalCount the first messages, which are the same objects as before @param {Conversation} conversation @throws {UncopiedMessage}
   */
  update(stored, identicalCount, conversation) {
    const isRebuilt = this.#rebuild(stored, identicalCount, conversation);
    const { decision } = conversation;
    const reported = this.#reportedDecision;
    const isReported = reported !== null && REPORTED_FIELDS.every((field) => reported[field] === decision[field]);
    if (isRebuilt || !isReported || this.#report === null) {
      this.#reportedDecision = decision;
      this.#report = lazyReport(this.#withReplacedResults(conversation), stored);
    }
    return { messages: this.#messages.slice(), report: this.#report };
  }

  /** How many messages are sent for the first `storedCount` stored messages. @param {number} storedCount */
  sentCountOf(storedCount) {
    const { removed = [], inserted = [] } = this.#outcome ?? {};
    let sentCount = storedCount;
    for (const index of removed) if (index < storedCount) sentCount--;
    for (const [index, messages] of inserted) if (index < storedCount) sentCount += messages.length;
    return sentCount;
  }

  /** Count of messages in the last request. */
  get length() {
    return this.#messages.length;
  }

  /** The conversation, with the replaced results as its decision. @param {Conversation} conversation */
  #withReplacedResults(conversation) {
    const { engine, table, transcript, decision } = conversation;
    const [edits, editCount] = [this.#edits, this.#edits.length];
    const replacing = Object.assign(new Decision(), decision, { edits, editCount, report: null });
    const state = editCount > 0 ? conversation.state : null;
    return Object.assign(this.#conversationAsSent, { engine, table, transcript, state, decision: replacing });
  }

  /** True if anything but added messages changed. @param {readonly any[]} stored @param {number} identicalCount @param {Conversation} conversation */
  #rebuild(stored, identicalCount, conversation) {
    const previous = this.#outcome;
    const version = this.#version + this.#orphanFixes.version;
    const hasOnlyGrown = previous !== null && identicalCount === this.#storedCount;
    const added = stored.slice(this.#storedCount);
    this.#storedCount = stored.length;
    if (hasOnlyGrown) for (const message of added) this.#messages.push(message);
    if (hasOnlyGrown && version === this.#builtVersion) return false;
    const replaced = this.#withReplacedResults(conversation);
    const outcome = outcomeOf(stored, replaced, this.#copies, hasOnlyGrown ? previous : null);
    this.#outcome = outcome;
    if (outcome === previous) {
      for (const index of outcome.unread) this.#messages[this.sentCountOf(index)] = outcome.at(index);
      this.#previous.watch(stored, outcome.unread);
    } else {
      this.#messages = this.#orphanFixes.sent(outcome, this.#copies);
      this.#previous.watched.clear();
      this.#previous.watch(stored, outcome.changed.keys());
    }
    outcome.unread.clear();
    this.#builtVersion = version;
    return true;
  }
}

module.exports = { SentMessages };
