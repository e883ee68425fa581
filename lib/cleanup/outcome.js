// @ts-check
'use strict';

const chat = require('../messages/dialects/openai-chat.js');
const { copyOfList } = require('../lists.js');
const { copyOf } = require('../messages/copy.js');
const { isPlainData, safely } = require('../plain-data.js');
const { Changes } = require('./changes.js');

/**
 * Applies a decision to the messages, on copies: applications store the same objects, and a write would corrupt their session file.
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {import('./changes.js').Change} Change
 * @typedef {import('../messages/choice.js').Dialect} Dialect
 * @typedef {import('./changes.js').Decided} Decided
 *
 * Copies of changed messages, keyed by message index; `key` identifies the change.
 * @typedef {Map<number, { message: unknown, key: string, copy: unknown }>} Copies
 */

/** Thrown for a message that can't be copied because a proxy or an accessor throws. */
class UncopiedMessage extends Error {
  /** @param {any} messageObject @param {number[]} rows its rows that were to be replaced */
  constructor(messageObject, rows) {
    super('a message that can not be copied');
    this.messageObject = messageObject;
    this.rows = rows;
  }
}

/** What a decision does to each message: changed on a copy, removed, or followed by added messages. */
class Outcome {
  /** @param {readonly any[]} messages */
  constructor(messages) {
    /** The original messages. */ this.messages = messages;
    /** Copies, keyed by message. @type {Map<number, any>} */ this.changed = new Map();
    /** Removed messages. @type {Set<number>} */ this.removed = new Set();
    /** Added messages, keyed by the message before them. @type {Map<number, any[]>} */ this.inserted = new Map();
    /** It has all but the `unapplied` ones. @type {InstanceType<typeof Changes> | null} */ this.changes = null;
    /** Messages in `changed` that a view has not read yet. @type {Set<number>} */ this.unread = new Set();
    /** Messages changed by fixing orphans; null without orphans. @type {Set<number> | null} */ this.fixed = null;
  }

  /** True if orphans needn't be fixed again after messages were appended and `changedMessages` changed. @param {Set<number>} changedMessages */
  areFixesValid(changedMessages) {
    const { fixed, messages } = this;
    // A message that makes an orphan would have changed the decision's `changes`.
    if (fixed === null) return true;
    // The application may have appended the result that the last message lacked.
    if (fixed.has(messages.length - 1)) return false;
    for (const index of changedMessages) if (fixed.has(index)) return false;
    return true;
  }

  /** The message or its copy; undefined if it was removed. @param {number} index */
  at(index) {
    return this.removed.has(index) ? undefined : (this.changed.get(index) ?? this.messages[index]);
  }

  /** Replaces message `index` by a copy. @param {number} index @param {any} message */
  set(index, message) {
    this.changed.set(index, message);
    this.unread.add(index);
    this.fixed?.add(index);
  }

  /** Adds messages after message `index`, and after the results that follow it. @param {number} index @param {any[]} messages @param {(message: any) => boolean} [isResult] */
  insert(index, messages, isResult = () => false) {
    let last = index;
    while (last + 1 < this.messages.length && isResult(this.messages[last + 1])) last++;
    this.fixed?.add(last);
    this.inserted.set(last, [...(this.inserted.get(last) ?? []), ...messages]);
  }

  /** @param {(index: number, message: any) => void} visit called for each message that is left */
  each(visit) {
    for (let index = 0; index < this.messages.length; index++)
      if (!this.removed.has(index)) visit(index, this.at(index));
  }

  /** The array that is sent. @returns {any[]} */
  toArray() {
    if (this.removed.size === 0 && this.inserted.size === 0) {
      const all = copyOfList(this.messages);
      for (const [index, message] of this.changed) all[index] = message;
      return all;
    }
    const all = [];
    for (let index = 0; index < this.messages.length; index++) {
      if (!this.removed.has(index)) all.push(this.at(index));
      const inserted = this.inserted.get(index);
      if (inserted !== undefined) all.push(...inserted);
    }
    return all;
  }
}

/**
 * Like {@link outcomeOf}. A message that can't be copied is excluded from the rules, and the others are decided again.
 * @param {readonly any[]} messages @param {Conversation} conversation @param {number} now
 */
function outcomeWithoutUncopyable(messages, conversation, now) {
  for (;;) {
    try {
      return outcomeOf(messages, conversation);
    } catch (error) {
      if (!(error instanceof UncopiedMessage)) throw error;
      for (const row of error.rows) conversation.excludeRow(row, now);
    }
  }
}

/**
 * Replaces messages by copies with new texts. False if orphans must be fixed, too, or a message can't be copied: the array must then be discarded.
 * @param {any[]} array a copy of the application's array @param {Conversation} conversation
 */
function placeCopies(array, conversation) {
  const { table, decision } = conversation;
  if (fixesOrphans(decision)) return false;
  const arePlaced = safely(() => {
    for (const [index, { texts }] of Changes.of(conversation).byMessage) {
      array[index] = (table.dialectAt(index) ?? chat).replace(array[index], texts);
    }
    return true;
  });
  return arePlaced === true;
}

/**
 * Applies the last decision of `conversation` to `messages`.
 * @param {readonly any[]} messages @param {Decided} conversation
 * @param {Copies} [copies] earlier copies; an unchanged message with the same change reuses its copy
 * @param {Outcome | null} [previous] the previous outcome. It is extended and returned if, since then, only messages and edits were added
 * @returns {Outcome} @throws {UncopiedMessage}
 */
