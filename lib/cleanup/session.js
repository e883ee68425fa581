// @ts-check
'use strict';

const { checkMessages, checkOptions, nowFrom } = require('../arguments.js');
const { Conversation } = require('./conversation.js');
const { EDIT_NUMBERS } = require('./wire.js');
const { copyOf, engineOf, prepareSpec, preparedArray } = require('./functions.js');

/** @typedef {InstanceType<typeof import('./conversation.js').Decision>} Decision */

/**
 * One conversation that is prepared again and again. Messages that are the same objects as before are not
 * looked at again; a simplified message is the same copy each time.
 */
class PrepareSession {
  /** @param {InstanceType<typeof import('./engine.js').Engine>} engine */
  constructor(engine) {
    this.engine = engine;
    this.conversation = new Conversation(engine);
    /** @type {unknown[]} */ this.seen = [];
    /** By row: the copy that replaced its message. @type {unknown[]} */ this.copies = [];
  }

  /**
   * @param {readonly unknown[]} messages
   * @param {unknown} [options]
   */
  prepare(messages, options) {
    checkMessages(messages);
    const now = nowFrom(checkOptions(options));
    const same = commonPrefix(this.seen, messages);
    // Until this call has succeeded nothing is known of what was passed.
    this.seen.length = 0;
    if (this.copies.length > same) this.copies.length = same;
    const decided = this.conversation.decide(messages, now, same);
    const { decision, copies } = this.#copies(messages, now, decided);
    this.seen = messages.slice();
    return { messages: preparedArray(messages, decision, copies), report: this.conversation.report() };
  }

  /**
   * @param {readonly unknown[]} messages
   * @param {number} now
   * @param {Decision} decision
   * @returns {{ decision: Decision, copies: unknown[] }}
   */
  #copies(messages, now, decision) {
    const { conversation } = this;
    const { edits } = decision;
    const copies = [];
    for (let edit = 0, at = 0; at < edits.length; edit++, at += EDIT_NUMBERS) {
      const index = /** @type {number} */ (edits[at]);
      const text = conversation.textOf(edit);
      let copy = /** @type {{ content: string } | undefined} */ (this.copies[index]);
      if (copy === undefined || copy.content !== text) {
        const made = copyOf(conversation, messages, index, text);
        if (made === undefined) return this.#copies(messages, now, conversation.leaveAlone(index, now));
        this.copies[index] = copy = made;
      }
      copies.push(copy);
    }
    return { decision, copies };
  }
}

/**
 * @param {readonly unknown[]} a
 * @param {readonly unknown[]} b
 */
function commonPrefix(a, b) {
  const end = Math.min(a.length, b.length);
  let index = 0;
  while (index < end && a[index] === b[index]) index++;
  return index;
}

/** @param {unknown} options */
function createSession(options) {
  return new PrepareSession(engineOf(prepareSpec(checkOptions(options))));
}

module.exports = { createSession };
