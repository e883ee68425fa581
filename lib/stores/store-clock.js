// @ts-check
'use strict';

/** The wall clock and the monotonic clock of a machine part when it sleeps or is set: from this difference on neither is believed. */
const MOST_APART_MS = 1_000;

/**
 * Tells the store's time: its last answer and what has passed here since. All machines that share a store so have the same time.
 */
class StoreClock {
  /** How far the store's clock is ahead of the monotonic one here. @type {number | undefined} */ #ahead;
  /** How far the wall clock was ahead of the monotonic one. */ #wall = 0;

  /** @param {number} nowMs the store's answer @param {number} asked when it was asked, by `performance.now()` */
  learn(nowMs, asked) {
    if (!Number.isFinite(nowMs)) return;
    this.#ahead = nowMs - (asked + performance.now()) / 2;
    this.#wall = wall();
  }

  /** Whether the time is known without asking the store. A process that was frozen, or whose clock was set, has to ask. */
  get isKnown() {
    return this.#ahead !== undefined && Math.abs(wall() - this.#wall) < MOST_APART_MS;
  }

  /** Ms since the epoch, by this machine's own clock until the store has answered. */
  now() {
    return this.#ahead === undefined ? Date.now() : Math.round(this.#ahead + performance.now());
  }
}

function wall() {
  return Date.now() - performance.now();
}

module.exports = { StoreClock };
