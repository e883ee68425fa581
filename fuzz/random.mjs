// @ts-check
/** A seeded generator: the seed of a finding reproduces its case. */
import { between, oneOf, seeded } from '../bench/promise/random.mjs';

export class Random {
  /** @param {number} seed */
  constructor(seed) {
    /** From 0 (inclusive) to 1 (exclusive). */
    this.next = seeded(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b));
  }

  /** @param {number} least @param {number} most inclusive */
  int(least, most) {
    return between(this.next, least, most);
  }

  /** @param {number} share probability from 0 to 1 */
  chance(share) {
    return this.next() < share;
  }

  /** @template T @param {readonly T[]} choices @returns {T} */
  pick(choices) {
    return oneOf(this.next, choices);
  }

  /** @template T @param {number} least @param {number} most @param {(index: number) => T} make @returns {T[]} */
  list(least, most, make) {
    return Array.from({ length: this.int(least, most) }, (_, index) => make(index));
  }
}
