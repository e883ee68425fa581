// @ts-check
/** Runs the fleet with and without a store, and a single machine to compare it with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expandHistory, SessionArchive } from 'palimpsest';
import { PostgresStore } from 'palimpsest/postgres';
import { serverWithTables } from '../../__test__/support/postgres.mjs';
import { storedMessages } from './conversation.mjs';
import { playFleet } from './fleet.mjs';
import { Machine, nameOf } from './machine.mjs';

/** A request waits for the store as long as a server restart takes. */
const STORE_TIMEOUT_MS = 60_000;

/** @typedef {{ processes: number, conversations: number, steps: number, killEvery: number }} Size */

/**
 * Runs the fleet with a store, without a store, and a single machine without interruptions.
 * @param {Size} size
 * @param {(line: string) => void} announce
 */
export async function runFleet(size, announce) {
  const all = size.conversations * size.steps;
  announce(`one machine, ${size.conversations} conversations of ${size.steps} requests …`);
  const alone = await playAlone(size);
  const progress = (/** @type {string} */ name) => (/** @type {number} */ done) => {
    if (done % Math.ceil(all / 10) === 0) announce(`${name}: ${done} of ${all} requests`);
  };
  const without = (/** @type {string} */ name, /** @type {boolean} */ keepsSummaries) =>
    playFleet({ ...size, settings: { database: null, keepsSummaries }, onProgress: progress(name) });
  const forgetful = await without('without a store', false);
  const keeping = await without('without a store, the host keeps summaries', true);
  const { server, pool, end } = await serverWithTables();
  try {
    const restart = async () => {
      announce('the server stops …');
      await server.stop();
      await server.start();
      announce('… and is back');
    };
    const faults = [{ at: 0.5, run: restart }];
    const stored = await playStored({ ...size, faults, onProgress: progress('with a store') }, pool, {});
    return { ...size, alone, forgetful, keeping, ...stored };
  } finally {
    await end();
  }
}

/**
 * Runs the fleet with PostgreSQL as its store; also returns the store's content at the end.
 * @param {Omit<import('./fleet.mjs').Plan, 'settings'>} plan
 * @param {import('pg').Pool} pool pool of a role to which the tenant's policies apply
 * @param {Partial<import('./worker.mjs').Settings>} settings
 */
export async function playStored(plan, pool, settings) {
  const { host, user } = pool.options;
  const { database, tenant = 'fleet', ...rest } = settings;
  const fleet = await playFleet({
    ...plan,
    settings: {
      storeTimeoutMs: STORE_TIMEOUT_MS,
      ...rest,
      tenant,
      database: { host, user, database: 'postgres', ...database },
    },
  });
  const store = new PostgresStore({ pool, tenant, maxRetries: 100 });
  return { fleet, archived: await archivedIn(store), ...(await originalsIn(store, plan, fleet.saved)) };
}

/** A single process without interruptions, with the archive file as its store. @param {{ conversations: number, steps: number }} size */
export async function playAlone({ conversations, steps }) {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-fleet-'));
  const store = new SessionArchive(join(folder, 'archive.db'));
  /** @type {import('./fleet.mjs').Request[]} */
  const requests = [];
  /** @type {number[]} */
  const summaries = [];
  try {
    const machine = new Machine(store, { onSummary: (tokens) => summaries.push(tokens), summaryMs: 0 });
    for (let conversation = 0; conversation < conversations; conversation++) {
      /** @type {import('./machine.mjs').Saved | undefined} */
      let saved;
      for (let step = 0; step < steps; step++) {
        const sent = await machine.send({ conversation, step, saved });
        saved = sent.saved ?? saved;
        requests.push({ conversation, step, sent });
      }
    }
    return { requests, summaries, archived: await archivedIn(store) };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

/** The store's content for each conversation. @param {Pick<PostgresStore, 'sessions'>} store */
async function archivedIn(store) {
  const sessions = await store.sessions();
  return new Map(sessions.map(({ sessionId, batches, messages }) => [sessionId, { batches, messages }]));
}

/**
 * Checks that each conversation can be restored, and that the stored data is intact.
 * @param {PostgresStore} store
 * @param {{ conversations: number, steps: number }} size
 * @param {readonly (import('./machine.mjs').Saved | undefined)[]} saved
 */
async function originalsIn(store, { conversations, steps }, saved) {
  let restored = 0;
  for (let conversation = 0; conversation < conversations; conversation++) {
    const { history = [], step = -1 } = saved[conversation] ?? {};
    const whole = await expandHistory(history, { archive: store, sessionId: nameOf(conversation) });
    const stored = storedMessages(conversation, steps - 1);
    whole.push(...storedMessages(conversation, steps - 1, step + 1));
    if (isDeepStrictEqual(whole, stored)) restored++;
  }
  return { restored, integrity: await store.integrity() };
}
