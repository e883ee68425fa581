// @ts-check
/**
 * Cost of recorded sessions if an application calls `ContextView` before each request: `node bench/view-cost.mjs
 * [--quick]`. Reports costs, not times. `cache.mjs` plays schedules over numbers; this one bills the messages that are
 * actually sent.
 */
import { createRequire } from 'node:module';
import { CacheBiller } from '../__test__/support/cache-biller.mjs';
import { recordedSessions } from './promise/sessions.mjs';
import { markdownTable, runIfCalled } from './runner.mjs';

const product = createRequire(import.meta.url)('palimpsest');

const PRESETS = ['anthropic', 'anthropic-1h', 'openai', 'openai-older', 'deepseek', 'gemini'];
/** Time between requests if a recording has no times: that of a working agent. */
const SYNTHETIC_PACE_MS = 10_000;
const NO_RULES = { outdatedBy: 'nothing' };

/** Upper bounds of the groups by number of requests. */
const MAX_REQUESTS = [30, 100, 300, Number.POSITIVE_INFINITY];

export const title = 'What recorded sessions cost with `ContextView`, relative to leaving them alone';

/** Calls `compute` once per object. @template T @param {(object: any) => T} compute @returns {(object: any) => T} */
function once(compute) {
  /** @type {WeakMap<object, T>} */ const known = new WeakMap();
  return (object) => {
    if (!known.has(object)) known.set(object, compute(object));
    return /** @type {T} */ (known.get(object));
  };
}

/**
 * One request before each assistant message.
 * @param {{ messages: any[] }} session
 * @param {(stored: readonly any[], nowMs: number) => void} send
 * @returns {number} requests
 */
function play({ messages }, send) {
  /** @type {any[]} */ const stored = [];
  let [nowMs, requests] = [0, 0];
  for (const message of messages) {
    if (message.role === 'assistant' && stored.length > 0) {
      requests++;
      nowMs = Math.max(nowMs + SYNTHETIC_PACE_MS, stored.at(-1)?.timestamp ?? 0);
      send(stored, nowMs);
    }
    stored.push(message);
  }
  return requests;
}

/**
 * @typedef {{ work: string, times: Record<string, number>, worst: number, byLength: { sessions: number, ratio: number }[], unit: 'ratio' }} Row
 *   `byLength`: relative cost of the view for the sessions of each of `MAX_REQUESTS`
 *
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {Generator<Row>}
 */
export function* rows({ quick, progress }) {
  const sessions = recordedSessions().filter(({ messages }) => !quick || messages.length < 100);
  if (sessions.length === 0) return;
  for (const preset of PRESETS) {
    progress(preset);
    const all = sessions.map((session) => costsOf(session, preset));
    const [rules = 0, age = 0, view = 0] = ['rules', 'age', 'view'].map((name) => ratioIn(all, name));
    const byLength = MAX_REQUESTS.map((most, group) => {
      const members = all.filter(({ requests = 0 }) => requests > (MAX_REQUESTS[group - 1] ?? -1) && requests <= most);
      return { sessions: members.length, ratio: ratioIn(members, 'view') };
    });
    const worst = Math.max(0, ...all.map((costs) => ratioIn([costs], 'view')));
    yield { work: preset, times: { rules, age, view }, worst, byLength, unit: 'ratio' };
  }
}

/** @param {readonly Record<string, number>[]} costs @param {string} name */
function ratioIn(costs, name) {
  const sum = (/** @type {string} */ variant) => costs.reduce((total, cost) => total + (cost[variant] ?? 0), 0);
  return sum(name) / sum('alone');
}

/** @param {{ messages: any[] }} session @param {string} preset @returns {Record<string, number>} number of requests, and costs by name */
function costsOf(session, preset) {
  const { ContextView, Prices, TokenCounter } = product;
  const prices = new Prices(preset).toJSON();
  const counter = new TokenCounter();
  const tokensOf = once((message) => counter.countMessage(message));
  const textOf = once((message) => JSON.stringify(message) ?? '');
  // All four variants answer orphans, because a provider would reject them.
  const variants = {
    alone: NO_RULES,
    rules: { price: 'none' },
    age: { price: preset, outdatedBy: 'age' },
    view: { price: preset },
  };
  const hosts = Object.entries(variants).map(([name, options]) => ({
    name,
    view: new ContextView({ placeholderLanguage: 'en', ...options }),
    biller: new CacheBiller(prices, tokensOf, textOf),
  }));
  const requests = play(session, (stored, nowMs) => {
    for (const { view, biller } of hosts) biller.bill(view.project(stored, { now: nowMs }).messages, nowMs);
  });
  return { requests, ...Object.fromEntries(hosts.map(({ name, biller }) => [name, biller.cost])) };
}

/** @param {readonly Row[]} rows */
export function markdown(rows) {
  const costs = rows.map(({ work, times: { rules, age, view }, worst }) => [
    work,
    ...figures([rules, age, view, worst]),
  ]);
  const names = MAX_REQUESTS.map(
    (most, group) => `${(MAX_REQUESTS[group - 1] ?? 0) + 1} ${Number.isFinite(most) ? `to ${most}` : 'or more'}`,
  );
  const counts = (rows[0]?.byLength ?? []).map(({ sessions }, group) => `${names[group]} (${sessions} sessions)`);
  const byLength = rows.map(({ work, byLength: groups }) => [work, ...figures(groups.map(({ ratio }) => ratio))]);
  const head = [
    'prices',
    'its rules at every request',
    'by age (`outdatedBy`)',
    '`ContextView`',
    'its dearest session',
  ];
  return [markdownTable(head, costs), markdownTable(['`ContextView`, by requests', ...counts], byLength)].join('\n\n');
}

/** @param {readonly (number | undefined)[]} numbers */
const figures = (numbers) => numbers.map((number = Number.NaN) => number.toFixed(3));

export { markdown as table };

await runIfCalled(import.meta.url, rows, markdown);
