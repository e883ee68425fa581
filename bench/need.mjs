// @ts-check
/**
 * Each policy's cost and the share of later needs that it misses, that is, content of removed results that later
 * assistant messages used: `node bench/need.mjs [--prices NAME]… [--seeds 20] [--dump 40] [--json] [path…]`. Reports
 * costs and shares, not times. `--age fileRead=320` and `--max-extra-cost 0.1` try other settings of a view;
 * `--leave-out` adds in brackets the minimum and maximum when any one file is left out.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { nothing, score } from './need/bill.mjs';
import { curves, dump, duplicates, reacquired } from './need/controls.mjs';
import { conversations, knownPaths } from './need/conversations.mjs';
import { figuresOf, intervals, withoutAnyOne } from './need/intervals.mjs';
import {
  clearToolUses,
  compactAt,
  keepLast,
  newestThatFit,
  oracle,
  played,
  pruneMessages,
  randomLike,
  withoutEarlierTurns,
} from './need/policies.mjs';
import { seeded } from './promise/random.mjs';
import { markdownTable } from './runner.mjs';

/** Ages of results in requests. */
const AGES = [1, 5, 10, 20, 40, 80, 160, 320];

/**
 * @typedef {import('./need/bill.mjs').Context} Context
 * @typedef {import('./need/bill.mjs').Price & { preset: string }} Price
 * @typedef {import('./need/bill.mjs').Plan} Plan
 * @typedef {import('./need/intervals.mjs').Figures} Figures
 * @typedef {{ policy: string, prices: string, figures: Figures, low: Figures, high: Figures }} Row
 */

/** All policies by name. @param {Price} price @returns {[name: string, (context: Context) => Plan][]} */
function policiesAt(price) {
  const own = (/** @type {string} */ name) => (/** @type {Context} */ context) => played(context, price.preset, name);
  const clear = { trigger: 100_000, keep: 3 };
  return [
    ['unmodified', nothing],
    ['ContextView, by age', own('by-age')],
    ['ContextView, by kind', own('view')],
    ['the drop-ins’ rules at every request', own('every-request')],
    ['keep last 5', (context) => keepLast(context, 5)],
    ['keep last 20', (context) => keepLast(context, 20)],
    ['keep last 50', (context) => keepLast(context, 50)],
    ['`clear_tool_uses` 100 k / 3', (context) => clearToolUses(context, { ...clear, isSticky: false })],
    ['`clear_tool_uses` 100 k / 3, sticky', (context) => clearToolUses(context, { ...clear, isSticky: true })],
    [
      'LangChain `ClearToolUsesEdit`',
      (context) => clearToolUses(context, { ...clear, isSticky: false, countsMessagesOnly: true }),
    ],
    ['Mastra `ToolCallFilter`', withoutEarlierTurns],
    ['Mastra `TokenLimiter`, 127 k', (context) => newestThatFit(context, 127_000)],
    ['`pruneMessages`, last 20', (context) => pruneMessages(context, 20)],
    ['compaction at 80 % of 200 k', (context) => compactAt(context, price, { window: 200_000, share: 0.8 })],
    ['oracle', (context) => oracle(context, price)],
  ];
}

/** @param {readonly Context[]} contexts @param {Price} price @param {number} seeds @param {typeof intervals} rangeOf @returns {Row[]} */
function tableAt(contexts, price, seeds, rangeOf) {
  const alone = contexts.map((context) => score(context, nothing(context), price, 0).cost);
  const scored = (/** @type {(context: Context) => Plan} */ plan) =>
    contexts.map((context, index) => ({
      ...score(context, plan(context), price, alone[index] ?? 0),
      file: context.file,
    }));
  const rows = policiesAt(price).map(([policy, plan]) => {
    const scores = scored(plan);
    return { policy, prices: price.preset, figures: figuresOf(scores), ...rangeOf(scores) };
  });
  for (const { like, policy } of [
    { like: 'as by age', policy: 'by-age' },
    { like: 'as by kind', policy: 'view' },
  ]) {
    const draws = Array.from({ length: seeds }, (_, seed) => {
      const random = seeded(seed + 1);
      return scored((context) => randomLike(context, played(context, price.preset, policy), random));
    });
    const all = draws.map(figuresOf);
    const combined = (/** @type {(values: number[]) => number} */ pick) => ({
      bill: pick(all.map(({ bill }) => bill)),
      found: pick(all.map(({ found }) => found)),
      missed: pick(all.map(({ missed }) => missed)),
      strong: pick(all.map(({ strong }) => strong)),
    });
    const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [low, high] = [combined((values) => Math.min(...values)), combined((values) => Math.max(...values))];
    rows.push({ policy: `random, as many tokens ${like}`, prices: price.preset, figures: combined(mean), low, high });
  }
  return rows;
}

