// @ts-check
/** A process of the fleet: sends the requests that it is assigned, until it is killed. */

import { PostgresStore } from 'palimpsest/postgres';
import pg from 'pg';
import { Machine } from './machine.mjs';

/**
 * @typedef {object} Settings
 * @property {object | null} database connection settings for `pg`; null: no store
 * @property {string} [tenant]
 * @property {number} [maxRetries] the default is higher than usual, because a restart takes longer than five attempts
 * @property {number} [storeTimeoutMs]
 * @property {number} [summaryMs]
 * @property {boolean} [keepsSummaries] true if the application stores compressed histories
 */

/** @type {Settings} */
const { database, tenant = 'fleet', maxRetries = 100, ...options } = JSON.parse(process.argv[2] ?? '');
const report = (/** @type {object} */ message) => process.send?.(message);
const machine = new Machine(database && storeIn(database), {
  ...options,
  onSummary: (tokens) => report({ summary: tokens }),
  onEvent: ({ type, did, error }) => report({ event: { type, did, code: error?.code } }),
});

/** @param {object} settings */
function storeIn(settings) {
  const pool = new pg.Pool({ max: 4, ...settings });
  // When the server stops, it closes idle connections; the pool opens new ones.
  pool.on('error', () => {});
  return new PostgresStore({ pool, tenant, maxRetries });
}

process.on('message', async (/** @type {import('./machine.mjs').Job} */ job) => {
  try {
    report({ job, sent: await machine.send(job) });
  } catch (error) {
    report({ job, error: String(error instanceof Error ? error.stack : error) });
  }
});
process.on('disconnect', () => process.exit());
report({ ready: true });
