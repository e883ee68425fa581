// @ts-check
'use strict';

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
   * Tells the schedule of new, changed and removed messages.
   * @param {readonly any[]} taken
   * @param {Conversation} conversation
   * @param {readonly number[]} changed messages
   * @param {Set<number>} touched messages of which something else waits
   * @returns {Set<number>} messages that are sent otherwise than before
   */
  tell(taken, conversation, changed, touched) {
    const { schedule, mending, tokens } = this;
    const end = Math.min(tokens.length, taken.length);
    const reset = new Set(
      [...changed, ...mending.update(conversation, changed.length > 0)].filter((index) => index < end),
    );
    schedule.messages = taken.length;
    schedule.keep = end;
    tokens.length = end;
    this.change(taken, reset);
    for (let index = end; index < taken.length; index++) {
      const weight = this.#weigh(taken, index);
      tokens.push(weight);
      schedule.pushed.push(weight);
    }
    this.mark(conversation.layout, reset, touched);
    return reset;
  }

  /** @param {readonly any[]} taken @param {Iterable<number>} messages that are others now */
  change(taken, messages) {
    for (const index of [...messages].sort((a, b) => a - b)) {
      const weight = this.#weigh(taken, index);
      this.tokens[index] = weight;
      this.schedule.changed.push(index, weight);
    }
  }

  /**
   * Adds to `changed` the messages that are the same objects with the same bodies but have another weight: hosts complete
   * calls and fill in parts in place.
   * @param {readonly any[]} taken
   * @param {Conversation} conversation
   * @param {number[]} changed
   */
  addEditedInside(taken, { kept, patched, layout, transcript }, changed) {
    const { tokens } = this;
    const end = Math.min(tokens.length, taken.length);
    const suspects = new Set(patched.map((row) => layout.ownerOf(row)));
    if (kept < transcript.length) for (let index = layout.ownerOf(kept); index < end; index++) suspects.add(index);
    for (const index of suspects) if (index < end && this.#weigh(taken, index) !== tokens[index]) changed.push(index);
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