/** @param {readonly Row[]} rows @returns {string} Markdown */
export function table(rows) {
  const share = (/** @type {Row} */ { figures, low, high }, /** @type {'missed' | 'strong'} */ name) =>
    `${(100 * figures[name]).toFixed(1)} (${(100 * low[name]).toFixed(1)}–${(100 * high[name]).toFixed(1)})`;
  const lines = rows.map((row) => {
    const { policy, figures, low, high } = row;
    const bill = `${figures.bill.toFixed(3)} (${low.bill.toFixed(3)}–${high.bill.toFixed(3)})`;
    return [policy, bill, share(row, 'missed'), share(row, 'strong'), figures.found.toFixed(3)];
  });
  return markdownTable(['policy', 'bill', 'missed, %', 'strong, %', 'all looked up'], lines);
}

/** @param {readonly Context[]} contexts @returns {string} Markdown */
function curveTable(contexts) {
  const points = curves(contexts, AGES);
  const kinds = [...new Set(points.map(({ kind }) => kind))].sort();
  const lines = kinds.map((kind) => {
    const cells = AGES.map((age) => {
      const point = points.find((each) => each.kind === kind && each.age === age);
      return point === undefined ? '' : `${((100 * point.needed) / point.results).toFixed(1)} of ${point.results}`;
    });
    return [kind, ...cells];
  });
  return markdownTable(['kind', ...AGES.map(String)], lines);
}

/** @param {readonly Context[]} contexts @param {string} prices @returns {string} Markdown */
function reacquiredTable(contexts, prices) {
  const rows = reacquired(contexts, (context) => played(context, prices, 'view'));
  const lines = rows.map(({ kind, replaced, reacquired: again }) => [kind, replaced, again]);
  return markdownTable(['kind', 'replaced', 'fetched again'], lines);
}

/**
 * @param {{ prices?: string[], seeds: number, paths?: string[],
 *   viewOptions?: Parameters<typeof conversations>[2], leaveOut?: boolean }} options
 */
export async function measured({
  prices: wanted = ['anthropic'],
  seeds,
  paths = [],
  viewOptions = {},
  leaveOut = false,
}) {
  const [presets] = createRequire(import.meta.url)('../lib/native.js').pricePresets();
  const names = presets
    .map((/** @type {Price} */ { preset }) => preset)
    .filter((/** @type {string} */ one) => one !== 'none');
  const lists = wanted.includes('all') ? names : names.filter((/** @type {string} */ name) => wanted.includes(name));
  const contexts = await conversations(paths.length > 0 ? paths : knownPaths(), lists, viewOptions);
  const chosen = presets.filter((/** @type {Price} */ { preset }) => lists.includes(preset));
  const rows = chosen.flatMap((/** @type {Price} */ price) =>
    tableAt(contexts, price, seeds, leaveOut ? withoutAnyOne : intervals),
  );
  return { contexts, rows };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      prices: { type: 'string', multiple: true },
      seeds: { type: 'string', default: '20' },
      dump: { type: 'string' },
      json: { type: 'boolean', default: false },
      age: { type: 'string', multiple: true, default: [] },
      'max-extra-cost': { type: 'string' },
      'leave-out': { type: 'boolean', default: false },
    },
  });
  const ages = Object.fromEntries(
    values.age.map((age) => age.split('=')).map(([kind, requests]) => [kind, Number(requests)]),
  );
  const share = values['max-extra-cost'];
  const viewOptions = { ages, ...(share !== undefined && { maxExtraCost: Number(share) }) };
  const seeds = Number(values.seeds);
  const { contexts, rows } = await measured({
    prices: values.prices,
    seeds,
    paths: positionals,
    viewOptions,
    leaveOut: values['leave-out'],
  });
  if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const needs = contexts.flatMap((context) => context.needs);
    const strong = needs.filter((need) => need.strong).length;
    const files = new Set(contexts.map(({ file }) => file)).size;
    const head = `${contexts.length} conversations of ${files} files, ${needs.length} needs, ${strong} of them strong`;
    const { removed, missed } = duplicates(contexts);
    const parts = [...new Set(rows.map(({ prices }) => prices))].map(
      (prices) => `### ${prices}\n\n${table(rows.filter((row) => row.prices === prices))}`,
    );
    const same = `Control: ${removed} duplicates removed, ${missed} needs missed.`;
    const old = `% of results needed at this age in requests, or later:\n\n${curveTable(contexts)}`;
    const list = rows[0]?.prices ?? '';
    const again = `Of what ContextView replaces (${list}), what the agent fetched again:\n\n${reacquiredTable(contexts, list)}`;
    process.stdout.write(`${[head, ...parts, same, old, again].join('\n\n')}\n`);
    if (values.dump !== undefined) process.stdout.write(`\n${dump(contexts, Number(values.dump))}\n`);
  }
}
