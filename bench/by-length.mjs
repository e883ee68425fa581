// @ts-check
/**
 * A view's savings by length of the conversation, and by whether it has pauses longer than the cache's lifetime. `node
 * bench/by-length.mjs [--prices anthropic]`. Reports costs and shares, not times.
 *
 * The first table covers 173 conversations that were not used to choose any rule, age or setting. They are stored as
 * numbers without texts, so results can't be sent as references; the real savings are at least this large. The second
 * table covers recorded conversations, with references.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { isMissed, nothing, runningBill } from './need/bill.mjs';
import { conversations, knownPaths } from './need/conversations.mjs';
import { played } from './need/policies.mjs';
import { markdownTable, median } from './runner.mjs';

const require = createRequire(import.meta.url);
const native = require('../lib/native.js');
const { encodeRequests, outboxFor, readOutcome } = require('../lib/view/fold-encoding.js');
const UNSEEN = fileURLToPath(new URL('../../shared/need/columns.json.gz', import.meta.url));
/** Groups by number of requests. @type {[name: string, from: number, to: number][]} */
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
 * @typedef {object} Outcome results for one conversation
 * @property {number} requests
 * @property {boolean} hasPauses longer than the cache's lifetime
 * @property {number} alone cost of unmodified history
 * @property {number} cost
 * @property {number} worst maximum over all requests of the cost so far, relative to unmodified history
 * @property {number} needs count
 * @property {number} missed count
 * @property {number} strong count
 * @property {number} strongMissed count
 */

/**
 * The removals that the product's fold decides on.
 * @param {Context & { outdated: [position: number, request: number, tokensAfter: number][] }} context @param {Price} price @returns {Plan}
 */
function planByFold({ outdated, ...context }, price) {
  const { tokens, lengths, timesMs, fixedTokens } = context;
  const time = (/** @type {number} */ request) => timesMs[request] ?? Number.NaN;
  let longest = 0;
  const requests = lengths.map((length, request) => {
    longest = Math.max(longest, length);
    const previousTime = time(request - 1);
    return {
      end: longest,
      time: time(request),
      lastTime: previousTime,
      interruptedTime: previousTime,
      isUndecided: false,
    };
  });
  const removable = outdated.map(([position, from, tokensAfter]) => ({
    row: position,
    message: position,
    saved: (tokens[position] ?? 0) - tokensAfter,
    savedByReferences: 0,
    request: Math.max(from, firstSent(lengths, position)),
  }));
  const fold = new native.PromptFold({ price: price.preset });
  fold.begin({ fixedTokens, system: 0, marksBefore: 0, marks: 0 }, 0);
  const outbox = outboxFor(removable.length, 0);
  fold.advance(
    encodeRequests(requests, { first: 0, isSide: false, outdated: removable }, (position) => [
      tokens[position] ?? 0,
      1,
      0,
    ]),
    outbox,
  );
  const plan = nothing(context);
  const tokensAfter = new Map(outdated.map(([position, , after]) => [position, after]));
  for (const { row, encodedRequest } of readOutcome(outbox).removed) {
    plan.removedFrom[row] = encodedRequest;
    plan.tokensAfter[row] = tokensAfter.get(row) ?? 0;
  }
  return plan;
}

/** First request that sends a message. @param {readonly number[]} lengths @param {number} position */
function firstSent(lengths, position) {
  return lengths.findIndex((length) => length > position);
}

/** @param {Context} context @param {Plan} plan @param {Price} price @returns {Outcome} */
function outcomeOf(context, plan, price) {
  const [costs, alone] = [runningBill(context, plan, price), runningBill(context, nothing(context), price)];
  const { lengths, timesMs, needs } = context;
  const missed = needs.filter((need) => isMissed(need, plan));
  const countStrong = (/** @type {typeof needs} */ list) => list.filter((need) => need.strong).length;
  return {
    requests: lengths.length,
    hasPauses: timesMs.some((time, request) => request > 0 && time - (timesMs[request - 1] ?? 0) > price.ttlMs),
    cost: costs.at(-1) ?? 0,
    alone: alone.at(-1) ?? 0,
    worst: Math.max(...costs.map((cost, request) => cost / (alone[request] ?? 1))),
    needs: needs.length,
    missed: missed.length,
    strong: countStrong(needs),
    strongMissed: countStrong(missed),
  };
}

/** A line of the table. @param {string} name @param {readonly Outcome[]} list @param {number} alone cost of all unmodified histories */
function line(name, list, alone) {
  const sum = (/** @type {(outcome: Outcome) => number} */ figure) =>
    list.reduce((total, outcome) => total + figure(outcome), 0);
  const share = (/** @type {number} */ part, /** @type {number} */ all) =>
    `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;
  return [
    name,
    list.length,
    share(
      sum((one) => one.alone),
      alone,
    ).replace(/\.\d/, ''),
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
}

/** @param {readonly Outcome[]} all @returns {string} Markdown */
function table(all) {
  const groups = LENGTHS.flatMap(([name, from, to]) => {
    const members = all.filter(({ requests }) => requests >= from && requests < to);
    const paused = members.filter(({ hasPauses }) => hasPauses);
    const parts = /** @type {const} */ ([
      [`${name} requests`, members],
      ['– without pauses', members.filter(({ hasPauses }) => !hasPauses)],
      ['– with pauses', paused],
    ]);
    return paused.length === 0 ? parts.slice(0, 1) : parts;
  });
  const lines = [...groups, /** @type {const} */ (['all', all])].filter(([, list]) => list.length > 0);
  const cost = all.reduce((total, { alone }) => total + alone, 0);
  const head = [
    'conversations',
    'of all costs',
    'bill',
    'median',
    'save something',
    'worst at a request',
    'needs missed',
    'strong ones',
  ];
  return markdownTable(
    ['', ...head],
    lines.map(([name, list]) => line(name, list, cost)),
  );
}

/** @param {string} prices @returns {Promise<string>} */
async function report(prices) {
  const [presets] = native.pricePresets();
  const price = /** @type {Price | undefined} */ (presets.find((/** @type {any} */ { preset }) => preset === prices));
  if (price === undefined) throw new Error(`--prices: expected a list of prices, and ${prices} came`);
  const unseen = JSON.parse(String(gunzipSync(readFileSync(UNSEEN))));
  const recorded = await conversations(knownPaths(), [prices]);
  return [
    `### ${prices}`,
    'Nothing was chosen on these; no references, since they have no texts:',
    table(unseen.map((/** @type {any} */ context) => outcomeOf(context, planByFold(context, price), price))),
    'Recorded, with references:',
    table(recorded.map((context) => outcomeOf(context, played(context, prices, 'view'), price))),
  ].join('\n\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { prices: { type: 'string', default: 'anthropic' } } });
  if (!existsSync(UNSEEN)) console.log('skipped: the conversations are next to a clone, in ../shared/need');
  else console.log(await report(values.prices));
}
