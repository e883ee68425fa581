// @ts-check
'use strict';

const { copyOfList } = require('../lists.js');
const { Stamp } = require('./stamp.js');
const { isSentAlike } = require('./likeness.js');

/**
 * Remembers the messages of the last request and their content then, because hosts edit them in place and pass clones.
 */
class SeenMessages {
  constructor() {
    /** @type {any[]} */ this.messages = [];
    /** By message: what it held. @type {unknown[]} */ this.bodies = [];
    /** By message: what the originals of replaced messages held. @type {Map<number, { message: any, stamp: InstanceType<typeof Stamp> }>} */
    this.watched = new Map();
  }

  get length() {
    return this.messages.length;
  }

  /**
   * What became of the messages that there were.
   * @param {readonly any[]} taken
   * @returns {{ from: number, changed: readonly number[] }} `from`: the first that is another object, or holds something
   *   else; `changed`: those that a provider would not take for what they were
   */
  compared(taken) {
    const { messages, bodies } = this;
    const end = Math.min(messages.length, taken.length);
    let from = firstOther(taken, messages, bodies, end);
    /** @type {Set<number>} */ let edited = NOTHING;
    for (const [index, { message, stamp }] of this.watched) {
      if (stamp.agrees(message)) continue;
      if (edited === NOTHING) edited = new Set();
      edited.add(index);
      from = Math.min(from, index);
    }
    return { from, changed: from === messages.length ? NONE : this.#changedSince(taken, from, edited) };
  }

  /** @param {readonly any[]} taken @param {number} from @param {ReadonlySet<number>} edited */
  #changedSince(taken, from, edited) {
    const { messages, bodies } = this;
    const end = Math.min(messages.length, taken.length);
    const changed = [];
    for (let index = from; index < end; index++) {
      const isEdited = edited.has(index) || safeBody(messages[index]) !== bodies[index];
      if (isEdited || !isSentAlike(taken[index], messages[index])) changed.push(index);
    }
    return changed;
  }

  /** @param {readonly any[]} taken @param {number} from so many at the start are as they were */
  remember(taken, from) {
    const { messages, bodies } = this;
    messages.length = from;
    bodies.length = from;
    for (let index = from; index < taken.length; index++) {
      messages.push(taken[index]);
      bodies.push(safeBody(taken[index]));
    }
  }

  /** @param {number} length */
  truncate(length) {
    this.messages.length = length;
    this.bodies.length = length;
    for (const index of this.watched.keys()) if (index >= length) this.watched.delete(index);
  }

  /** Goes on from the first messages of another process. @param {readonly any[]} messages @param {number} known */
  resume(messages, known) {
    this.messages = copyOfList(messages, 0, known);
    this.bodies = this.messages.map(safeBody);
  }

  /** Remembers all fields of replaced messages: their copies have to follow an edit of any. @param {readonly any[]} taken @param {Iterable<number>} replaced */
  watch(taken, replaced) {
    for (const index of replaced) this.watched.set(index, { message: taken[index], stamp: new Stamp(taken[index]) });
  }
}

/** The field of a message that is compared first: the one that holds its content, in any dialect. @param {any} message @returns {unknown} */
function bodyOf(message) {
  if (message === null || typeof message !== 'object') return message;
  const { content } = message;
  return content === undefined ? (message.parts ?? message.output ?? message.kwargs) : content;
}

/**
 * The first message that is another object, or has another body. This check runs over all messages before every request.
 * @param {readonly any[]} taken
 * @param {readonly any[]} seen
 * @param {readonly unknown[]} bodies
 * @param {number} end
 */
function firstOther(taken, seen, bodies, end) {
  let at = 0;
  try {
    for (; at < end; at++) {
      const message = taken[at];
      if (message !== seen[at]) return at;
      if (typeof message !== 'object' || message === null) continue;
      const { content } = message;
      if (content !== bodies[at] && (content !== undefined || bodyOf(message) !== bodies[at])) return at;
    }
  } catch {
    // A getter or a proxy threw: the message is read anew.
  }
  return at;
}

/** @param {any} message */
function safeBody(message) {
  try {
    return bodyOf(message);
  } catch {
    return undefined;
  }
}

/** @type {readonly number[]} */
const NONE = Object.freeze([]);
/** @type {Set<number>} */
const NOTHING = new Set();

module.exports = { SeenMessages };
