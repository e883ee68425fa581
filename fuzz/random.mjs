// @ts-check
/** A seeded generator: the seed of a finding reproduces its case. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next() {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} least @param {number} most inclusive */
  int(least, most) {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** @param {number} share probability from 0 to 1 */
  chance(share) {
    return this.next() < share;
  }

  /** @template T @param {readonly T[]} choices @returns {T} */
  pick(choices) {
    return /** @type {T} */ (choices[this.int(0, choices.length - 1)]);
  }

  /** @template T @param {number} least @param {number} most @param {(index: number) => T} make @returns {T[]} */
  list(least, most, make) {
    return Array.from({ length: this.int(least, most) }, (_, index) => make(index));
  }
}
