// @ts-check
/** Time to count tokens, by kind of text, compared with JavaScript's tokenizers: `npm run bench -- --only tokens`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rowOf } from './runner.mjs';
import { sessionTexts, textSets } from './token-texts.mjs';

export const title = 'Tokens in o200k_base, end to end from JavaScript';

const repository = fileURLToPath(new URL('..', import.meta.url));
const build = join(repository, 'build');
const script = fileURLToPath(new URL('./token-count.mjs', import.meta.url));

/** Ratios are relative to the first. tokenx estimates; the others are exact or nearly so. */
const CONTENDERS = ['gpt-tokenizer', 'ai-tokenizer', 'js-tiktoken', 'tokenx', 'product'];
const EXACT_JS = ['gpt-tokenizer', 'ai-tokenizer', 'js-tiktoken'];
/** Characters of other text that are counted before the measurement. */
const WARM_UP_CHARACTERS = 400_000;
const MAX_MS_TO_FIRST_COUNT = 150;

/**
 * @typedef {{ loadMs: number, megabytes: number, sets: Record<string, SetResult> }} Result
 * @typedef {{ firstMs: number, hotMs: number, tokens: number }} SetResult
 */

/**
 * Each contender runs in its own process, so that none shares caches, compiled code or garbage.
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {Generator<import('./runner.mjs').Row>}
 */
export function* rows({ quick, progress }) {
  const [rounds, warm] = quick ? [1, 1_000] : [3, WARM_UP_CHARACTERS];
  const sets = quick ? someOf(textSets()) : textSets();
  const bySet = play('kinds of text', sets, warm, rounds, progress);
  for (const name of Object.keys(sets)) yield* setRows(name, bySet);
  const session = quick ? someOf({ session: sessionTexts() }) : { session: sessionTexts() };
  const characters = session.session.reduce((sum, text) => sum + text.length, 0);
  const work = `session of ${(characters / 1e6).toFixed(1)} M characters`;
  // In separate processes; otherwise its pieces would already have been counted in the runs by kind.
  const hot = play('session, warm', session, warm, rounds, progress);
  yield* setRows('session', hot, work, [eightTimesTheFastest(), fasterThanTheHeuristic()]);
  const cold = play('session, cold', session, 0, rounds, progress);
  const total = samples(cold, ({ loadMs, sets }) => loadMs + (sets.session?.firstMs ?? 0));
  yield rowOf(`loading and first count, ${work}`, total, [firstCountGoal()]);
  const memory = samples(cold, ({ megabytes }) => megabytes);
  yield { ...rowOf(`memory gained (RSS), ${work}`, memory), unit: 'MB' };
}

/**
 * A part of each set that every contender can count: the slowest takes quadratic time for one long word.
 * @template {Record<string, string[]>} T @param {T} sets @returns {T}
 */
function someOf(sets) {
  return /** @type {T} */ (
    Object.fromEntries(
      Object.entries(sets).map(([name, texts]) => [name, texts.slice(0, 5).map((text) => text.slice(0, 1_000))]),
    )
  );
}

/**
 * The rows of one kind of text.
 * @param {string} set its name
 * @param {Map<string, Result[]>} results
 * @param {string} [work]
 * @param {import('./runner.mjs').Goal[]} [goals]
 */
function* setRows(set, results, work = set, goals = []) {
  const samplesOf = (/** @type {keyof SetResult} */ figure) =>
    samples(results, ({ sets }) => sets[set]?.[figure] ?? Number.NaN);
  yield rowOf(`${work}, first sight`, samplesOf('firstMs'), goals);
  yield rowOf(`${work}, hot`, samplesOf('hotMs'));
  yield { ...rowOf(`${work}, tokens counted`, samplesOf('tokens')), unit: /** @type {const} */ ('tokens') };
}

/**
 * Runs all contenders.
 * @param {string} name of the work, for progress messages
 * @param {Record<string, string[]>} sets
 * @param {number} warmUpCharacters characters of other text to count first
 * @param {number} rounds
 * @param {(work: string) => void} progress
 * @returns {Map<string, Result[]>} by contender
 */
function play(name, sets, warmUpCharacters, rounds, progress) {
  mkdirSync(build, { recursive: true });
  const file = join(build, 'token-texts.json');
  writeFileSync(file, JSON.stringify(sets));
  /** @type {Map<string, Result[]>} */
  const results = new Map(CONTENDERS.map((contender) => [contender, []]));
  for (let round = 0; round < rounds; round++) {
    progress(`${name}, round ${round + 1} of ${rounds}`);
    for (const [contender, taken] of results) {
      const output = execFileSync(
        process.execPath,
        ['--expose-gc', script, contender, file, String(warmUpCharacters)],
        {
          encoding: 'utf8',
        },
      );
      taken.push(JSON.parse(output));
    }
  }
  return results;
}

/** @param {Map<string, Result[]>} results @param {(result: Result) => number} figure */
function samples(results, figure) {
  return Object.fromEntries([...results].map(([contender, taken]) => [contender, taken.map(figure)]));
}

/** @returns {import('./runner.mjs').Goal} */
function eightTimesTheFastest() {
  const fastest = (/** @type {Record<string, number>} */ times) =>
    Math.min(...EXACT_JS.map((name) => times[name] ?? Number.NaN));
  return {
    text: 'product ≥ 8× as fast as the fastest exact JavaScript',
    met: (times) => fastest(times) / (times.product ?? Number.NaN) >= 8,
  };
}

/** @returns {import('./runner.mjs').Goal} */
function fasterThanTheHeuristic() {
  return { text: 'product faster than tokenx', met: ({ product = Number.NaN, tokenx = 0 }) => product < tokenx };
}

/** @returns {import('./runner.mjs').Goal} */
function firstCountGoal() {
  const text = `product ≤ ${MAX_MS_TO_FIRST_COUNT} ms`;
  return { text, met: ({ product = Number.NaN }) => product <= MAX_MS_TO_FIRST_COUNT };
}
