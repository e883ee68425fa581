// @ts-check
/**
 * Checks the same promise through the SDKs: each adapter sends over HTTP to a mock provider that keeps its own bill.
 * The same work is replayed twice, without and with an adapter, against a provider with the same cache losses at the
 * same requests.
 */

import { MemoryStore } from '../../__test__/stores/memory-store.mjs';
import { callsOf } from '../../__test__/support/adapters/tool-loop.mjs';
import { recordedWork, workOf } from '../adapters/recorded-work.mjs';
import { Renewed } from '../adapters/renewed.mjs';
import { Replay } from '../adapters/replay.mjs';
import { markdownTable } from '../runner.mjs';
import { PathSums } from './path-sums.mjs';
import { Prompts } from './prompts.mjs';
import { randomFor } from './random.mjs';
import { randomSession, words } from './sessions.mjs';
import { rowOf } from './tally.mjs';
import { WireAccount } from './wire-account.mjs';

/**
 * @typedef {import('../adapters/renewed.mjs').SdkReplay} SdkReplay
 * @typedef {import('../adapters/recorded-work.mjs').RecordedWork} RecordedWork
 * @typedef {import('./provider-account.mjs').Billed} Billed
 *
 * @typedef {object} Fate what happens to an adapter during a replay
 * @property {string} name
 * @property {import('../adapters/renewed.mjs').Restart} [restart]
 * @property {import('../adapters/replay.mjs').SideKind} [side]
 * @property {number} [losses] share of requests before which the provider loses its whole cache
 * @property {boolean} [isStored] true if facts are kept in a store
 */

const SDKS = ['ai-sdk', 'anthropic', 'langchain', 'mastra', 'openai-agents'];
const START_MS = 1_780_000_000_000;
/** By default one price list per SDK, because a replay over HTTP is slow. */
const USUAL_PRICES = ['anthropic', 'openai'];
const MARKED_PRICES = ['anthropic', 'anthropic-1h'];

const RECORDED = 'p06_medium_rereads';
const STEPS = 120;
const REPETITIVE_STEPS = 60;

/** @type {readonly Fate[]} */
export const FATES = [
  { name: 'one object' },
  { name: 'a new object per turn', restart: 'turn' },
  { name: 'a new object per request', restart: 'request' },
  { name: 'a title by the same object', side: 'title' },
  { name: 'a request twice', side: 'duplicate' },
  { name: 'losses of 3 %', losses: 0.03 },
];

/** The same with a store, through which each process continues where the previous one stopped. @type {readonly Fate[]} */
export const STORED_FATES = [
  { name: 'one object with a store', isStored: true },
  { name: 'a new object per turn with a store', restart: 'turn', isStored: true },
  { name: 'a new object per request with a store', restart: 'request', isStored: true },
  { name: 'a title by the same object with a store', side: 'title', isStored: true },
];

/**
 * Replays the work once, with an adapter or (`isAlone`) without.
 * @param {SdkReplay} life
 * @param {RecordedWork} work
 * @param {{ price: string, fate: Fate, prompts: Prompts, isAlone: boolean }} options
 */
async function replayed({ make, work: run, isMarked = false }, work, { price, fate, prompts, isAlone }) {
  const random = randomFor(`${fate.name} ${work.name}`);
  const lost = Array.from({ length: 10_000 }, () => random() < (fate.losses ?? 0));
  /** @type {Replay | undefined} */
  let replay;
  const nowMs = () => replay?.nowMs ?? 0;
  const account = new WireAccount({
    prompts,
    price,
    isMarked,
    isAlone,
    loses: (request) => lost[request] === true,
    nowMs,
  });
  replay = await Replay.start(work, /** @type {any} */ (price), account);
  replay.side = fate.side;
  const store = fate.isStored && { store: new MemoryStore(() => Date.now()), conversationId: work.name };
  const cacheControl = isMarked && { cacheControl: price === 'anthropic-1h' ? '1h' : true };
  const options = { price, placeholderLanguage: 'en', ages: work.ages, ...store, ...cacheControl };
  const ours = isAlone
    ? null
    : new Renewed(
        () => make(options),
        fate.restart ?? 'never',
        () => replay?.turn ?? 0,
      );
  try {
    await run(replay, ours);
    if (replay.failures > 0) throw replay.lastFailure;
  } finally {
    replay.close();
  }
  return { bills: account.bills, ledger: ours?.current.ledger() ?? null };
}

