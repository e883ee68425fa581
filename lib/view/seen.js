// @ts-check
'use strict';

const { copyOf } = require('../lists.js');
const { firstOther, isSentAlike, leavesOf, safeBody, stillHolds } = require('./likeness.js');

/**
 * Remembers the messages of the last request and their content then, because hosts edit them in place and pass clones.
 */
class SeenMessages {
  constructor() {
    /** @type {any[]} */ this.messages = [];
    /** By message: what it held. @type {unknown[]} */ this.bodies = [];
    /** What the originals of replaced messages held. @type {{ index: number, message: any, leaves: ReturnType<typeof leavesOf> }[]} */
    this.watched = [];
  }

  get length() {
    return this.messages.length;
  }

  /** The first message that is another object than before, or holds something else. @param {readonly any[]} taken */
  unchangedFrom(taken) {
    const { messages, bodies, watched } = this;
    const end = Math.min(messages.length, taken.length);
    let same = firstOther(taken, messages, bodies, end);
    for (const { index, message, leaves } of watched) {
      if (index >= same) break;
      if (!stillHolds(message, leaves)) same = index;
    }
    return same;
  }

  /** The messages from `from` on that a provider would not take for what they were. @param {readonly any[]} taken @param {number} from */
  changedSince(taken, from) {
    const { messages, bodies } = this;
    const end = Math.min(messages.length, taken.length);
    const changed = [];
    const edited = new Set();
    for (const { index, message, leaves } of this.watched) {
      if (index >= from && !stillHolds(message, leaves)) edited.add(index);
    }
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
    this.watched = this.watched.filter(({ index }) => index < length);
  }

  /** Goes on from the first messages of another process. @param {readonly any[]} messages @param {number} known */
  resume(messages, known) {
    this.messages = copyOf(messages, 0, known);
    this.bodies = this.messages.map(safeBody);
  }

  /** Remembers all fields of replaced messages: their copies have to follow an edit of any. @param {readonly any[]} taken @param {readonly number[]} replaced */
  watch(taken, replaced) {
    this.watched = [...replaced]
      .sort((a, b) => a - b)
      .map((index) => ({ index, message: taken[index], leaves: leavesOf(taken[index]) }));
  }
}

module.exports = { SeenMessages };
