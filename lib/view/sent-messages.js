// @ts-check
'use strict';

const { Decision } = require('../cleanup/conversation.js');
const { outcomeOf } = require('../cleanup/outcome.js');
const { lazyReport, REPEATED } = require('../cleanup/report.js');
const { addEdit } = require('../cleanup/wire.js');

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('../cleanup/outcome.js').Outcome>} Outcome
 * @typedef {{ rule: number, text: string, groups: readonly number[], saved: number, request: number }} Removed a result. `rule`: the rule that
 *   removes it; `text`: its placeholder; `saved`: tokens saved; `request`: number of a request
 */

/** Fields of a decision that a report contains in addition to removed results. */
const REPORTED = /** @type {const} */ (['forms', 'unknownTimes', 'unmatchedResults', 'inSeconds', 'duplicates']);

/** The array that is sent: unchanged messages, and copies with placeholders. It is patched if messages were only added. */
class SentMessages {
  #mending;
  #previous;
  /** Incremented when a result is removed or restored. */ #version = 0;
  /** The version of the array. */ #made = -1;
  /** Texts with references, keyed by row. @type {Map<number, string>} */ #shortened = new Map();
  /** Removed and shortened results, as the lists of a decision. */ #lists = newLists();
  /** Copies, keyed by message. @type {import('../cleanup/outcome.js').Copies} */ #copies = new Map();
  /** The array that was sent last. @type {any[]} */ #messages = [];
  /** Count of stored messages that the array was made of. */ #length = 0;
  /** @type {Outcome | null} */ #outcome = null;
  /** @type {InstanceType<typeof Decision> | null} */ #reported = null;
  /** @type {import('../../index.js').CleanupReport | null} */ #report = null;
  /** Passed to `outcomeOf`: always the same object, because it keeps its changes. */
  #shown = /** @type {any} */ ({ changes: null });

  /** @param {InstanceType<typeof import('../cleanup/mending.js').Mending>} mending @param {InstanceType<typeof import('../messages/previous-messages.js').PreviousMessages>} previous */
  constructor(mending, previous) {
    this.#mending = mending;
    this.#previous = previous;
    /** Removed results, keyed by row. @type {Map<number, Removed>} */ this.removed = new Map();
  }

  /** @param {number} row @param {Removed} removed */
  remove(row, removed) {
    this.removed.set(row, removed);
    this.#version++;
    if (!this.#shortened.delete(row)) return this.#list(row, removed);
    // The removal replaces an earlier text, so the lists are rebuilt.
    this.#lists = newLists();
    for (const [row, text] of this.#shortened) this.#list(row, referring(text));
    for (const [row, removed] of this.removed) this.#list(row, removed);
  }

  /** Sends a result with references. @param {number} row @param {string} text */
  shorten(row, text) {
    if (this.removed.has(row)) return;
    this.#shortened.set(row, text);
    this.#list(row, referring(text));
    this.#version++;
  }

  /** @param {number} row @param {Omit<Removed, 'saved'>} changed */
  #list(row, { rule, text, groups, request }) {
    addEdit(this.#lists.edits, { row, rule, groups: groups.length, request });
    this.#lists.groups.push(...groups);
    this.#lists.texts.push(text);
  }

  /** Starts over: all requests are decided again. @param {number} shared count of unchanged messages, whose copies stay */
  restart(shared) {
    for (const index of this.#copies.keys()) if (index >= shared) this.#copies.delete(index);
    this.removed = new Map();
    this.#shortened = new Map();
    this.#lists = newLists();
    this.#outcome = null;
    this.#version++;
  }

  /**
   * Returns what is sent for `taken`, and its report: the same object until its content changes.
   * @param {readonly any[]} taken
   * @param {number} from the first `from` messages are the same objects as before
   * @param {Conversation} conversation
   * @throws {UncopiedMessage} for a message that can't be copied
   */
  of(taken, from, conversation) {
    const isRebuilt = this.#rebuild(taken, from, conversation);
    const { decision } = conversation;
    const before = this.#reported;
    const isSame = !isRebuilt && before !== null && REPORTED.every((figure) => before[figure] === decision[figure]);
    if (!isSame || this.#report === null) {
      this.#reported = decision;
      this.#report = lazyReport(this.#asShown(conversation), taken);
    }
    return { messages: this.#messages.slice(), report: this.#report };
  }

  /** Count of sent messages that the first `count` stored messages become. @param {number} count */
  placeOf(count) {
    let place = count;
    for (const index of this.#outcome?.removed ?? []) if (index < count) place--;
    for (const [index, messages] of this.#outcome?.inserted ?? []) if (index < count) place += messages.length;
    return place;
  }

  /** Count of messages in the last request. */
  get length() {
    return this.#messages.length;
  }

  /** The conversation with the removed results as its decision. @param {Conversation} conversation */
  #asShown(conversation) {
    const { engine, layout, transcript, decision } = conversation;
    const editCount = this.#lists.texts.length;
    const shown = Object.assign(new Decision(), decision, this.#lists, { editCount, report: null });
    const state = editCount > 0 ? conversation.state : null;
    return Object.assign(this.#shown, { engine, layout, transcript, state, decision: shown });
  }

  /**
   * Updates the array.
   * @param {readonly any[]} taken
   * @param {number} from
   * @param {Conversation} conversation
   * @returns {boolean} true if anything but added messages changed
   */
  #rebuild(taken, from, conversation) {
    const before = this.#outcome;
    const version = this.#version + this.#mending.version;
    const known = this.#length;
    const isGrown = before !== null && from === known;
    this.#length = taken.length;
    if (isGrown && version === this.#made) {
      for (let index = known; index < taken.length; index++) this.#messages.push(taken[index]);
      return false;
    }
    const outcome = outcomeOf(taken, this.#asShown(conversation), this.#copies, isGrown ? before : null);
    this.#outcome = outcome;
    if (before === outcome) {
      for (let index = known; index < taken.length; index++) this.#messages.push(taken[index]);
      for (const index of outcome.unread) this.#messages[this.placeOf(index)] = outcome.at(index);
      this.#previous.watch(taken, outcome.unread);
    } else {
      this.#messages = this.#mending.sent(outcome, this.#copies);
      this.#previous.watched.clear();
      this.#previous.watch(taken, outcome.changed.keys());
    }
    outcome.unread.clear();
    this.#made = version;
    return true;
  }
}

/** @param {string} text @returns {Omit<Removed, 'saved'>} */
function referring(text) {
  return { rule: REPEATED, text, groups: [], request: 0 };
}

/** @returns {{ edits: number[], groups: number[], texts: string[] }} */
function newLists() {
  return { edits: [], groups: [], texts: [] };
}

module.exports = { SentMessages };
