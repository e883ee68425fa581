// @ts-check
/** The requests that an application sends while a session grows, with the events of ordinary use. */

import { systemLength } from './prompts.mjs';
import { between, oneOf } from './random.mjs';

/**
 * @typedef {import('./random.mjs').Random} Random
 * @typedef {'prefix' | 'message' | 'title'} SideForm what a side request sends: an earlier prefix, all messages and one
 *   more, or those with another system prompt
 * @typedef {'all' | 'partial' | 'system'} LossKind
 *
 * @typedef {object} Life events; values are shares of requests
 * @property {number} [losses]
 * @property {readonly LossKind[]} [lossKinds]
 * @property {boolean} [isEvictedEarly] true if half of the longer pauses lose the cache before its lifetime ends
 * @property {number} [sideEvery] number of requests between side requests
 * @property {readonly SideForm[]} [sideForms]
 * @property {number} [retries]
 * @property {number} [rewinds]
 * @property {number} [forks]
 * @property {boolean} [hasSystem] sessions without a system prompt get one
 *
 * @typedef {object} Request
 * @property {any[]} stored
 * @property {number} nowMs
 * @property {'main' | 'side' | 'retry' | 'fork'} kind
 * @property {boolean} isAsked true if its last message is a side question that is never stored
 * @property {number} branch number of the conversation's branch, or of the side request
 * @property {boolean} startsTurn
 * @property {{ kind: LossKind, share: number } | null} loss
 * @property {number} earlyRoll a random number that decides whether the cache is lost early
 */

/** Time between requests if a recording has no times: that of a working agent. */
const PACE_MS = 10_000;
/** Time after which a side request or a retry is sent. */
const MOMENT_MS = 500;
/** Requests of a fork. */
const FORK_STEPS = 4;
const FORK_PACE_MS = 5_000;
/** Maximum number of requests that a rewind undoes. */
const MAX_REWOUND = 8;
const SYSTEM = {
  role: 'system',
  content: `You are an agent at work. ${'Think before you act, and say what you did. '.repeat(300)}`,
};
const OTHER_SYSTEM = { role: 'system', content: 'You name conversations in at most five words.' };

/** Writes the requests of a session. */
class Script {
  /** @type {Request[]} */ requests = [];
  /** @type {any[]} */ stored = [];
  nowMs = 0;
  branch = 0;
  #branches = 0;
  #notes = 0;

  /** @param {{ messages: readonly any[] }} session @param {Life} life @param {Random} random */
  constructor({ messages }, life, random) {
    this.life = life;
    this.random = random;
    this.messages = life.hasSystem === true && systemLength(messages) === 0 ? [SYSTEM, ...messages] : messages;
    this.isTimed = messages.some(({ timestamp }) => timestamp !== undefined);
  }

  /** One request before each assistant message. */
  write() {
    for (const [index, message] of this.messages.entries()) {
      if (message.role === 'assistant' && this.stored.some(({ role }) => role !== 'system')) this.#step(index);
      this.stored.push(message);
    }
    return this.requests;
  }

  /** @param {number} index of the assistant message */
  #step(index) {
    const { life, random } = this;
    const stamp = this.stored.at(-1)?.timestamp;
    this.nowMs = Math.max(this.nowMs + (this.isTimed ? 1 : PACE_MS), stamp ?? 0);
    this.#send('main', this.stored);
    if (random() < (life.retries ?? 0)) this.#send('retry', this.stored);
    if (life.sideEvery !== undefined && this.requests.length % life.sideEvery === life.sideEvery - 1) this.#side();
    if (random() < (life.forks ?? 0)) this.#fork(index);
    if (random() < (life.rewinds ?? 0) && this.#rewind()) this.#step(index);
  }

  /** @param {Request['kind']} kind @param {readonly any[]} stored @param {number} [branch] @param {boolean} [isAsked] */
  #send(kind, stored, branch = this.branch, isAsked = false) {
    const { losses = 0, lossKinds = ['all'] } = this.life;
    const { random } = this;
    if (kind === 'side' || kind === 'retry') this.nowMs += MOMENT_MS;
    const { role, content } = stored.at(-1);
    const isResult = Array.isArray(content) && content.some(({ type }) => type === 'tool_result');
    this.requests.push({
      stored: [...stored],
      nowMs: this.nowMs,
      kind,
      isAsked,
      branch,
      startsTurn: kind === 'main' && role === 'user' && !isResult,
      loss: random() < losses ? { kind: oneOf(random, lossKinds), share: random() } : null,
      earlyRoll: random(),
    });
  }

  /** @param {string} text */
  #ask(text) {
    return { role: 'user', content: `${text} (${++this.#notes})`, ...(this.isTimed && { timestamp: this.nowMs }) };
  }

  /** Lengths at which a request was sent before, ascending. */
  #boundaries() {
    const { stored } = this;
    const first = systemLength(stored) + 1;
    return stored.flatMap(({ role }, index) => (role === 'assistant' && index >= first ? [index] : []));
  }

  #side() {
    const { stored, random } = this;
    const form = oneOf(random, this.life.sideForms ?? ['prefix', 'message', 'title']);
    const branch = ++this.#branches;
    if (form === 'prefix') {
      const boundaries = this.#boundaries();
      if (boundaries.length === 0) return;
      this.#send('side', stored.slice(0, oneOf(random, boundaries.slice(boundaries.length >> 1))), branch);
    } else if (form === 'message') this.#send('side', [...stored, this.#ask('What was done so far?')], branch, true);
    else
      this.#send(
        'side',
        [OTHER_SYSTEM, ...stored.slice(systemLength(stored)), this.#ask('A title, please.')],
        branch,
        true,
      );
  }

  /** A fork continues differently for a few steps; after it the session itself continues. @param {number} index */
  #fork(index) {
    const stored = [...this.stored, this.#ask('Try it otherwise first.')];
    const branch = ++this.#branches;
    let steps = 0;
    for (const message of this.messages.slice(index)) {
      if (message.role === 'assistant') {
        if (steps++ === FORK_STEPS) break;
        this.nowMs += FORK_PACE_MS;
        this.#send('fork', stored, branch);
      }
      // In a fork use the current time, because the recorded times lie in the future.
      stored.push(this.isTimed ? { ...message, timestamp: this.nowMs } : message);
    }
  }

  /**
   * The user rewrites a message, or has the same request answered again.
   * @returns {boolean} false if nothing was sent yet
   */
  #rewind() {
    const boundaries = this.#boundaries();
    const end = boundaries.at(-between(this.random, 1, Math.max(1, Math.min(MAX_REWOUND, boundaries.length))));
    if (end === undefined) return false;
    const kept = this.stored.slice(0, end);
    this.stored = this.random() < 0.5 ? kept : [...kept, this.#ask('No, again.')];
    this.branch = ++this.#branches;
    return true;
  }
}

/**
 * All requests of a session with the events of `life`.
 * @param {{ messages: readonly any[] }} session
 * @param {Life} life
 * @param {Random} random
 * @returns {Request[]}
 */
export function requestsOf(session, life, random) {
  return new Script(session, life, random).write();
}
