// @ts-check
/**
 * What a view saves by what a user has: how long conversations are, and whether they pause for longer than the cache lives.
 * `node bench/by-length.mjs [--prices anthropic]`. Costs and shares, not times.
 *
 * The first table is of 173 conversations that no rule, age or setting was chosen on. They are numbers, without texts, so that no result
 * can refer to another: a view saves at least so much there. The second is of recorded conversations, with references.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { isMissed, nothing, runningBill } from './need/bill.mjs';
import { conversations, knownPaths } from './need/conversations.mjs';
import { played } from './need/policies.mjs';

const native = createRequire(import.meta.url)('../lib/native.js');
const UNSEEN = fileURLToPath(new URL('../../shared/need/columns.json.gz', import.meta.url));
/** @type {[name: string, from: number, to: number][]} */
const LENGTHS = [
  ['under 20', 0, 20],
  ['20 to 59', 20, 60],
  ['60 to 119', 60, 120],
  ['120 and more', 120, Number.POSITIVE_INFINITY],
];

/**
 * @typedef {import('./need/bill.mjs').Context} Context
 * @typedef {import('./need/bill.mjs').Plan} Plan
 * @typedef {import('./need/bill.mjs').Price & { preset: string }} Price
 * @typedef {{ requests: number, hasPauses: boolean, alone: number, cost: number, worst: number, needs: number, missed: number,
 *   strong: number, strongMissed: number }} Outcome of one conversation
 */

/** What the product's fold removes. @param {Context & { outdated: [number, number, number][] }} context @param {Price} price @returns {Plan} */
function folded({ tokens, lengths, timesMs, fixedTokens, outdated, ...rest }, price) {
  const { foldedRequest: at, foldOutcome } = native.layouts();
  const [numbers, head] = [Object.keys(at).length, Object.keys(foldOutcome).length];
  const fold = new native.PromptFold({ price: price.preset });
  fold.begin({ fixedTokens, system: 0, marksBefore: 0, marks: 0 }, 0);
  const plan = nothing({ tokens, lengths, timesMs, fixedTokens, ...rest });
  const after = new Map(outdated.map(([position, , left]) => [position, left]));
  let start = 0;
  lengths.forEach((length, request) => {
    const due = outdated.filter(
      ([position, from]) => position < length && Math.max(from, firstSent(lengths, position)) === request,
    );
    const inbox = [1, ...Array.from({ length: numbers }, () => 0)];
    inbox[1 + at.messages] = Math.max(0, length - start);
    inbox[1 + at.outdated] = due.length;
    inbox[1 + at.time] = timesMs[request] ?? Number.NaN;
    for (const place of [at.lastTime, at.interruptedTime]) inbox[1 + place] = timesMs[request - 1] ?? Number.NaN;
    for (; start < length; start++) inbox.push(tokens[start] ?? 0, 1, 0);
    for (const [position, , left] of due) inbox.push(position, position, (tokens[position] ?? 0) - left);
    const outbox = new Float64Array(head + 2 * tokens.length);
    fold.advance(Float64Array.from(inbox), outbox);
    for (let place = head; place < head + 2 * (outbox[foldOutcome.removed] ?? 0); place += 2) {
      const position = outbox[place] ?? 0;
      [plan.at[position], plan.after[position]] = [request, after.get(position) ?? 0];
    }
  });
  return plan;
}

/** @param {readonly number[]} lengths @param {number} position */
function firstSent(lengths, position) {
  return lengths.findIndex((length) => length > position);
}

/** @param {Context} context @param {Plan} plan @param {Price} price @returns {Outcome} */
function outcomeOf(context, plan, price) {
  const [costs, alone] = [runningBill(context, plan, price), runningBill(context, nothing(context), price)];
  const { lengths, timesMs, needs } = context;
  const missed = needs.filter((need) => isMissed(need, plan));
  const strong = (/** @type {typeof needs} */ list) => list.filter((need) => need.strong).length;
  return {
    requests: lengths.length,
    hasPauses: timesMs.some((time, at) => at > 0 && time - (timesMs[at - 1] ?? 0) > price.ttlMs),
    cost: costs.at(-1) ?? 0,
    alone: alone.at(-1) ?? 0,
    worst: Math.max(...costs.map((cost, at) => cost / (alone[at] ?? 1))),
    needs: needs.length,
    missed: missed.length,
    strong: strong(needs),
    strongMissed: strong(missed),
  };
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** @param {string} name @param {readonly Outcome[]} list */
function line(name, list) {
  const sum = (/** @type {(one: Outcome) => number} */ of) => list.reduce((all, one) => all + of(one), 0);
  const share = (/** @type {number} */ part, /** @type {number} */ all) =>
    `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
  const cells = [
    name,
    list.length,
    (sum((one) => one.cost) / sum((one) => one.alone)).toFixed(2),
    median(list.map(({ cost, alone }) => cost / alone)).toFixed(2),
    share(list.filter(({ cost, alone }) => cost < 0.995 * alone).length, list.length).replace(/\.\d/, ''),
    Math.max(...list.map(({ worst }) => worst)).toFixed(3),
    share(
      sum((one) => one.missed),
      sum((one) => one.needs),
    ),
    share(
      sum((one) => one.strongMissed),
      sum((one) => one.strong),
    ),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** @param {readonly Outcome[]} all @returns {string} Markdown */
function table(all) {
  const groups = LENGTHS.flatMap(([name, from, to]) => {
    const its = all.filter(({ requests }) => requests >= from && requests < to);
    const paused = its.filter(({ hasPauses }) => hasPauses);
    const parts = /** @type {const} */ ([
      [`${name} requests`, its],
      ['– without pauses', its.filter(({ hasPauses }) => !hasPauses)],
      ['– with pauses', paused],
    ]);
    return paused.length === 0 ? parts.slice(0, 1) : parts;
  });
  const lines = [...groups, /** @type {const} */ (['all', all])].filter(([, list]) => list.length > 0);
  return [
    '| | conversations | bill | median | save something | worst at a request | needs missed | strong ones |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...lines.map(([name, list]) => line(name, list)),
  ].join('\n');
}

/** @param {string} prices @returns {Promise<string>} */
async function report(prices) {
  const [presets] = native.pricePresets();
  const price = presets.find((/** @type {Price} */ { preset }) => preset === prices);
  if (price === undefined) throw new Error(`--prices: expected a list of prices, and ${prices} came`);
  const unseen = JSON.parse(String(gunzipSync(readFileSync(UNSEEN))));
  const recorded = await conversations(knownPaths(), [prices]);
  return [
    `### ${prices}`,
    'Nothing was chosen on these; no references, since they have no texts:',
    table(unseen.map((/** @type {any} */ context) => outcomeOf(context, folded(context, price), price))),
    'Recorded, with references:',
    table(recorded.map((context) => outcomeOf(context, played(context, prices, 'view'), price))),
  ].join('\n\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { prices: { type: 'string', default: 'anthropic' } } });
  if (!existsSync(UNSEEN)) console.log('skipped: the conversations lie beside a clone, in ../shared/need');
  else console.log(await report(values.prices));
}
