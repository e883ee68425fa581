// @ts-check
/** Controls for the measurement: quantities that must be zero, and samples of what is counted. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../promise/random.mjs';
import { isMissed } from './bill.mjs';
import { withoutDuplicates } from './policies.mjs';

/** @typedef {import('./bill.mjs').Context} Context */

/**
 * Removes all but the newest of identical results; no need may be missed then.
 * @param {readonly Context[]} contexts @returns {{ removed: number, missed: number }}
 */
export function duplicates(contexts) {
  let [removed, missed] = [0, 0];
  for (const context of contexts) {
    const plan = withoutDuplicates(context);
    removed += plan.removedFrom.filter(Number.isFinite).length;
    missed += context.needs.filter((need) => isMissed(need, plan)).length;
  }
  return { removed, missed };
}

/**
 * Writes samples to a temporary file for manual review: what the assistant message said, and what the result contained.
 * @param {readonly Context[]} contexts
 * @param {number} count
 * @returns {string} its path
 */
export function dump(contexts, count) {
  const random = seeded(7);
  const all = contexts.flatMap(({ file, needs }) => needs.map((need) => ({ file, need })));
  const drawn = Array.from({ length: Math.min(count, all.length) }, () => {
    return all.splice(Math.floor(random() * all.length), 1)[0];
  });
  const lines = drawn.flatMap((sample, index) => {
    if (sample === undefined) return [];
    const { file, need } = sample;
    const { request, line, call, sourceCall, sourceRequest } = need.told;
    const texts = need.texts.map(({ gram, said, shown }) => `  gram:  ${gram}\n  said:  ${said}\n  shown: ${shown}`);
    return [
      `${index + 1}. ${file} line ${line}: ${need.kind}${need.strong ? '' : ' (weak)'}, ${need.grams.length} grams`,
      `  request ${request} (${call ?? 'words'}) from request ${sourceRequest} (${sourceCall})`,
      ...texts,
      '',
    ];
  });
  const path = join(mkdtempSync(join(tmpdir(), 'palimpsest-need-')), 'cases.txt');
  writeFileSync(path, lines.join('\n'));
  return path;
}

/** @typedef {{ kind: string, age: number, results: number, needed: number }} Point */

/**
 * Of the results that are still sent at each age (in requests), how many are the newest source of a later need.
 * @param {readonly Context[]} contexts
 * @param {readonly number[]} ages
 * @returns {Point[]}
 */
export function curves(contexts, ages) {
  /** @type {Map<string, Point>} */ const points = new Map();
  for (const { lengths, kinds, errors, needs } of contexts) {
    const lastNeeds = new Map();
    for (const { source, request } of needs) lastNeeds.set(source, Math.max(lastNeeds.get(source) ?? 0, request));
    const rows = kinds.flatMap((kind, position) => {
      if (kind === null) return [];
      const row = { kind, position };
      return errors[position] ? [row, { kind: 'failed calls, of any kind', position }] : [row];
    });
    for (const { kind, position } of rows) {
      const first = lengths.findIndex((length) => length > position);
      if (first < 0) continue;
      for (const age of ages) {
        if (first + age >= lengths.length) continue;
        const point = points.get(`${kind} ${age}`) ?? { kind, age, results: 0, needed: 0 };
        point.results += 1;
        if ((lastNeeds.get(position) ?? -1) >= first + age) point.needed += 1;
        points.set(`${kind} ${age}`, point);
      }
    }
  }
  return [...points.values()];
}

/** @typedef {{ kind: string, replaced: number, reacquired: number }} Reacquired */

/**
 * How many of a plan's replaced results a later call fetched again while no newer result of such a call was sent.
 * @param {readonly Context[]} contexts
 * @param {(context: Context) => import('./bill.mjs').Plan} planOf
 * @returns {Reacquired[]}
 */
export function reacquired(contexts, planOf) {
  /** @type {Map<string, Reacquired>} */ const counts = new Map();
  for (const context of contexts) {
    const { kinds, fetches, lengths } = context;
    const { removedFrom } = planOf(context);
    /** @type {Map<number, number>} */ const newest = new Map();
    kinds.forEach((kind, position) => {
      if (kind === null) return;
      const count = counts.get(kind) ?? { kind, replaced: 0, reacquired: 0 };
      counts.set(kind, count);
      if (Number.isFinite(removedFrom[position])) count.replaced += 1;
      const fetch = fetches[position] ?? null;
      if (fetch === null) return;
      const before = removedFrom[newest.get(fetch) ?? -1] ?? Number.POSITIVE_INFINITY;
      newest.set(fetch, position);
      // The model made the call one request before the one that sent its result.
      if (before < lengths.findIndex((length) => length > position)) count.reacquired += 1;
    });
  }
  return [...counts.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
}
