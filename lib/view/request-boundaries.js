// @ts-check
'use strict';

const { compressionOf } = require('../compression/record.js');
const { dialectFor } = require('../messages/choice.js');
const { isAssistant, isUser } = require('../messages/message-fields.js');
const { timeOfAny } = require('../messages/chat.js');

/**
 * A request of a conversation. Times are in the messages' own unit; NaN if unknown. `end`: count of its messages; `time`: their newest time;
 * `lastTime`: time of the previous answered request, the newest up to the last assistant message; `interruptedTime`: time of the last request that
 * may have been sent, the newest before the newest user message if no assistant message follows it; `isUndecided`: see `RequestFact`, it removed nothing.
 * @typedef {{ end: number, time: number, lastTime: number, interruptedTime: number, isUndecided: boolean }} Boundary
 * @typedef {import('./projection.js').FixedPrefix} FixedPrefix
 */

/** A summary follows the system prompt within this many messages. */ const MAX_BEFORE_SUMMARY = 8;
/** Count of messages that are read without a pause; they take about 20 ms. */ const SLICE_LENGTH = 1000;

/** Finds the requests in a conversation: each prefix that an assistant message follows, and the newest. The core numbers those of placeholders. */
class RequestBoundaries {
  #facts;
  #usesTimesOfFacts;
  #readCount = 0;
  /** Newest time of the messages read. */ #newestTime = Number.NaN;
  /** Newest time up to the last assistant message. */ #answeredTime = Number.NaN;
  /** Newest time before the newest user message, or up to a later assistant message. */ #interruptedTime = Number.NaN;
  #newestUserIndex = 0;
  /** True if an assistant message that comes next belongs to the same response. */ #isInResponse = false;
  /** Count of messages of the previous request; 0 without one. */ #previousLength = 0;

  /** @param {Partial<Pick<import('./projection.js').ViewContext, 'facts' | 'arrivalTimes'>>} [context] */
  constructor({ facts, arrivalTimes = false } = {}) {
    this.#facts = facts;
    this.#usesTimesOfFacts = arrivalTimes !== false;
    /** True if one of the messages has a time of its own. Times from facts are then ignored. */ this.areTimed = false;
  }

