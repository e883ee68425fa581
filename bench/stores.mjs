// @ts-check
/**
 * A store's overhead per request and its disk usage: `node bench/stores.mjs [--quick]`. PostgreSQL runs on this
 * machine, on a socket and with fsync, and again with a simulated network delay of 5 ms each way.
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresStore } from 'palimpsest/postgres';
import { loadCorpus } from '../__test__/support/corpus.mjs';
import { Network } from '../__test__/support/network.mjs';
import { APP_ROLE, serverWithTables, withoutPostgres } from '../__test__/support/postgres.mjs';
import { MapStore } from '../docs/examples/map-store.mjs';
import { storedMessages, timeOf } from '../examples/fleet/conversation.mjs';
import { amount, markdownTable, quantile, runIfCalled, verdictsOf } from './runner.mjs';

const product = createRequire(import.meta.url)('palimpsest');

/** @typedef {{ work: string, times: Record<string, number>, goals: import('./runner.mjs').Verdict[], unit?: import('./runner.mjs').Unit }} Row */

/** Simulated network delay each way. */
const DELAY_MS = 5;
const FAR = 'PostgreSQL, 10 ms away';
/** Number of batches that are appended at the same time. */
const AT_ONCE = 8;
/** Messages of a batch. */
const BATCH = 10;
const TENANT = 'bench';

export const title = 'What a store adds to a request, and takes of a disk';

/** @param {readonly Row[]} all */
export function markdown(all) {
  const head = ['no store', 'memory', 'SQLite', 'PostgreSQL', FAR];
  const body = all.map(({ work, times, goals, unit }) => [
    work,
    ...head.map((name) => amount(times[name], unit)),
    verdictsOf(goals),
  ]);
  return markdownTable(['work', ...head, 'goal'], body);
}

export { markdown as table };

/** @param {{ quick: boolean, progress: (work: string) => void }} run */
export async function* rows({ quick, progress }) {
  if (withoutPostgres) return progress(withoutPostgres);
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-stores-'));
  const tables = await serverWithTables({ settings: ['fsync=on'] });
  const network = new Network(join(tables.server.folder, '.s.PGSQL.5432'), DELAY_MS);
  const far = tables.server.pool({ ...(await network.listen()), user: APP_ROLE, max: 10 });
  const file = join(folder, 'archive.db');
  const sqlite = new product.SessionArchive(file);
  try {
    const stores = {
      memory: new MapStore(),
      SQLite: sqlite,
      PostgreSQL: new PostgresStore({ pool: tables.pool, tenant: TENANT }),
      [FAR]: new PostgresStore({ pool: far, tenant: 'far' }),
    };
    progress('round trips');
    const trips = await roundTrips({ PostgreSQL: tables.pool, [FAR]: far }, quick ? 5 : 200);
    yield { work: 'round trip, least', times: trips, goals: [] };
    for (const length of quick ? [100] : [100, 1_000, 5_000]) {
      progress(`${length} messages`);
      yield* await requests(stores, length, trips, quick ? 3 : 60, quick ? 1 : 11);
    }
    progress('batches');
    yield* await batches(stores, quick ? 20 : 400);
    progress('sizes');
    yield* await sizes(sqlite, file, stores.PostgreSQL, tables.admin, quick ? 500 : 20_000);
  } finally {
    await Promise.all([far.end(), sqlite.close()]);
    network.close();
    await tables.end();
    rmSync(folder, { recursive: true });
  }
}

/** @param {Record<string, import('pg').Pool>} pools @param {number} rounds */
async function roundTrips(pools, rounds) {
  /** @type {Record<string, number>} */
  const times = {};
  for (const [name, pool] of Object.entries(pools)) {
    const taken = [];
    for (let round = 0; round < rounds; round++) {
      taken.push(await timed(() => pool.query('SELECT $1::text', ['x'])));
    }
    times[name] = Math.min(...taken);
  }
  return times;
}

