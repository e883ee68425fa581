// @ts-check
'use strict';

const { isObject, safely } = require('../plain-data.js');
const { Stamp } = require('./stamp.js');
const { isSentAlike } = require('./likeness.js');

/** Messages at the end that are read again: applications add results in place. */ const READ_AGAIN = 16;

/** Finds what changed since the last request. Contents are compared as well as objects: applications edit messages in place and pass clones. */
class PreviousMessages {
  constructor() {
    /** @type {any[]} */ this.messages = [];
    /** For each message, its content. @type {unknown[]} */ this.bodies = [];
    /** Replaced messages, keyed by index, each with the values that it had. @type {Map<number, { message: any, stamp: InstanceType<typeof Stamp> }>} */
    this.watched = new Map();
  }

  get length() {
    return this.messages.length;
  }

  /** `from`: the first message that is another object or has other content; `changed`: messages that are different to a provider. @param {readonly any[]} messages */
  compare(messages) {
    const { messages: previous, bodies } = this;
    const end = Math.min(previous.length, messages.length);
    let from = firstOther(messages, previous, bodies, end);
    /** @type {Set<number>} */ const edited = new Set();
    for (const [index, { message, stamp }] of this.watched) {
      if (stamp.mayBeUnchanged(message)) continue;
      edited.add(index);
      from = Math.min(from, index);
    }
    /** @type {number[]} */ const changed = [];
    for (let index = from; index < end; index++) {
      const isEdited = edited.has(index) || safely(() => bodyOf(previous[index])) !== bodies[index];
      if (isEdited || !isSentAlike(messages[index], previous[index])) changed.push(index);
    }
    return { from, changed };
  }

  /** Remembers the messages of a request. @param {readonly any[]} messages @param {number} from count of unchanged messages at the start */
  remember(messages, from) {
    this.messages.length = from;
    this.bodies.length = from;
    for (let index = from; index < messages.length; index++) {
      this.messages.push(messages[index]);
      this.bodies.push(safely(() => bodyOf(messages[index])));
    }
  }

  /** Remembers all fields of replaced messages: an edit of any requires a new copy. @param {readonly any[]} messages @param {Iterable<number>} indices */
  watch(messages, indices) {
    for (const index of indices)
      this.watched.set(index, { message: messages[index], stamp: new Stamp(messages[index]) });
  }
}

/** The content of a message in any dialect, which is compared first. @param {any} message @returns {unknown} */
function bodyOf(message) {
  if (!isObject(message)) return message;
  const { content } = message;
  return content === undefined ? (message.parts ?? message.output ?? message.kwargs) : content;
}

/**
 * Index of the first message that is another object or has another body. Runs over all messages before every request.
 * @param {readonly any[]} messages @param {readonly any[]} previous @param {readonly unknown[]} bodies @param {number} end
 */
function firstOther(messages, previous, bodies, end) {
  let index = 0;
  try {
    for (; index < end; index++) {
      const message = messages[index];
      if (message !== previous[index]) return index;
      if (!isObject(message)) continue;
      const { content } = message;
      if (content !== bodies[index] && (content !== undefined || bodyOf(message) !== bodies[index])) return index;
    }
  } catch {
    // A getter or a proxy threw: the message is read again.
  }
  return index;
}

module.exports = { READ_AGAIN, PreviousMessages };
