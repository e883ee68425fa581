// @ts-check
'use strict';

/** Wall clock and monotonic clock part by this much when a machine sleeps, or its clock is set. */
const MOST_APART_MS = 1_000;

/** The store's time: its last answer and what has passed here since. All machines that share a store so have one time. */
class StoreClock {
  /** Ms by which the store's clock is ahead of the monotonic one. @type {number | undefined} */ #ahead;
  /** Ms by which the wall clock was ahead of it. */ #wall = 0;

  /** @param {number} nowMs the store's answer @param {number} asked when it was asked, by `performance.now()` */
  learn(nowMs, asked) {
    if (!Number.isFinite(nowMs)) return;
    this.#ahead = nowMs - (asked + performance.now()) / 2;
    this.#wall = wall();
  }

  /** False where a process was frozen, or its clock set. */
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