/**
 * Compares the bills of two replays, request by request.
 * @param {readonly Billed[]} ours
 * @param {readonly Billed[]} alone of unmodified history
 */
function compared(ours, alone) {
  if (ours.length !== alone.length) throw new Error(`${ours.length} requests, and ${alone.length} unmodified`);
  const paths = new PathSums();
  const result = { cost: 0, alone: 0, worst: 0, worstAt: -1, prefixChanges: 0 };
  for (const [request, bill] of ours.entries()) {
    const unmodified = /** @type {Billed} */ (alone[request]);
    result.cost += bill.cost;
    result.alone += unmodified.cost;
    const sum = paths.add(unmodified.nodes, bill.cost, unmodified.cost);
    if (sum.ours / sum.alone > result.worst) Object.assign(result, { worst: sum.ours / sum.alone, worstAt: request });
    if (!continuesRequest(ours[request - 1], bill) && continuesRequest(alone[request - 1], unmodified))
      result.prefixChanges++;
  }
  return result;
}

/** True if a request begins with the whole previous one. @param {Billed | undefined} before @param {Billed} bill */
function continuesRequest(before, { nodes }) {
  return before === undefined || nodes[before.nodes.length - 1] === before.nodes.at(-1);
}

/**
 * Bills of replays without an adapter, by side requests and losses, and the prompts that the provider has seen in them.
 * @typedef {{ prompts: Prompts, plays: Map<string, Billed[]> }} LeftAlone
 * @returns {LeftAlone}
 */
export const unmodifiedPlays = () => ({ prompts: new Prompts(), plays: new Map() });

/**
 * Replays a session through an SDK.
 * @param {SdkReplay} life
 * @param {RecordedWork} work
 * @param {string} price
 * @param {readonly Fate[]} fates
 * @param {LeftAlone} [unmodified] share it between calls with the same life, work and price
 * @returns {Promise<{ fate: Fate, outcome: import('./tally.mjs').Outcome }[]>}
 */
export async function outcomesThrough(life, work, price, fates, { prompts, plays } = unmodifiedPlays()) {
  /** What the first fate sends, with one object. @type {number[] | undefined} */
  let sentByOne;
  const outcomes = [];
  for (const fate of fates) {
    const key = `${fate.side} ${fate.losses}`;
    const options = { price, fate, prompts };
    const unmodified = plays.get(key) ?? (await replayed(life, work, { ...options, isAlone: true })).bills;
    plays.set(key, unmodified);
    const { bills, ledger } = await replayed(life, work, { ...options, isAlone: false });
    const sent = bills.map(({ nodes }) => nodes.at(-1) ?? 0);
    const isRestarted = fate.restart !== undefined;
    sentByOne ??= sent;
    const outcome = {
      ...compared(bills, unmodified),
      session: work.name,
      requests: bills.length,
      ledger,
      isLedgerWhole: !isRestarted || ledger.requests === bills.length,
      otherBytes: isRestarted ? sent.filter((node, request) => node !== sentByOne?.[request]).length : null,
      tooManyMarks: 0,
      compactions: null,
      sent: [],
    };
    outcomes.push({ fate, outcome });
  }
  return outcomes;
}

/**
 * How to replay work through each SDK.
 * @param {readonly string[]} [names] of files in bench/adapters @returns {Promise<SdkReplay[]>}
 */
export async function livesOf(names = SDKS) {
  const lives = [];
  for (const name of names) lives.push(...(await import(`../adapters/${name}.mjs`)).lives);
  return lives;
}

/** A generated session, which needs no recordings. @param {number} seed @param {number} requests @returns {RecordedWork} */
function randomWork(seed, requests) {
  const { name, messages } = randomSession('mixed', seed, true, requests);
  return workOf(name, messages, requests);
}

