// @ts-check
'use strict';

const { billOf, NOTHING, sumOf } = require('./costs.js');
const { sharedBy } = require('../messages/likeness.js');
const { leadingSystem } = require('./marks.js');
const { sideRequest } = require('./side-request.js');
const { resume, seenBefore } = require('./state.js');

/** @typedef {InstanceType<typeof import('./projection.js').Projection>} Projection */

/** So many equal messages tell that a conversation goes on. One isn't enough: a title's request has the user's text, too. */
const TELLING_LENGTH = 2;

/** The conversations that one view is asked for: the newest one, and the one before it, which may go on. */
class Conversations {
  #isByMessages;
  /** The conversation that was asked for before this one. @type {Projection | null} */ #aside = null;

  /** @param {() => Projection} begin @param {boolean} isByMessages */
  constructor(begin, isByMessages) {
    this.begin = begin;
    this.#isByMessages = isByMessages;
    this.current = begin();
    /** What was paid for conversations that are forgotten. */ this.past = NOTHING;
    /** Whether another object may have sent requests that nobody here knows of. */ this.isImported = false;
  }

  /**
   * Sends a request, of the conversation that its messages are of.
   * @param {readonly any[]} messages
   * @param {number} now
   * @param {boolean} isSide
   * @returns {{ messages: any[], report: any, number: number, places?: number[] }}
   */
  request(messages, now, isSide) {
    const projection = this.current;
    const { seen } = projection;
    if (isSide) return sideRequest(projection, messages, now);
    if (seen.length === 0 || projection.isRestarted) return projection.project(messages, now);
    const told = seen.compared(messages);
    const { changed } = told;
    const alike = Math.min(messages.length, seen.length) - changed.length;
    const isOtherStart = /** @type {number} */ (changed[0]) < leadingSystem(messages);
    if (isOtherStart || alike < Math.min(TELLING_LENGTH, seen.length)) {
      const other = this.#other(messages, changed);
      return other.beside.takes(messages.length) ? sideRequest(other, messages, now) : other.project(messages, now);
    }
    if (projection.beside.takes(messages.length)) return sideRequest(projection, messages, now);
    if (changed.length > 0 || messages.length > seen.length) return projection.project(messages, now, told);
    return messages.length === seen.length
      ? projection.repeat(messages, now, told)
      : sideRequest(projection, messages, now);
  }

  /**
   * Another conversation, for which the host has asked the same view, such as one for a title: the one before is kept aside until
   * it goes on. A host that dates its system prompt goes on with another at each request.
   * @param {readonly any[]} messages
   * @param {readonly number[]} changed those that are not what the conversation before had in their place
   */
  #other(messages, changed) {
    const before = this.#aside;
    const left = this.current;
    this.#aside = left;
    const isBack = before !== null && sharedWith(before, messages) >= leadingSystem(messages) + TELLING_LENGTH;
    const current = isBack ? before : this.begin();
    this.current = current;
    if (!isBack && before !== null) this.past = sumOf(this.past, billOf(before));
    // No earlier request of it was sent: this view, or the one that it goes on from, would have been asked.
    current.isFirst &&= this.#isByMessages || this.isImported;
    if (left.branchedFrom === current) left.beside.begin();
    if (isBack) return current;
    goAheadAs(current, left);
    const system = leadingSystem(messages);
    const { shared, length, isSystemSame } = sharedAs(left.seen.messages, messages, system);
    // A title's request has all messages of its conversation, and one of its own, which the conversation never has.
    const isWhole = shared === length && shared >= system + TELLING_LENGTH;
    if (!isSystemSame && isWhole) current.branchedFrom = left;
    current.goOnFrom(left, changed);
    return current;
  }

  /**
   * Goes on where another process left off, with the messages of its conversation, or of another.
   * @param {import('../entry/types/view.js').ContextViewState} state
   * @param {readonly any[]} messages
   * @param {number} now
   * @param {boolean} isSide
   * @returns {ReturnType<Conversations['request']> | undefined} the answer to a request beside the conversation, of which nothing is known but the state then
   */
  resume(state, messages, now, isSide) {
    const seen = seenBefore(messages, state);
    const { known, changed, ages } = seen;
    const length = state.messages.length;
    if (isSide || (known === messages.length && known < length)) {
      const beside = this.begin();
      beside.schedule = this.current.schedule;
      resume(beside, messages, state, { ...seen, isBeside: true });
      return sideRequest(beside, messages, now);
    }
    const alike = Math.min(messages.length, length) - changed.length;
    const isOtherStart = /** @type {number} */ (changed[0]) < leadingSystem(messages);
    if (length === 0 || !(isOtherStart || alike < Math.min(TELLING_LENGTH, length))) {
      resume(this.current, messages, state, seen);
      return undefined;
    }
    // The process that exported it would begin another conversation, too, and take over the ages of messages in the same places.
    const left = this.current;
    this.past = sumOf(this.past, billOf(left));
    this.current = this.begin();
    goAheadAs(this.current, left);
    this.current.isFirst = this.#isByMessages;
    this.current.goOnFrom({ firstSeen: ages, isByMessages: this.#isByMessages }, []);
    return undefined;
  }

  costs() {
    const costs = sumOf(this.past, billOf(this.current));
    return this.#aside === null ? costs : sumOf(costs, billOf(this.#aside));
  }

  requests() {
    return this.past.requests + this.current.schedule.requests + (this.#aside?.schedule.requests ?? 0);
  }

  /** The conversation that goes on, and what all others have cost. A title asked for just now isn't it. */
  told() {
    const aside = this.#aside;
    const isBeside = aside !== null && this.current.branchedFrom === aside;
    const [main, other] = isBeside ? [aside, this.current] : [this.current, aside];
    return { main, past: other === null ? this.past : sumOf(this.past, billOf(other)) };
  }
}

/** What stands ahead of this request's messages was told to the conversation before. @param {Projection} projection @param {Projection} left */
function goAheadAs({ schedule }, { schedule: { fixed, outside } }) {
  Object.assign(schedule, { fixed, outside });
}

/**
 * How many messages at the start both have, with the `system` ones of the system prompt, which another may stand for.
 * @param {readonly any[]} given
 * @param {readonly any[]} messages
 * @param {number} system
 */
function sharedAs(given, messages, system) {
  const own = leadingSystem(given);
  if (own === system) {
    const isSystemSame = sharedBy(messages.slice(0, system), given) === system;
    return { shared: sharedBy(messages, given, system), length: given.length, isSystemSame };
  }
  const shared = sharedBy(messages.slice(system), given.slice(own));
  return { shared: system + shared, length: system + given.length - own, isSystemSame: false };
}

/** How many messages at the start the conversation has, too. @param {Projection} projection @param {readonly any[]} messages */
function sharedWith({ seen }, messages) {
  const { changed } = seen.compared(messages);
  return Math.min(changed[0] ?? Infinity, seen.length, messages.length);
}

module.exports = { Conversations, sharedAs };
