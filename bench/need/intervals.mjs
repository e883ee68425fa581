// @ts-check
/** How far figures would be off with other sessions: misses cluster in few, so whole files are drawn again. */

const DRAWS = 2_000;
const TAIL = 0.025;

/** Numbers from 0 to 1, the same ones for a seed. @param {number} seed @returns {() => number} */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * @typedef {import('./bill.mjs').Score & { file: string }} Scored
 * @typedef {{ bill: number, missed: number, strong: number, found: number }} Figures
 */

/** @param {readonly import('./bill.mjs').Score[]} scores @returns {Figures} */
export function figuresOf(scores) {
  const sum = (/** @type {keyof import('./bill.mjs').Score} */ name) =>
    scores.reduce((total, score) => total + score[name], 0);
  return {
    bill: sum('cost') / sum('alone'),
    found: (sum('cost') + sum('lookUps')) / sum('alone'),
    missed: sum('missed') / Math.max(1, sum('needs')),
    strong: sum('strongMissed') / Math.max(1, sum('strong')),
  };
}

/** @param {readonly Scored[]} scores @returns {{ low: Figures, high: Figures }} 95 of 100 draws lie between them */
export function intervals(scores) {
  /** @type {Map<string, Scored[]>} */ const byFile = new Map();
  for (const score of scores) byFile.set(score.file, [...(byFile.get(score.file) ?? []), score]);
  const files = [...byFile.values()];
  const random = randomFrom(1);
  const draws = Array.from({ length: DRAWS }, () =>
    figuresOf(files.flatMap(() => files[Math.floor(random() * files.length)] ?? [])),
  );
  const at = (/** @type {keyof Figures} */ name, /** @type {number} */ share) =>
    draws.map((draw) => draw[name]).sort((a, b) => a - b)[Math.floor(share * (DRAWS - 1))] ?? Number.NaN;
  const all = (/** @type {number} */ share) => ({
    bill: at('bill', share),
    found: at('found', share),
    missed: at('missed', share),
    strong: at('strong', share),
  });
  return { low: all(TAIL), high: all(1 - TAIL) };
}