const STEP_MS = 20_000;
const TURN_STEPS = 8;
const LONG_STEPS = 10;
const LONG_WORDS = 2_000;
const SHORT_WORDS = 30;

/**
 * Work that reads the same files and runs the same commands repeatedly, with long results first and short ones later, so
 * that removing outdated results soon pays under each price list.
 * @param {number} steps
 * @returns {RecordedWork}
 */
export function repetitiveWork(steps) {
  const random = randomFor('repetitive');
  /** @type {RecordedWork['turns']} */
  const turns = [];
  for (let step = 0; step < steps; step++) {
    const askedMs = START_MS + step * STEP_MS;
    if (step % TURN_STEPS === 0) turns.push({ user: `Look at it, ${step}.`, timeMs: askedMs, answers: [] });
    const calls = callsOf('work', step).map(({ name, input }) => {
      const text = words(random, step < LONG_STEPS ? LONG_WORDS : SHORT_WORDS);
      return { name, arguments: input, text, isFailed: false, timeMs: askedMs + STEP_MS / 2 };
    });
    turns.at(-1)?.answers.push({ text: '', calls, askedMs, timeMs: askedMs });
  }
  for (const turn of turns) {
    const askedMs = turn.timeMs + (TURN_STEPS - 0.5) * STEP_MS;
    turn.answers.push({ text: 'Looked at.', calls: [], askedMs, timeMs: askedMs });
  }
  return { name: 'repetitive', tools: ['Bash', 'Read'], turns, ages: { fileRead: 3 } };
}

/**
 * The rows of all SDKs.
 * @param {{ prices?: readonly string[] | undefined, isSmall: boolean, progress: (work: string) => void }} run
 * @returns {Promise<import('./tally.mjs').Row[]>}
 */
export async function adapterRows({ prices = USUAL_PRICES, isSmall, progress }) {
  const recorded = isSmall ? undefined : recordedWork({ session: RECORDED, steps: STEPS });
  const works = [repetitiveWork(REPETITIVE_STEPS), recorded ?? randomWork(1, STEPS)];
  const rows = [];
  for (const life of await livesOf()) {
    const own = prices.filter((price) => MARKED_PRICES.includes(price) === (life.isMarked === true));
    for (const price of own) {
      progress(`${life.name}, ${price}`);
      const all = [];
      for (const work of works) {
        const unmodified = unmodifiedPlays();
        all.push(...(await outcomesThrough(life, work, price, FATES, unmodified)));
        all.push(...(await outcomesThrough(life, work, price, STORED_FATES, unmodified)));
      }
      for (const fate of [...FATES, ...STORED_FATES]) {
        const labels = { scenario: fate.name, host: life.name, price, isCovered: true };
        const outcomes = all.filter((each) => each.fate === fate).map(({ outcome }) => outcome);
        rows.push(rowOf(labels, outcomes, 1));
      }
    }
  }
  return rows;
}

/** Scenarios by SDK and price list. @param {readonly import('./tally.mjs').Row[]} rows */
export function adapterTable(rows) {
  const columns = [...new Set(rows.map(columnOf))];
  const body = [...FATES, ...STORED_FATES].map(({ name }) => {
    const own = rows.filter(({ scenario }) => scenario === name);
    return [name, ...columns.map((column) => cellOf(own.find((row) => columnOf(row) === column)))];
  });
  return markdownTable(['bill / worst / ledger', ...columns], body);
}

/** @param {import('./tally.mjs').Row} row */
const columnOf = ({ host, price }) => `${host}, \`${price}\``;

/** @param {import('./tally.mjs').Row | undefined} row */
function cellOf(row) {
  if (row === undefined) return '–';
  const { ratio, worst, ledgerError, otherBytes } = row;
  const off = ledgerError === null ? '–' : Math.max(ledgerError.cost, ledgerError.alone).toFixed(3);
  const other = otherBytes === null ? '' : `, ${otherBytes} other`;
  return `${ratio.toFixed(3)} / ${worst.toFixed(3)} / ${off}${other}`;
}