function outcomeOf(messages, conversation, copies, previous = null) {
  const { table, decision, engine } = conversation;
  const changes = Changes.of(conversation);
  const { byMessage, unapplied } = changes;
  const isReusable = previous !== null && previous.changes === changes && previous.areFixesValid(unapplied);
  const outcome = isReusable ? previous : new Outcome(messages);
  Object.assign(outcome, { messages, changes });
  for (const index of isReusable ? unapplied : byMessage.keys()) {
    apply(outcome, index, /** @type {Change} */ (byMessage.get(index)), conversation, copies);
  }
  unapplied.clear();
  if (isReusable || !fixesOrphans(decision)) return outcome;
  outcome.fixed = new Set();
  for (const [index, { answeredCalls }] of byMessage) {
    if (answeredCalls.length === 0) continue;
    const dialect = table.dialectAt(index) ?? chat;
    dialect.addResults(outcome, index, answeredCalls, engine.interruptedAnswer);
  }
  if (decision.droppedRows.length + outcome.removed.size > 0) {
    for (const { repair } of table.dialects()) {
      repair?.(outcome);
      // After the next message `repair` may remove the last one, too.
      if (repair !== undefined) outcome.fixed.add(messages.length - 1);
    }
  }
  return outcome;
}

/** True if a message or call is removed or gets a generated result. @param {Conversation['decision']} decision */
const fixesOrphans = ({ droppedRows, answeredCalls, duplicateCalls }) =>
  droppedRows.length + answeredCalls.length + duplicateCalls.length > 0;

/** Equal changes have equal keys. @param {Change} change */
function keyOf({ texts, removedParts, removedCalls }) {
  // Fast path: most messages have one changed text, and this runs for all of them at every replacement.
  const isOneText = removedParts.size + removedCalls.length === 0 && texts.size === 1;
  return (
    (isOneText ? texts.get(-1) : undefined) ??
    `\u0000${JSON.stringify([[...texts], [...removedParts], removedCalls.map(({ at }) => at)])}`
  );
}

/** `message` without its removed parts and calls; undefined if nothing is left, or its dialect can't remove parts. @param {Dialect} dialect @param {any} message @param {Change} change */
function withoutParts(dialect, message, { removedParts, removedCalls }) {
  if (removedCalls.length === 0) return removedParts.size === 0 ? message : dialect.without?.(message, removedParts);
  if (dialect.withoutCalls === undefined)
    return dialect.without?.(message, new Set([...removedParts, ...removedCalls.map(({ at }) => at)]));
  const left = dialect.withoutCalls(message, removedCalls);
  return removedParts.size === 0 ? left : dialect.without?.(left, removedParts);
}

/** Applies the change of message `index`. @param {Outcome} outcome @param {number} index @param {Change} change @param {Decided} conversation @param {Copies} [copies] */
function apply(outcome, index, change, { table }, copies) {
  const { texts, removedParts, removedCalls } = change;
  if (removedParts.has(-1)) return void outcome.removed.add(index);
  if (texts.size + removedParts.size + removedCalls.length === 0) return;
  const message = outcome.messages[index];
  const key = copies === undefined ? '' : keyOf(change);
  const earlier = copies?.get(index);
  if (earlier !== undefined && earlier.message === message && earlier.key === key)
    return outcome.set(index, earlier.copy);
  const dialect = table.dialectAt(index) ?? chat;
  try {
    const replaced = texts.size > 0 ? dialect.replace(message, texts) : message;
    const copy = withoutParts(dialect, replaced, change);
    if (copy === undefined) return void outcome.removed.add(index);
    copies?.set(index, { message, key, copy });
    outcome.set(index, copy);
  } catch {
    const rows = [];
    const end = table.firstRowOf(index + 1);
    for (let row = table.firstRowOf(index); row < end; row++) if (texts.has(table.partOf(row))) rows.push(row);
    // A message that can't be copied without its removed parts is removed entirely.
    if (rows.length === 0) return void outcome.removed.add(index);
    throw new UncopiedMessage(message, rows);
  }
}

/**
 * Like {@link outcomeWithoutUncopyable}: the fast path to the array for a conversation of chat messages. Orphans stay.
 * @param {readonly any[]} messages those of the decision @param {Conversation} conversation @param {number} now @returns {any[]}
 */
function withCopies(messages, conversation, now) {
  const { plain } = conversation;
  let { decision } = conversation;
  let array = copyOfList(messages);
  for (let edit = 0; edit < decision.editCount; edit++) {
    const { row: index, text: content } = /** @type {import('./conversation.js').Edit} */ (decision.edits[edit]);
    const message = array[index];
    try {
      // For plain data, the spread is a complete copy and can't throw.
      if (plain[index] !== message && isPlainData(message)) plain[index] = message;
      array[index] = plain[index] === message ? { ...message, content } : copyOf(message, { content });
    } catch {
      // A proxy or an accessor threw: start over.
      decision = conversation.excludeRow(index, now);
      [array, edit] = [copyOfList(messages), -1];
    }
  }
  return array;
}

module.exports = { Outcome, outcomeOf, outcomeWithoutUncopyable, placeCopies, UncopiedMessage, withCopies };
