// @ts-check
/**
 * Cost of sessions with a prompt cache, by policy: `node bench/cache.mjs [--quick]`. Reports costs, not times, so the
 * figures are the same on every machine.
 */
import { createRequire } from 'node:module';
import { loadCorpus } from '../__test__/support/corpus.mjs';
import { columnsOf } from './cache-columns.mjs';
import { loadRecordings } from './cache-recordings.mjs';
import { markdownTable, runIfCalled, verdictsOf } from './runner.mjs';

const native = createRequire(import.meta.url)('../lib/native.js');
const { Prices } = createRequire(import.meta.url)('palimpsest');

export const title = 'What sessions cost with a prompt cache, relative to leaving them alone';

/** Target ratio of the view's cost to that of the best schedule found by search with knowledge of the whole session. */
const GOALS = new Map([
  ['anthropic', 1.02],
  ['anthropic-1h', 1.06],
  ['openai', 1.03],
  ['openai-older', 1.01],
  ['deepseek', 1.15],
  ['gemini', 1.01],
]);
/** Maximum cost of a session relative to unmodified history. */
const COST_LIMIT = 1.02;
/** Columns of the table: names of policies. */
const POLICY_NAMES = new Map([
  ['every-request', 'at every request'],
  ['batches-20k', 'batches of 20 k'],
  ['batches-30k', 'batches of 30 k'],
  ['clear-above-100k', 'all but 3 above 100 k'],
  ['view', 'the view'],
  ['hindsight-with-promise', 'hindsight, promise kept'],
  ['hindsight-search', 'hindsight, 60 wide'],
  ['hindsight', 'hindsight, best of all'],
]);

/**
 * @typedef {object} CostRow
 * @property {string} work name of the price list
 * @property {Record<string, number>} times each policy's cost relative to unmodified history; not times
 * @property {Record<string, number>} worst each policy's highest session cost relative to unmodified history
 * @property {{ text: string, met: boolean }[]} goals
 * @property {'ratio'} unit
 */

/** Ten recorded sessions, and sessions of other agents that are simple to read. @param {boolean} quick */
function sessions(quick) {
  const found = [...loadCorpus().sessions, ...loadRecordings()];
  return quick ? found.filter(({ messages }) => messages.length < 100) : found;
}

/**
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {Generator<CostRow>}
 */
export function* rows({ quick, progress }) {
  const recorded = sessions(quick).map(columnsOf);
  if (recorded.length === 0) return;
  for (const [preset, goal] of GOALS) {
    progress(preset);
    yield rowOf(preset, goal, recorded);
  }
}

/**
 * @param {string} preset @param {number} goal @param {import('./cache-columns.mjs').Columns[]} recorded
 * @returns {CostRow}
 */
function rowOf(preset, goal, recorded) {
  const prices = new Prices(preset).toJSON();
  /** @type {Record<string, number>} */ const totals = {};
  /** @type {Record<string, number>} */ const worst = {};
  for (const session of recorded) {
    const costs = costsOf(session, prices);
    for (const [policy, cost] of Object.entries(costs)) {
      totals[policy] = (totals[policy] ?? 0) + cost;
      worst[policy] = Math.max(worst[policy] ?? 0, cost / (costs['leave-alone'] ?? 1));
    }
  }
  const { 'leave-alone': alone = 1, view = 0, 'hindsight-search': searched = 1, hindsight = 1 } = totals;
  const dearest = worst.view ?? 0;
  const times = Object.fromEntries([...POLICY_NAMES.keys()].map((policy) => [policy, (totals[policy] ?? 0) / alone]));
  const others = ['every-request', 'batches-20k', 'batches-30k', 'clear-above-100k'];
  return {
    work: preset,
    times,
    worst,
    unit: 'ratio',
    goals: [
      {
        text: `view ≤ ${goal} × hindsight, 60 wide (${(view / searched).toFixed(3)}; ${(view / hindsight).toFixed(3)} of the best of all)`,
        met: view <= goal * searched,
      },
      { text: `no session above ${COST_LIMIT} × unmodified (${dearest.toFixed(3)})`, met: dearest <= COST_LIMIT },
      { text: 'no other policy cheaper', met: others.every((policy) => view <= (totals[policy] ?? 0)) },
    ],
  };
}

/**
 * @param {import('./cache-columns.mjs').Columns} session
 * @param {object} prices
 * @returns {Record<string, number>} costs of a session by policy
 */
function costsOf({ name, tokens, replaced, staleAt, lengths, times }, prices) {
  const columns = [tokens, replaced, staleAt, lengths, times].map((numbers) => Float64Array.from(numbers));
  const outcomes = native.simulateSession(prices, 0, ...columns);
  if (outcomes === null) throw new Error(`${name}: these columns can't be a session's`);
  return Object.fromEntries(outcomes.map(({ policy, cost }) => [policy, cost]));
}

/** Totals first, then the most expensive session of each policy. @param {readonly CostRow[]} rows */
export function markdown(rows) {
  const policies = [...POLICY_NAMES.keys()];
  const figures = (/** @type {Record<string, number>} */ costs) =>
    policies.map((policy) => (costs[policy] ?? Number.NaN).toFixed(3));
  const totals = rows.map(({ work, times, goals }) => [work, ...figures(times), verdictsOf(goals)]);
  const dearest = rows.map(({ work, worst }) => [work, ...figures(worst)]);
  const head = ['prices', ...POLICY_NAMES.values()];
  return [
    markdownTable([...head, 'goals'], totals),
    'The dearest session of each policy, relative to its unmodified history:',
    markdownTable(head, dearest),
  ].join('\n\n');
}

export { markdown as table };

await runIfCalled(import.meta.url, rows, markdown);
