// @ts-check
'use strict';

const { Stamp } = require('./stamp.js');
const { isSentAlike } = require('./likeness.js');

/** Messages at the end that are read again at every request: applications add results and complete calls in place. */
const READ_AGAIN = 16;

/** Remembers the messages of the last request and their content, because applications edit them in place and pass clones. */
class PreviousMessages {
  constructor() {
    /** @type {any[]} */ this.messages = [];
    /** For each message, its content. @type {unknown[]} */ this.bodies = [];
    /** Keyed by message, the original content of replaced messages. @type {Map<number, { message: any, stamp: InstanceType<typeof Stamp> }>} */
    this.watched = new Map();
  }

  get length() {
    return this.messages.length;
  }

  /**
   * Compares with the remembered messages.
   * @param {readonly any[]} taken
   * @returns {{ from: number, changed: readonly number[] }} `from`: the first message that is another object or has other content; `changed`: messages
   *   that are different to a provider
   */
  compared(taken) {
    const { messages, bodies } = this;
    const end = Math.min(messages.length, taken.length);
    let from = firstOther(taken, messages, bodies, end);
    /** @type {Set<number>} */ const edited = new Set();
    for (const [index, { message, stamp }] of this.watched) {
      if (stamp.agrees(message)) continue;
      edited.add(index);
      from = Math.min(from, index);
    }
    const changed = [];
    for (let index = from; index < end; index++) {
      const isEdited = edited.has(index) || safeBody(messages[index]) !== bodies[index];
      if (isEdited || !isSentAlike(taken[index], messages[index])) changed.push(index);
    }
    return { from, changed };
  }

  /** @param {readonly any[]} taken @param {number} from count of unchanged messages at the start */
  remember(taken, from) {
    const { messages, bodies } = this;
    messages.length = from;
    bodies.length = from;
    for (let index = from; index < taken.length; index++) {
      messages.push(taken[index]);
      bodies.push(safeBody(taken[index]));
    }
  }

  /** Remembers all fields of replaced messages: an edit of any requires a new copy. @param {readonly any[]} taken @param {Iterable<number>} replaced */
  watch(taken, replaced) {
    for (const index of replaced) this.watched.set(index, { message: taken[index], stamp: new Stamp(taken[index]) });
  }
}

/** The content of a message in any dialect, which is compared first. @param {any} message @returns {unknown} */
function bodyOf(message) {
  if (message === null || typeof message !== 'object') return message;
  const { content } = message;
  return content === undefined ? (message.parts ?? message.output ?? message.kwargs) : content;
}

/**
 * The first message that is another object or has another body. Runs over all messages before every request.
 * @param {readonly any[]} taken
 * @param {readonly any[]} previous
 * @param {readonly unknown[]} bodies
 * @param {number} end
 */
function firstOther(taken, previous, bodies, end) {
  let at = 0;
  try {
    for (; at < end; at++) {
      const message = taken[at];
      if (message !== previous[at]) return at;
      if (typeof message !== 'object' || message === null) continue;
      const { content } = message;
      if (content !== bodies[at] && (content !== undefined || bodyOf(message) !== bodies[at])) return at;
    }
  } catch {
    // A getter or a proxy threw: the message is read again.
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

module.exports = { READ_AGAIN, PreviousMessages };
