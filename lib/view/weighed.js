// @ts-check
'use strict';

const { blocksIn } = require('./marks.js');
const { weightOf } = require('./weight.js');

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('./applied.js').Applied>} Applied
 * @typedef {InstanceType<typeof import('./mending.js').Mending>} Mending
 * @typedef {InstanceType<typeof import('./schedule.js').Schedule>} Schedule
 */

/** Keeps the weight of each stored message, with what mends it, and tells the schedule of it. */
class WeighedMessages {
  /** @param {Schedule} schedule @param {Applied} applied @param {Mending} mending */
  constructor(schedule, applied, mending) {
    this.schedule = schedule;
    this.applied = applied;
    this.mending = mending;
    /** @type {number[]} */ this.tokens = [];
  }

  /** @param {readonly any[]} taken @param {number} index */
  #weigh(taken, index) {
    return this.mending.weight(index, weightOf(taken[index]));
  }

  /**
   * Tells the schedule of new messages, and of those that are mended otherwise than before.
   * @param {readonly any[]} taken
   * @param {Conversation} conversation
   * @param {Set<number>} touched messages of which something else waits
   * @returns {Set<number>} messages that are sent otherwise than before
   */
  tell(taken, conversation, touched) {
    const { schedule, mending, tokens } = this;
    const end = tokens.length;
    const reset = new Set(mending.update(conversation).filter((index) => index < end));
    for (const index of [...reset].sort((a, b) => a - b)) {
      const weight = this.#weigh(taken, index);
      tokens[index] = weight;
      schedule.changed.push(index, weight);
    }
    for (let index = end; index < taken.length; index++) {
      const weight = this.#weigh(taken, index);
      tokens.push(weight);
      schedule.pushed.push(weight, blocksIn(taken[index]));
    }
    this.mark(conversation.layout, reset, touched);
    return reset;
  }

  /** Forgets the messages from `length` on. @param {number} length */
  truncate(length) {
    if (this.tokens.length > length) this.tokens.length = length;
    this.mending.truncate(length);
  }

  /**
   * Tells the schedule what waits in each touched message, and what stays replaced in messages that it takes for new.
   * @param {Conversation['layout']} layout
   * @param {Set<number>} reset messages that the schedule takes for new
   * @param {Set<number>} touched messages of which something else waits
   */
  mark(layout, reset, touched) {
    const { schedule, applied, tokens } = this;
    for (const message of new Set([...reset, ...touched])) {
      const stored = tokens[message];
      if (stored === undefined) continue;
      const { replaced, pending, waits } = applied.savings(layout, message);
      if (replaced !== 0 && reset.has(message)) schedule.kept.push(message, Math.max(1, stored - replaced));
      if (waits) schedule.marked.push(message, Math.max(1, stored - replaced - pending));
      else schedule.unmarked.push(message);
    }
  }
}

module.exports = { WeighedMessages };
