// @ts-check
'use strict';

const { copyOf } = require('../lists.js');
const { checkMessages, checkOptions, nowFrom } = require('../arguments.js');
const { Conversation } = require('./conversation.js');
const { EDIT_NUMBERS } = require('./wire.js');
const { copyWithContent } = require('./copy.js');
const { outcomeOf } = require('./outcome.js');
const { engineOf, isOneToOne, leaveOut, prepareSpec } = require('./functions.js');

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
    /** By message, where one holds several results. @type {import('./outcome.js').Copies} */
    this.manifold = new Map();
    this.busy = false;
  }

  /**
   * @param {readonly unknown[]} messages
   * @param {unknown} [options]
   * @returns {{ messages: unknown[], report: import('../entry/index.js').CleanupReport }}
   */
  prepare(messages, options) {
    checkMessages(messages);
    const now = nowFrom(checkOptions(options));
    // A getter of a message, or the host's logger, calls back: what is half told here must not answer.
    if (this.busy) return new PrepareSession(this.engine).prepare(messages, options);
    this.busy = true;
    try {
      return this.#prepare(messages, now);
    } catch (error) {
      this.#forget();
      throw error;
    } finally {
      this.busy = false;
    }
  }

  /** @param {readonly unknown[]} messages @param {number} now */
  #prepare(messages, now) {
    const same = commonPrefix(this.seen, messages);
    if (this.copies.length > same) this.copies.length = same;
    // What a getter adds to the array while it is read is of the next call.
    const taken = copyOf(messages);
    this.conversation.decide(taken, now, same);
    const prepared = this.#prepared(taken, now);
    this.seen.length = same;
    for (let index = same; index < taken.length; index++) this.seen.push(taken[index]);
    return { messages: prepared, report: this.conversation.report(taken) };
  }

  /** @param {readonly unknown[]} taken @param {number} now */
  #prepared(taken, now) {
    const { conversation } = this;
    if (!isOneToOne(conversation)) return outcomeOf(taken, conversation, now, this.manifold).toArray();
    const prepared = taken.slice();
    this.#placeCopies(prepared, now);
    leaveOut(prepared, conversation.decision.dropped);
    return prepared;
  }

  /** What threw may have left the state half told. */
  #forget() {
    this.conversation = new Conversation(this.engine);
    this.seen = [];
    this.copies = [];
    this.manifold = new Map();
  }

  /**
   * @param {any[]} prepared
   * @param {number} now
   * @returns {void}
   */
  #placeCopies(prepared, now) {
    const { conversation, copies } = this;
    const { edits } = conversation.decision;
    for (let edit = 0, at = 0; at < edits.length; edit++, at += EDIT_NUMBERS) {
      const index = /** @type {number} */ (edits[at]);
      const text = conversation.textOf(edit);
      if (/** @type {{ content: string } | undefined} */ (copies[index])?.content === text) continue;
      try {
        copies[index] = copyWithContent(prepared[index], text);
      } catch {
        // A proxy or an accessor throws: decide again without it.
        conversation.leaveAlone(index, now);
        return this.#placeCopies(prepared, now);
      }
    }
    for (let at = 0; at < edits.length; at += EDIT_NUMBERS) {
      const index = /** @type {number} */ (edits[at]);
      prepared[index] = copies[index];
    }
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
