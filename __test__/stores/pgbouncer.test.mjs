// @ts-check
/** The store behind a pooler in transaction mode that has fewer connections to the server than clients. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PostgresStore } from 'palimpsest/postgres';
import { archiveStoreContract, stateStoreContract } from 'palimpsest/store-contract';
import { startPgbouncer, withoutPgbouncer } from '../support/pgbouncer.mjs';
import { serverWithTables, without } from '../support/postgres.mjs';

describe('R15.1 behind pgbouncer in transaction mode', { skip: without || withoutPgbouncer }, () => {
  /** @type {Awaited<ReturnType<typeof serverWithTables>>} */
  let tables;
  /** @type {Awaited<ReturnType<typeof startPgbouncer>>} */
  let bouncer;
  let tenants = 0;
  before(async () => {
    tables = await serverWithTables();
    bouncer = await startPgbouncer(tables.server, 2);
  });
  after(async () => {
    await bouncer?.end();
    await tables?.end();
  });
  const storeOf = (/** @type {object} */ options = {}) => {
    tenants += 1;
    return new PostgresStore({ pool: bouncer.pool, tenant: `tenant ${tenants}`, ...options });
  };

  archiveStoreContract('PostgresStore', storeOf);
  stateStoreContract('PostgresStore', storeOf);

  it('R15.4 tenants that share two connections at once see nothing of each other', async () => {
    const stores = Array.from({ length: 20 }, () => storeOf());
    await Promise.all(
      stores.map(async (store, at) => {
        for (let version = 0; version < 10; version++) {
          const text = version === 0 ? { state: `${at}` } : { delta: `${at}` };
          await store.commit('c', { fence: 0, version, ...text });
          const found = await store.acquire('c');
          assert.deepEqual(new Set([found?.state?.snapshot, ...(found?.state?.deltas ?? [])]), new Set([`${at}`]));
        }
      }),
    );
    const { rows } = await bouncer.pool.query(`SELECT current_setting('palimpsest.tenant', true) AS tenant`);
    assert.ok(!rows[0].tenant, 'no tenant is left on a connection');
  });

  it('R15.3 goes on behind a restart of the server, and adds nothing twice', async () => {
    const store = storeOf({ maxRetries: 100 });
    await store.commit('c', { fence: 0, version: 0, state: '0' });
    const stopped = tables.server.stop();
    const commits = (async () => {
      for (let version = 1; version <= 5; version++)
        await store.commit('c', { fence: 0, version, delta: `${version}` });
    })();
    await stopped;
    await tables.server.start();
    await commits;
    assert.deepEqual((await store.acquire('c'))?.state?.deltas, ['1', '2', '3', '4', '5']);
  });
});