/** A growing conversation, to be measured with and without a store. */
class Conversation {
  /** @type {any[]} */ #messages;

  /** @param {any} store @param {string} id @param {number} length */
  constructor(store, id, length) {
    this.store = store;
    this.id = id;
    this.step = length / 2;
    this.#messages = storedMessages(0, this.step);
    this.begin();
  }

  /** Simulates a new process, which doesn't know the conversation yet. */
  begin() {
    this.views = new product.ContextViews({ price: 'anthropic', ...(this.store && { store: this.store }) });
  }

  extend() {
    this.step++;
    this.#messages = [...this.#messages, ...storedMessages(0, this.step, this.step)];
  }

  /** Time of the next request, ms. */
  ask() {
    const options = { conversationId: this.id, now: timeOf(this.step) };
    return timed(() => this.views?.prepare(this.#messages, options));
  }
}

/**
 * A store's overhead for the next request of a conversation, and the total time of a new process's first request.
 * @param {Record<string, any>} stores
 * @param {number} length
 * @param {Record<string, number>} trips
 * @param {number} rounds
 * @param {number} starts
 */
async function requests(stores, length, trips, rounds, starts) {
  const alone = new Conversation(undefined, 'alone', length);
  const measured = Object.entries(stores).map(([name, store]) => ({
    name,
    conversation: new Conversation(store, `${length}`, length),
    taken: /** @type {number[]} */ ([]),
    added: /** @type {number[]} */ ([]),
    first: /** @type {number[]} */ ([]),
  }));
  for (const conversation of [alone, ...measured.map(({ conversation }) => conversation)]) await conversation.ask();
  let leastWithoutStore = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    alone.extend();
    const base = await alone.ask();
    leastWithoutStore = Math.min(leastWithoutStore, base);
    const from = round % measured.length;
    for (const { conversation, taken, added } of [...measured.slice(from), ...measured.slice(0, from)]) {
      conversation.extend();
      taken.push(await conversation.ask());
      added.push((taken.at(-1) ?? 0) - base);
    }
  }
  const firstAlone = [];
  for (let start = 0; start < starts; start++) {
    alone.extend();
    alone.begin();
    firstAlone.push(await alone.ask());
    for (const { conversation, first } of measured) {
      conversation.extend();
      conversation.begin();
      first.push(await conversation.ask());
    }
  }
  const facts = await stores.memory.facts(`${length}`);
  const bytes = facts.reduce((/** @type {number} */ sum, { fact }) => sum + fact.length, 0);
  const quantiles = (/** @type {'added' | 'first'} */ which, /** @type {number} */ share) =>
    Object.fromEntries(measured.map((each) => [each.name, quantile(each[which], share)]));
  // On a machine with other load the minimum shows a store's own cost best.
  const least = Object.fromEntries(measured.map(({ name, taken }) => [name, Math.min(...taken) - leastWithoutStore]));
  const goals = [
    { text: `${FAR}: least ≤ 1.5 × the round trip`, met: (least[FAR] ?? Number.NaN) <= 1.5 * (trips[FAR] ?? 0) },
  ];
  return [
    { work: `added to a request, ${length} messages, least`, times: least, goals },
    { work: `added to a request, ${length} messages, p50`, times: quantiles('added', 0.5), goals: [] },
    { work: `added to a request, ${length} messages, p95`, times: quantiles('added', 0.95), goals: [] },
    {
      work: `first request of a process, ${length} messages`,
      times: { ...quantiles('first', 0.5), 'no store': quantile(firstAlone, 0.5) },
      goals: [],
    },
    {
      work: `facts of ${length} messages`,
      times: { memory: bytes / 1e3 },
      goals: [],
      unit: /** @type {const} */ ('kB'),
    },
  ];
}

/** Time for a batch of ten messages, one batch after another and eight at once. @param {Record<string, any>} stores @param {number} count */
async function batches(stores, count) {
  /** @type {Record<string, number>} */ const inTurn = {};
  /** @type {Record<string, number>} */ const atOnce = {};
  for (const [name, store] of Object.entries(stores)) {
    const append = (/** @type {number} */ index) =>
      store.append(`session ${index % 50}`, batchOf(`${index}`, storedMessages(index, BATCH / 2)));
    const inTurnMs = await timed(async () => {
      for (let index = 0; index < count; index++) await append(index);
    });
    inTurn[name] = inTurnMs / count;
    let next = count;
    const atOnceMs = await timed(() =>
      Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (next < 2 * count) await append(next++);
        }),
      ),
    );
    atOnce[name] = atOnceMs / count;
  }
  return [
    { work: `a batch of ${BATCH} messages`, times: inTurn, goals: [] },
    { work: `a batch, ${AT_ONCE} at once`, times: atOnce, goals: [] },
  ];
}

