// @ts-check
'use strict';

const chat = require('../messages/dialects/openai-chat.js');
const { copyOfList, isList } = require('../lists.js');
const { callIdOf, calleeOf, nameOf } = require('../messages/chat.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {{ texts: Map<number, string>, gone: Set<number>, calls: import('../messages/row.js').ReadCall[] }} Change
 * @typedef {Map<number, { message: unknown, key: string, copy: unknown }>} Copies
 */

/** A message that can't be copied: a proxy or an accessor throws. */
class Refused {
  /** @param {number[]} rows that were to be replaced in it */
  constructor(rows) {
    this.rows = rows;
  }
}

/** A decision, message by message: a message may hold several results. */
class Outcome {
  /** @param {readonly any[]} messages */
  constructor(messages) {
    this.messages = messages;
    /** @type {Map<number, any>} */ this.changed = new Map();
    /** @type {Set<number>} */ this.gone = new Set();
    /** @type {Map<number, any[]>} */ this.inserted = new Map();
    /** The changes that it was made from. @type {Changes | null} */ this.changes = null;
    /** The messages that have changed since they were last asked for. @type {Set<number>} */ this.news = new Set();
  }

  /** @param {number} index */
  original(index) {
    return this.messages[index];
  }

  /** The message that stands at `index` after the changes so far; undefined where it was removed. @param {number} index */
  at(index) {
    return this.gone.has(index) ? undefined : (this.changed.get(index) ?? this.messages[index]);
  }

  /** @param {number} index @param {any} message */
  set(index, message) {
    this.changed.set(index, message);
    this.news.add(index);
  }

  /** @param {number} index */
  remove(index) {
    this.gone.add(index);
  }

  /** @param {number} index */
  isRemoved(index) {
    return this.gone.has(index);
  }

  /** @param {number} index @param {number} end removes `index` where the messages behind it up to `end` were removed */
  removeIfOthersWere(index, end) {
    for (let at = index + 1; at < end; at++) if (this.gone.has(at)) return this.remove(index);
  }

  /** @param {number} index behind which they stand @param {any[]} messages */
  insert(index, messages) {
    this.inserted.set(index, [...(this.inserted.get(index) ?? []), ...messages]);
  }

  removed() {
    return Array.from(this.gone, (index) => this.messages[index]);
  }

  /** @param {(message: any) => boolean} is */
  find(is) {
    return this.messages.find(is);
  }

  /** @param {(index: number, message: any) => void} visit what is still there */
  each(visit) {
    for (let index = 0; index < this.messages.length; index++) if (!this.gone.has(index)) visit(index, this.at(index));
  }

  /** @returns {any[]} */
  toArray() {
    if (this.gone.size === 0 && this.inserted.size === 0) {
      const all = copyOfList(this.messages);
      for (const [index, message] of this.changed) all[index] = message;
      return all;
    }
    const all = [];
    for (let index = 0; index < this.messages.length; index++) {
      if (!this.gone.has(index)) all.push(this.at(index));
      const inserted = this.inserted.get(index);
      if (inserted !== undefined) all.push(...inserted);
    }
    return all;
  }
}

/**
 * What the last decision of `conversation` makes of `messages`.
 * @param {readonly any[]} messages
 * @param {Conversation} conversation
 * @param {number} now
 * @param {Copies} [copies] made before, of messages that are taken to be as they were: the same comes out again
 * @param {Outcome | null} [before] of the same messages and fewer edits, which it goes on from where it can
 * @returns {Outcome}
 */
function outcomeOf(messages, conversation, now, copies, before) {
  for (;;) {
    try {
      return outcomeOnce(messages, conversation, copies, before ?? null);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      for (const row of error.rows) conversation.leaveAlone(row, now);
    }
  }
}

/**
 * Puts copies with other texts into an array that is not the host's.
 * @param {any[]} own
 * @param {Conversation} conversation
 * @returns {boolean} false where more is to be done, or a message can't be copied: then the array is of no use
 */
function placeReplaced(own, conversation) {
  const { layout, decision } = conversation;
  if (decision.dropped.length + decision.answered.length > 0) return false;
  try {
    for (const [index, { texts }] of Changes.of(conversation).byMessage) {
      own[index] = (layout.dialectAt(index) ?? chat).replace(own[index], texts);
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {readonly any[]} messages
 * @param {Conversation} conversation
 * @param {Copies | undefined} copies
 * @param {Outcome | null} before
 */
function outcomeOnce(messages, conversation, copies, before) {
  const { layout, decision, engine } = conversation;
  const changes = Changes.of(conversation);
  const { byMessage, fresh } = changes;
  const isMended = decision.dropped.length + decision.answered.length > 0;
  const canGoOn = before !== null && !isMended && before.changes === changes;
  const outcome = canGoOn ? before : new Outcome(messages);
  Object.assign(outcome, { messages, changes });
  for (const index of canGoOn ? fresh : byMessage.keys()) {
    apply(outcome, index, /** @type {Change} */ (byMessage.get(index)), conversation, copies);
  }
  fresh.clear();
  if (!isMended) return outcome;
  for (const [index, { calls }] of byMessage) {
    if (calls.length === 0) continue;
    const dialect = layout.dialectAt(index) ?? chat;
    dialect.answer(outcome, index, calls, engine.interruptedAnswer);
  }
  if (decision.dropped.length > 0) {
    for (const dialect of layout.dialects()) dialect.tidy?.(outcome);
  }
  return outcome;
}

/** @type {Set<number>} */
const NONE_GONE = new Set();
/** @type {import('../messages/row.js').ReadCall[]} */
const NO_CALLS = [];

/** What a conversation's decision does to each message. It is kept, because at the next request most of it is the same. */
class Changes {
  /** @param {Conversation} conversation */
  constructor({ decision: { dropped, answered, edits, texts } }) {
    this.texts = texts;
    /** The messages that were changed since an outcome was made of it. @type {Set<number>} */ this.fresh = new Set();
    this.dropped = dropped;
    this.answered = answered;
    this.edits = edits;
    /** How many edits were taken in. */
    this.count = 0;
    this.lastRow = -1;
    /** @type {Map<number, Change>} */ this.byMessage = new Map();
  }

  /** @param {Conversation} conversation */
  static of(conversation) {
    const { decision, layout, changes: before } = conversation;
    const { dropped, answered, edits, editCount } = decision;
    const isSame = before !== null && before.dropped === dropped && before.edits === edits && before.count <= editCount;
    // Placeholders from templates may have another text now, and calls another name.
    const isFixed = before?.texts === decision.texts && answered.length === 0 && before?.answered === answered;
    const canGoOn = isSame && isFixed && before.lastRow < layout.settled;
    const changes = canGoOn ? before : new Changes(conversation);
    if (!canGoOn) changes.#addRows(conversation);
    changes.#addEdits(conversation);
    layout.settled = Number.POSITIVE_INFINITY;
    conversation.changes = changes;
    return changes;
  }

  /** @param {Conversation} conversation */
  #addRows({ decision: { dropped, answered }, layout, transcript }) {
    for (const row of dropped) {
      const change = this.#changeOf(layout.ownerOf(row), row);
      if (change.gone === NONE_GONE) change.gone = new Set();
      change.gone.add(layout.partOf(row));
    }
    for (const call of answered) {
      const row = transcript.calls.rowOf(call);
      const at = call - transcript.calls.before(row);
      const change = this.#changeOf(layout.ownerOf(row), row);
      if (change.calls === NO_CALLS) change.calls = [];
      change.calls.push(readCall(layout.rows[row], at, transcript.calls.ids[call]));
    }
  }

  /** @param {Conversation} conversation */
  #addEdits(conversation) {
    const { decision, layout } = conversation;
    const { editCount } = decision;
    for (let edit = this.count; edit < editCount; edit++) {
      const row = decision.rowOf(edit);
      this.#changeOf(layout.ownerOf(row), row).texts.set(layout.partOf(row), conversation.textOf(edit));
    }
    this.count = editCount;
  }

  /** @param {number} message @param {number} row @returns {Change} */
  #changeOf(message, row) {
    if (row > this.lastRow) this.lastRow = row;
    this.fresh.add(message);
    let change = this.byMessage.get(message);
    if (change === undefined) {
      change = { texts: new Map(), gone: NONE_GONE, calls: NO_CALLS };
      this.byMessage.set(message, change);
    }
    return change;
  }
}

/**
 * @param {any} row
 * @param {number} at
 * @param {unknown} id
 * @returns {import('../messages/row.js').ReadCall}
 */
function readCall(row, at, id) {
  const calls = row.tool_calls ?? row.toolCalls;
  const call = isList(calls) ? calls[at] : undefined;
  if (call?.settled !== undefined) return call;
  return { id: callIdOf(call) ?? id, name: nameOf(calleeOf(call)), arguments: undefined, settled: false, at };
}

/** The changes of one message written as one text, to compare them. @param {Map<number, string>} texts @param {Set<number>} gone */
function keyOf(texts, gone) {
  // Most messages have one changed text, and this runs for all of them whenever anything else is replaced.
  const whole = gone.size === 0 && texts.size === 1 ? texts.get(-1) : undefined;
  return whole ?? `\u0000${JSON.stringify([[...texts], [...gone]])}`;
}

/**
 * @param {Outcome} outcome
 * @param {number} index
 * @param {Change} change
 * @param {Conversation} conversation
 * @param {Copies} [copies]
 */
function apply(outcome, index, { texts, gone }, { layout }, copies) {
  if (gone.has(-1)) return outcome.remove(index);
  if (texts.size === 0 && gone.size === 0) return;
  const message = outcome.original(index);
  const key = copies === undefined ? '' : keyOf(texts, gone);
  const known = copies?.get(index);
  if (known !== undefined && known.message === message && known.key === key) return outcome.set(index, known.copy);
  const dialect = layout.dialectAt(index) ?? chat;
  const start = layout.rowOf(index);
  try {
    let copy = texts.size > 0 ? dialect.replace(message, texts) : message;
    if (gone.size > 0) copy = dialect.without?.(copy, gone);
    if (copy === undefined) return outcome.remove(index);
    copies?.set(index, { message, key, copy });
    outcome.set(index, copy);
  } catch {
    const rows = [];
    for (let row = start; row < layout.rowOf(index + 1); row++) if (texts.has(layout.partOf(row))) rows.push(row);
    // A message that can't be copied without its results is left out as a whole.
    if (rows.length === 0) return outcome.remove(index);
    throw new Refused(rows);
  }
}

module.exports = { Changes, Outcome, outcomeOf, placeReplaced };
