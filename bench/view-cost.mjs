// @ts-check
/**
 * Cost of recorded sessions if an application calls `ContextView` before each request: `node bench/view-cost.mjs
 * [--quick]`. Reports costs, not times. `cache.mjs` plays schedules over numbers; this one bills the messages that are
 * actually sent.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { recordedSessions } from './promise/sessions.mjs';

const product = createRequire(import.meta.url)('palimpsest');

const PRESETS = ['anthropic', 'anthropic-1h', 'openai', 'openai-older', 'deepseek', 'gemini'];
/** Time between requests if a recording has no times: that of a working agent. */
const SYNTHETIC_PACE_MS = 10_000;
const NO_RULES = { outdatedBy: 'nothing' };

/** Upper bounds of the groups by number of requests. */
const LENGTHS = [30, 100, 300, Number.POSITIVE_INFINITY];

export const title = 'What recorded sessions cost with `ContextView`, relative to leaving them alone';

/** Bills as R10.3 says, over the bytes of the messages and their exact tokens. */
class Bill {
  cost = 0;
  /** @type {string[]} */ #last = [];
  #lastMs = Number.NEGATIVE_INFINITY;

  /** @param {any} prices @param {Weigher} weigher */
  constructor(prices, weigher) {
    this.prices = prices;
    this.weigher = weigher;
  }

  /** @param {readonly any[]} messages @param {number} nowMs */
  add(messages, nowMs) {
    const texts = messages.map((message) => this.weigher.textOf(message));
    const tokens = messages.map((message) => this.weigher.tokensOf(message));
    let shared = 0;
    while (shared < texts.length && texts[shared] === this.#last[shared]) shared++;
    const sum = (/** @type {readonly number[]} */ counts) => counts.reduce((total, count) => total + count, 0);
    const { read, write, ttlMs, minTokens, blockTokens } = this.prices;
    const prefix = Math.floor(sum(tokens.slice(0, shared)) / blockTokens) * blockTokens;
    const cached = nowMs - this.#lastMs > ttlMs || prefix < minTokens ? 0 : prefix;
    this.cost += read * cached + write * (sum(tokens) - cached);
    this.#last = texts;
    this.#lastMs = nowMs;
  }
}

/** Texts and tokens of messages, computed once each. */
class Weigher {
  #counter = new product.TokenCounter();
  /** @type {WeakMap<object, string>} */ #texts = new WeakMap();
  /** @type {WeakMap<object, number>} */ #tokens = new WeakMap();

  /** @param {any} message @returns {string} */
  textOf(message) {
    const known = this.#texts.get(message);
    if (known !== undefined) return known;
    const text = JSON.stringify(message) ?? '';
    this.#texts.set(message, text);
    return text;
  }

  /** @param {any} message @returns {number} */
  tokensOf(message) {
    const known = this.#tokens.get(message);
    if (known !== undefined) return known;
    /** @type {number} */
    const tokens = this.#counter.countMessage(message);
    this.#tokens.set(message, tokens);
    return tokens;
  }
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
 *   `byLength`: relative cost of the view for the sessions of each of `LENGTHS`
 *
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {Generator<Row>}
 */
export function* rows({ quick, progress }) {
  const all = recordedSessions();
  const sessions = quick ? all.filter(({ messages }) => messages.length < 100) : all;
  if (sessions.length === 0) return;
  for (const preset of PRESETS) {
    progress(preset);
    const totals = { alone: 0, rules: 0, age: 0, view: 0 };
    const lengths = LENGTHS.map(() => ({ sessions: 0, view: 0, alone: 0 }));
    let worst = 0;
    for (const session of sessions) {
      const costs = costsOf(session, preset);
      totals.alone += costs.alone;
      totals.rules += costs.rules;
      totals.age += costs.age;
      totals.view += costs.view;
      worst = Math.max(worst, costs.view / costs.alone);
      const alike = lengths[LENGTHS.findIndex((most) => costs.requests <= most)];
      if (alike === undefined) continue;
      alike.sessions++;
      alike.view += costs.view;
      alike.alone += costs.alone;
    }
    const [rules, age, view] = [totals.rules, totals.age, totals.view].map((total) => total / totals.alone);
    const times = { rules, age, view };
    const byLength = lengths.map(({ sessions: count, view: cost, alone }) => ({
      sessions: count,
      ratio: cost / alone,
    }));
    yield { work: preset, times, worst, byLength, unit: 'ratio' };
  }
}

/** @param {{ messages: any[] }} session @param {string} preset */
function costsOf(session, preset) {
  const { ContextView, Prices } = product;
  const prices = new Prices(preset).toJSON();
  const weigher = new Weigher();
  const newBill = () => new Bill(prices, weigher);
  const bills = { alone: newBill(), rules: newBill(), age: newBill(), view: newBill() };
  const options = { placeholderLanguage: 'en' };
  // All four variants answer orphans, because a provider would reject them.
  const views = {
    alone: new ContextView({ ...options, ...NO_RULES }),
    rules: new ContextView({ ...options, price: 'none' }),
    age: new ContextView({ ...options, price: preset, outdatedBy: 'age' }),
    view: new ContextView({ ...options, price: preset }),
  };
  const requests = play(session, (stored, nowMs) => {
    bills.alone.add(views.alone.project(stored, { now: nowMs }).messages, nowMs);
    bills.rules.add(views.rules.project(stored, { now: nowMs }).messages, nowMs);
    bills.age.add(views.age.project(stored, { now: nowMs }).messages, nowMs);
    bills.view.add(views.view.project(stored, { now: nowMs }).messages, nowMs);
  });
  const { alone, rules, age, view } = bills;
  return { requests, alone: alone.cost, rules: rules.cost, age: age.cost, view: view.cost };
}

/** @param {readonly Row[]} rows */
export function markdown(rows) {
  const cells = rows.map(({ work, times, worst }) =>
    [work, times.rules?.toFixed(3), times.age?.toFixed(3), times.view?.toFixed(3), worst.toFixed(3)].join(' | '),
  );
  const head = 'prices | its rules at every request | by age (`outdatedBy`) | `ContextView` | its dearest session';
  const costs = [`| ${head} |`, '| --- | --: | --: | --: | --: |', ...cells.map((row) => `| ${row} |`)];
  return [...costs, '', ...lengthTable(rows)].join('\n');
}

/** @param {readonly Row[]} rows */
function lengthTable(rows) {
  const names = LENGTHS.map(
    (most, at) => `${(LENGTHS[at - 1] ?? 0) + 1} ${Number.isFinite(most) ? `to ${most}` : 'or more'}`,
  );
  const counts = (rows[0]?.byLength ?? []).map(({ sessions }, at) => `${names[at]} (${sessions} sessions)`);
  const cells = rows.map(({ work, byLength }) => [work, ...byLength.map(({ ratio }) => ratio.toFixed(3))].join(' | '));
  const head = ['`ContextView`, by requests', ...counts].join(' | ');
  return [`| ${head} |`, `| --- |${' --: |'.repeat(counts.length)}`, ...cells.map((row) => `| ${row} |`)];
}

export { markdown as table };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  const progress = (/** @type {string} */ work) => process.stderr.write(`${work} …\n`);
  process.stdout.write(`${markdown([...rows({ quick: values.quick, progress })])}\n`);
}