/**
 * Disk usage of messages: those of recorded sessions, repeated with different words at the start.
 * @param {InstanceType<typeof product.SessionArchive>} sqlite
 * @param {string} file
 * @param {PostgresStore} postgres
 * @param {import('pg').Pool} admin
 * @param {number} count
 */
async function sizes(sqlite, file, postgres, admin, count) {
  const recorded = loadCorpus().sessions.flatMap(({ messages }) => messages);
  const texts = recorded.length > 0 ? recorded : storedMessages(0, 100);
  const before = await sizeIn(admin);
  const fileBefore = statSync(file).size;
  const size = 100;
  let bytes = 0;
  for (let start = 0; start < count; start += size) {
    const messages = Array.from({ length: size }, (_, index) => {
      const { content, ...rest } = texts[(start + index) % texts.length];
      return { ...rest, content: typeof content === 'string' ? `${(start + index).toString(36)} ${content}` : content };
    });
    bytes += Buffer.byteLength(JSON.stringify(messages));
    const batch = batchOf(`size ${start}`, messages);
    await Promise.all([sqlite.append(`sizes ${start % 50}`, batch), postgres.append(`sizes ${start % 50}`, batch)]);
  }
  const after = await sizeIn(admin);
  const MB = 1e6;
  const grown = (/** @type {'tables' | 'indexes' | 'grams'} */ name) => (after[name] - before[name]) / MB;
  return /** @type {Row[]} */ ([
    { work: `${count} messages as JSON`, times: { memory: bytes / MB }, goals: [], unit: 'MB' },
    {
      work: `${count} messages: in all`,
      times: { SQLite: (statSync(file).size - fileBefore) / MB, PostgreSQL: grown('tables') + grown('indexes') },
      goals: [],
      unit: 'MB',
    },
    { work: 'of it indexes of keys', times: { PostgreSQL: grown('indexes') - grown('grams') }, goals: [], unit: 'MB' },
    {
      work: 'of it the index of words, and what it is made of',
      times: { PostgreSQL: grown('grams') + (after.gramRows - before.gramRows) / MB },
      goals: [],
      unit: 'MB',
    },
  ]);
}

/** @param {import('pg').Pool} admin @returns {Promise<{ tables: number, indexes: number, grams: number, gramRows: number }>} bytes */
async function sizeIn(admin) {
  const { rows: found } = await admin.query(`SELECT
    sum(pg_table_size(c.oid))::float8 AS tables, sum(pg_indexes_size(c.oid))::float8 AS indexes,
    pg_relation_size('palimpsest.grams_grams')::float8 AS grams, pg_table_size('palimpsest.grams')::float8 AS "gramRows"
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'palimpsest' AND c.relkind = 'r'`);
  return found[0];
}

/** @param {string} id @param {any[]} messages @returns {any} */
const batchOf = (id, messages) => ({ id, kind: 'summary', level: 1, at: 0, messages });

/** @param {() => unknown} work @returns {Promise<number>} ms */
async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

await runIfCalled(import.meta.url, rows, markdown);