  /** True if a message read before or one of `messages` has a time of its own. @param {readonly any[]} messages */
  isTimedWith(messages) {
    return this.areTimed || hasTimes(messages.slice(this.#readCount));
  }

  /** The new requests; the last one has all messages. @param {readonly any[]} messages @param {boolean} [isSide] the last message is a side request */
  readNew(messages, isSide = false) {
    /** @type {Boundary[]} */ const requests = [];
    this.areTimed = this.isTimedWith(messages);
    // The messages read before were a request already.
    const minLength = Math.max(this.#readCount + 1, lengthAfterCompression(messages));
    for (let index = this.#readCount; index < messages.length; index++) {
      const message = messages[index];
      const isOfModel = isAssistant(message);
      const isSideRequest = isSide && index === messages.length - 1;
      const followsRequest = (isOfModel || isSideRequest) && !this.#isInResponse;
      if (followsRequest && index >= minLength) requests.push(this.#boundaryAt(messages, index));
      if (!isOfModel && isUser(message)) {
        this.#newestUserIndex = index;
        this.#interruptedTime = this.#newestTime;
      }
      const time = ownTimeOf(message);
      if (!(time <= this.#newestTime) && !Number.isNaN(time)) this.#newestTime = time;
      if (isOfModel) this.#answeredTime = this.#interruptedTime = this.#newestTime;
      this.#isInResponse = mayContinue(message, isOfModel);
    }
    this.#readCount = messages.length;
    requests.push(this.#boundaryAt(messages, messages.length));
    return requests;
  }

  /** The request of the first `end` messages. @param {readonly any[]} messages @param {number} end @returns {Boundary} */
  #boundaryAt(messages, end) {
    const facts = this.#facts;
    const isUndecided = facts?.isUndecided(messages, end) ?? false;
    if (this.areTimed || facts === undefined || !this.#usesTimesOfFacts) {
      const times = { time: this.#newestTime, lastTime: this.#answeredTime, interruptedTime: this.#interruptedTime };
      return { end, ...times, isUndecided };
    }
    // The times are looked up only now: a request may be sent again until it is answered.
    const time = facts.timesOf(messages, end).first;
    const [previousLength, userIndex] = [this.#previousLength, this.#newestUserIndex];
    const lastTime = previousLength === 0 ? Number.NaN : facts.timesOf(messages, previousLength).last;
    const timeBeforeUser = userIndex > previousLength ? facts.timesOf(messages, userIndex).last : Number.NaN;
    const interruptedTime = Number.isNaN(timeBeforeUser) ? lastTime : timeBeforeUser;
    this.#previousLength = end;
    return { end, time, lastTime, interruptedTime, isUndecided };
  }
}

/** For each request that led to these messages, the count of its messages; the newest is last. @param {readonly any[]} messages */
const requestLengths = (messages) => new RequestBoundaries().readNew(messages).map(({ end }) => end);
/** True if one of the messages has a time of its own. @param {readonly any[]} messages */
const hasTimes = (messages) => messages.some((message) => !Number.isNaN(ownTimeOf(message)));

/** Count of messages right after the newest compression; 0 without one. @param {readonly any[]} messages */
function lengthAfterCompression(messages) {
  for (let index = 0; index < Math.min(messages.length, MAX_BEFORE_SUMMARY); index++) {
    const length = compressionOf(messages[index])?.afterCount;
    if (typeof length === 'number') return Math.min(length, messages.length);
  }
  return 0;
}

/** @param {any} message @returns {number} in the message's own unit; NaN if it has no time */
function ownTimeOf(message) {
  const time = timeOfAny(message);
  const known = Number.isFinite(time) ? time : dialectOfAny(message)?.timeOf?.(message);
  return known !== undefined && Number.isFinite(known) ? known : Number.NaN;
}

/** True if an assistant message after this one belongs to the same response. @param {any} message @param {boolean} isOfModel */
const mayContinue = (message, isOfModel) => isOfModel && dialectOfAny(message)?.hasResultsWithCalls !== true;
/** @param {any} message */
const dialectOfAny = (message) => (message !== null && typeof message === 'object' ? dialectFor(message) : undefined);

/** True if the first `end` messages were a request: an assistant message follows them. @param {readonly any[]} messages @param {number} end */
function isAnswered(messages, end) {
  if (end === 0 || end >= messages.length || !isAssistant(messages[end])) return false;
  const lastMessage = messages[end - 1];
  return !mayContinue(lastMessage, isAssistant(lastMessage));
}

/** Reads a long conversation in slices, between which the event loop runs. Requests keep their order. */
class Slices {
  #reader;
  /** The newest request being read. @type {{ messages: readonly any[], done: Promise<void> } | null} */ #newest = null;

  /**
   * @param {{ readCount: () => number, read: (end: number, messages: readonly any[], fixedPrefix: FixedPrefix | undefined) => void }} reader
   *   `readCount`: how many messages were read before; `read`: reads the first `end` messages
   */
  constructor(reader) {
    this.#reader = reader;
  }

  /** Messages of the newest request that is being read. @returns {readonly any[] | undefined} */
  get messages() {
    return this.#newest?.messages;
  }

  /** Undefined if there is nothing to wait for. @param {readonly any[]} messages @param {FixedPrefix | undefined} fixedPrefix */
  read(messages, fixedPrefix) {
    const previous = this.#newest;
    if (previous === null && sliceEndsIn(messages, this.#reader.readCount()).length === 0) return undefined;
    const newest = { messages, done: this.#readAll(messages, fixedPrefix, previous?.done) };
    this.#newest = newest;
    return newest.done.finally(() => {
      if (this.#newest === newest) this.#newest = null;
    });
  }

  /** @param {readonly any[]} messages @param {FixedPrefix | undefined} fixedPrefix @param {Promise<void> | undefined} previous request */
  async #readAll(messages, fixedPrefix, previous) {
    await previous?.catch(() => {});
    for (const end of sliceEndsIn(messages, this.#reader.readCount())) {
      // During the pause, another call may have read more.
      if (end <= this.#reader.readCount()) continue;
      this.#reader.read(end, messages, fixedPrefix);
      await new Promise(setImmediate);
    }
  }
}

/** Lengths of earlier requests, at least a slice apart. @param {readonly any[]} messages @param {number} readCount count of messages that were read before */
function sliceEndsIn(messages, readCount) {
  const ends = [];
  // A shorter rest is not worth a pause.
  const limit = messages.length - SLICE_LENGTH / 2;
  for (let end = Math.max(readCount, lengthAfterCompression(messages)) + SLICE_LENGTH; end < limit; end++) {
    if (!isAnswered(messages, end)) continue;
    ends.push(end);
    end += SLICE_LENGTH;
  }
  return ends;
}

module.exports = { hasTimes, isAnswered, RequestBoundaries, requestLengths, Slices };
