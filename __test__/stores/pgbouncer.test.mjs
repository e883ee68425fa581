// @ts-check
/** `PostgresStore` with a pooler in transaction mode that has more clients than connections to the server. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PostgresStore } from 'palimpsest/postgres';
import { archiveStoreContract, factStoreContract } from 'palimpsest/store-contract';
import { startPgbouncer, withoutPgbouncer } from '../support/pgbouncer.mjs';
import { serverWithTables, withoutPostgres } from '../support/postgres.mjs';

describe('R15.1 with pgbouncer in transaction mode', { skip: withoutPostgres || withoutPgbouncer }, () => {
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
  factStoreContract('PostgresStore', storeOf);

  it('R15.4 tenants that share two connections see no facts of each other', async () => {
    const stores = Array.from({ length: 20 }, () => storeOf());
    await Promise.all(
      stores.map(async (store, at) => {
        for (let from = 0; from < 10; from++) {
          await store.appendFacts('c', from, [`${at}`]);
          const found = await store.facts('c');
          assert.deepEqual([found.length, new Set(found.map(({ fact }) => fact))], [from + 1, new Set([`${at}`])]);
        }
      }),
    );
    const { rows } = await bouncer.pool.query(`SELECT current_setting('palimpsest.tenant', true) AS tenant`);
    assert.ok(!rows[0].tenant, 'no connection keeps a tenant');
  });

  it('R15.3 a store continues after a restart of the server, and adds nothing twice', async () => {
    const store = storeOf({ maxRetries: 100 });
    await store.appendFacts('c', 0, ['0']);
    const stopped = tables.server.stop();
    const writes = (async () => {
      for (let from = 1; from <= 5; from++) await store.appendFacts('c', from, [`${from}`]);
    })();
    await stopped;
    await tables.server.start();
    await writes;
    const texts = (await store.facts('c')).map(({ fact }) => fact);
    assert.deepEqual(texts, ['0', '1', '2', '3', '4', '5']);
  });
});
