// @ts-check
/** Deterministic pseudo-random numbers. */

/** @typedef {() => number} Random from 0 (inclusive) to 1 (exclusive) */

/** mulberry32: the same numbers on every machine. @param {number} seed @returns {Random} */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Numbers that depend on a name. @param {string} name @returns {Random} */
export function randomFor(name) {
  let seed = 2_166_136_261;
  for (let index = 0; index < name.length; index++) seed = Math.imul(seed ^ name.charCodeAt(index), 16_777_619);
  return seeded(seed);
}

/** An integer from `least` to `most`, inclusive. @param {Random} random @param {number} least @param {number} most */
export function between(random, least, most) {
  return least + Math.floor(random() * (most - least + 1));
}

/** @template T @param {Random} random @param {readonly T[]} choices @returns {T} */
export function oneOf(random, choices) {
  return /** @type {T} */ (choices[Math.floor(random() * choices.length)]);
}
