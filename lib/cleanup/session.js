// @ts-check
'use strict';

const { checkMessages, checkOptions, nowFrom } = require('../arguments.js');
const { Conversation } = require('./conversation.js');
const { copiesFor, engineOf, prepareSpec, preparedArray } = require('./functions.js');

/**
 * One conversation that is prepared again and again. Messages that are the same objects as before are not
 * looked at again; a simplified message is the same copy each time.
 */
class PrepareSession {
  /** @param {import('./engine.js').Engine} engine */
  constructor(engine) {
    this.engine = engine;
    this.conversation = new Conversation(engine);
    /** @type {unknown[]} */ this.seen = [];
    /** What replaced a message, by the message and its new text. @type {Map<number, { text: string, copy: unknown }>} */
    this.copies = new Map();
  }

  /**
   * @param {readonly unknown[]} messages
   * @param {unknown} [options]
   */
  prepare(messages, options) {
    checkMessages(messages);
    const now = nowFrom(checkOptions(options));
    const same = commonPrefix(this.seen, messages);
    if (same < this.seen.length) for (const index of this.copies.keys()) if (index >= same) this.copies.delete(index);
    this.seen.length = 0;
    const decided = this.conversation.decide(messages, now, same);
    const made = this.#copies(messages, now, decided);
    for (const message of messages) this.seen.push(message);
    return { messages: preparedArray(messages, made.decision, made.copies), report: this.conversation.report() };
  }

  /**
   * @param {readonly unknown[]} messages
   * @param {number} now
   * @param {import('./conversation.js').Decision} decision
   */
  #copies(messages, now, decision) {
    const { rows, texts } = decision;
    if (rows.every((index, edit) => this.copies.get(index)?.text === texts[edit])) {
      return { decision, copies: rows.map((index) => this.copies.get(index)?.copy) };
    }
    const made = copiesFor(this.conversation, messages, now, decision);
    made.copies = made.copies.map((copy, edit) => {
      const index = /** @type {number} */ (made.decision.rows[edit]);
      const text = /** @type {string} */ (made.decision.texts[edit]);
      const known = this.copies.get(index);
      if (known?.text === text) return known.copy;
      this.copies.set(index, { text, copy });
      return copy;
    });
    return made;
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
