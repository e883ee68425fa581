// @ts-check
'use strict';

const { compressionOf } = require('../compression/record.js');
const { dialectFor } = require('../messages/choice.js');
const { isAnswer, isUsers } = require('../messages/speaker.js');
const { timeOfAny } = require('../messages/time.js');

/**
 * One request of a conversation. Times are in the messages' own unit, NaN where nobody knows them.
 * @typedef {object} Boundary
 * @property {number} end how many messages it has
 * @property {number} time the newest time among them
 * @property {number} lastTime the newest time up to the last answer: the provider was asked then at the earliest
 * @property {number} interruptedTime as `lastTime`, if the user has interrupted a request: the newest time ahead of the user's newest message
 * @property {boolean} isUndecided it was sent without this view, so nothing was removed with it
 */

/** A summary comes after the system prompt, and before all else. */
const MOST_BEFORE_SUMMARY = 8;

/** Finds the requests in a conversation: each prefix that an answer of the model follows, and the newest. */
class RequestBoundaries {
  #facts;
  #times;
  /** Messages that were read. */ #read = 0;
  #isTimed = false;
  /** The newest time among them. */ #newest = Number.NaN;
  /** The newest time up to the last answer. */ #answered = Number.NaN;
  /** The newest time ahead of the user's newest message, or up to a later answer. */ #interrupted = Number.NaN;
  /** Where the user's newest message is. */ #users = 0;
  #isAfterAnswer = false;
  /** How many messages the request before has; 0 without one. */ #before = 0;

  /** @param {InstanceType<typeof import('./facts.js').Facts> | null} facts @param {boolean} usesTimes of the facts, where messages have none */
  constructor(facts, usesTimes) {
    this.#facts = facts;
    this.#times = usesTimes ? facts : null;
  }

  /** Whether one of the messages has a time of its own. Then facts say nothing. */
  get areTimed() {
    return this.#isTimed;
  }

  /** Whether these messages, of which some were read, have times of their own. @param {readonly any[]} messages */
  isTimedWith(messages) {
    return this.areTimed || messages.slice(this.#read).some((message) => !Number.isNaN(stampOf(message)));
  }

  /**
   * The requests of `messages` that were not found before. Messages that were read before must be the same.
   * @param {readonly any[]} messages
   * @param {boolean} [isSide] the last message asks for something else, such as a title: those before it were a request
   * @returns {Boundary[]} in order; the last one has all messages
   */
  take(messages, isSide = false) {
    /** @type {Boundary[]} */ const found = [];
    this.#isTimed = this.isTimedWith(messages);
    // The request of the messages that were read was the newest then.
    const first = Math.max(this.#read + 1, compressedLength(messages));
    for (let index = this.#read; index < messages.length; index++) {
      const message = messages[index];
      const isOfModel = isAnswer(message);
      const isAsked = isOfModel
        ? !this.#isAfterAnswer
        : isSide && !this.#isAfterAnswer && index === messages.length - 1;
      if (isAsked && index >= first) found.push(this.#at(messages, index));
      if (!isOfModel && isUsers(message)) {
        this.#users = index;
        this.#interrupted = this.#newest;
      }
      const time = stampOf(message);
      if (!(time <= this.#newest) && !Number.isNaN(time)) this.#newest = time;
      if (isOfModel) this.#answered = this.#interrupted = this.#newest;
      this.#isAfterAnswer = goesOn(message, isOfModel);
    }
    this.#read = messages.length;
    found.push(this.#at(messages, messages.length));
    return found;
  }

  /** @param {readonly any[]} messages @param {number} end @returns {Boundary} */
  #at(messages, end) {
    const isUndecided = this.#facts?.isUndecided(messages, end) ?? false;
    const times = this.#times;
    if (this.areTimed || times === null) {
      return {
        end,
        time: this.#newest,
        lastTime: this.#answered,
        interruptedTime: this.#interrupted,
        isUndecided,
      };
    }
    // Looked up now: a request may be sent again until it is answered.
    const lastTime = this.#before === 0 ? Number.NaN : times.timesOf(messages, this.#before).last;
    const interrupted = this.#users > this.#before ? times.timesOf(messages, this.#users).last : Number.NaN;
    this.#before = end;
    return {
      end,
      time: times.timesOf(messages, end).first,
      lastTime,
      interruptedTime: Number.isNaN(interrupted) ? lastTime : interrupted,
      isUndecided,
    };
  }
}

/** How many messages there were after the newest compression; 0 where there was none. @param {readonly any[]} messages */
function compressedLength(messages) {
  for (let index = 0; index < Math.min(messages.length, MOST_BEFORE_SUMMARY); index++) {
    const length = compressionOf(messages[index])?.afterCount;
    if (typeof length === 'number') return Math.min(length, messages.length);
  }
  return 0;
}

/** @param {any} message @returns {number} in its own unit; NaN where it has none */
function stampOf(message) {
  let time = timeOfAny(message);
  if (!Number.isFinite(time)) time = dialectOfAny(message)?.timeOf?.(message) ?? Number.NaN;
  return Number.isFinite(time) ? time : Number.NaN;
}

/** Whether a message of the model that follows this one is the same answer. @param {any} message @param {boolean} isOfModel */
function goesOn(message, isOfModel) {
  return isOfModel && dialectOfAny(message)?.hasOwnResults !== true;
}

/** @param {any} message */
function dialectOfAny(message) {
  return message !== null && typeof message === 'object' ? dialectFor(message) : undefined;
}

/** Whether an answer shows that the first `end` of these messages were a request. @param {readonly any[]} messages @param {number} end */
function isAnswered(messages, end) {
  if (end === 0 || end >= messages.length || !isAnswer(messages[end])) return false;
  const last = messages[end - 1];
  return !goesOn(last, isAnswer(last));
}

module.exports = { isAnswered, RequestBoundaries };
