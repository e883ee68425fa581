// @ts-check
/** Bootstrap intervals of the figures. Misses cluster in few sessions, so whole files are resampled. */
import { seeded } from '../promise/random.mjs';

const DRAWS = 2_000;
/** Share of draws outside of an interval, at each end. */
const TAIL = 0.025;

/**
 * @typedef {import('./bill.mjs').Score & { file: string }} Scored
 * @typedef {{ bill: number, missed: number, strong: number, found: number }} Figures `bill`, `found`: cost relative to unmodified
 *   history, without and with fetching missed results again; `missed`, `strong`: shares of needs, and of strong ones
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

/** @param {readonly Scored[]} scores @returns {Scored[][]} */
function byFile(scores) {
  /** @type {Map<string, Scored[]>} */ const files = new Map();
  for (const score of scores) files.set(score.file, [...(files.get(score.file) ?? []), score]);
  return [...files.values()];
}

/**
 * @param {readonly Figures[]} all @param {number} tail
 * @returns {{ low: Figures, high: Figures }} the range without the share `tail` at each end
 */
function between(all, tail) {
  const quantileOf = (/** @type {keyof Figures} */ name, /** @type {number} */ share) =>
    all.map((figures) => figures[name]).sort((a, b) => a - b)[Math.floor(share * (all.length - 1))] ?? Number.NaN;
  const figures = (/** @type {number} */ share) => ({
    bill: quantileOf('bill', share),
    found: quantileOf('found', share),
    missed: quantileOf('missed', share),
    strong: quantileOf('strong', share),
  });
  return { low: figures(tail), high: figures(1 - tail) };
}

/** The range that contains 95 of 100 resamples. @param {readonly Scored[]} scores */
export function intervals(scores) {
  const files = byFile(scores);
  const random = seeded(1);
  const draw = () => figuresOf(files.flatMap(() => files[Math.floor(random() * files.length)] ?? []));
  return between(Array.from({ length: DRAWS }, draw), TAIL);
}

/** Minimum and maximum when any one file is left out. @param {readonly Scored[]} scores */
export function withoutAnyOne(scores) {
  const files = byFile(scores);
  return between(
    files.map((leftOut) => figuresOf(files.flatMap((file) => (file === leftOut ? [] : file)))),
    0,
  );
}
