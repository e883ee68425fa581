// @ts-check
/** Each store passes the published contract. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { SessionArchive } from 'palimpsest';
import { PostgresStore } from 'palimpsest/postgres';
import { archiveStoreContract, factStoreContract } from 'palimpsest/store-contract';
import { MapStore } from '../../docs/examples/map-store.mjs';
import { serverWithTables, withoutPostgres } from '../support/postgres.mjs';
import { MemoryStore } from './memory-store.mjs';

describe('R15.1 store contract', () => {
  /** @type {string} */
  let folder;
  let files = 0;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-stores-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const inFile = () => {
    files += 1;
    return new SessionArchive(join(folder, `${files}.db`));
  };

  archiveStoreContract('SessionArchive', inFile);
  factStoreContract('SessionArchive', inFile);
  archiveStoreContract('MapStore of docs/examples', () => /** @type {any} */ (new MapStore()));
  factStoreContract('MapStore of docs/examples', () => /** @type {any} */ (new MapStore()));
  factStoreContract('MemoryStore of the tests', () => new MemoryStore());
});

describe('R15.1 store contract', { skip: withoutPostgres }, () => {
  /** @type {Awaited<ReturnType<typeof serverWithTables>>} */
  let tables;
  let tenants = 0;
  before(async () => {
    tables = await serverWithTables();
  });
  after(() => tables.end());
  const ofTenant = () => {
    tenants += 1;
    return new PostgresStore({ pool: tables.pool, tenant: `tenant ${tenants}` });
  };

  archiveStoreContract('PostgresStore', ofTenant);
  factStoreContract('PostgresStore', ofTenant);
});
