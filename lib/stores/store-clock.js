// @ts-check
'use strict';

/** Ours may run on while both stand still, or the other way round: then neither says how long it was. */
const MOST_APART_MS = 1_000;

/**
 * The store's clock: what it last said, and what has passed here since. Machines that share a store have one time, whatever their own
 * clocks say.
 */
class StoreClock {
  /** Of the store's clock over the monotonic one here. @type {number | undefined} */ #ahead;
  /** Of the clock on the wall over the monotonic one. */ #wall = 0;

  /** @param {number} nowMs the store's answer @param {number} asked when it was asked, by `performance.now()` */
  learn(nowMs, asked) {
    if (!Number.isFinite(nowMs)) return;
    this.#ahead = nowMs - (asked + performance.now()) / 2;
    this.#wall = wall();
  }

  /** Whether it can be told without asking. A process that was frozen, or whose clock was set, has to ask. */
  get isKnown() {
    return this.#ahead !== undefined && Math.abs(wall() - this.#wall) < MOST_APART_MS;
  }

  /** Ms since the epoch; this machine's own clock as long as the store has said nothing. */
  now() {
    return this.#ahead === undefined ? Date.now() : Math.round(this.#ahead + performance.now());
  }
}

function wall() {
  return Date.now() - performance.now();
}

module.exports = { StoreClock };
