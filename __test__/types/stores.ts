import { AutoCompressionManager, expandHistory } from 'palimpsest';
import { type PostgresMigration, PostgresStore, type StateStore } from 'palimpsest/postgres';
import { archiveStoreContract, stateStoreContract } from 'palimpsest/store-contract';
import { expectTrue, type Same } from './expect.js';

declare const pool: { query(text: string, values?: any[]): Promise<{ rows: any[]; rowCount: number | null }> };
const store = new PostgresStore({ pool, tenant: 'team', schema: null, retentionMs: 86_400_000 });
// @ts-expect-error whose conversations must be said
new PostgresStore({ pool });
expectTrue<Same<ReturnType<typeof store.migrations>, PostgresMigration[]>>();
const states: StateStore = store;
states.release('c', { fence: 1 });
// @ts-expect-error a commit is about a version
store.commit('c', { fence: 1, state: '{}' });

new AutoCompressionManager({}, () => '', null, { archive: store, sessionId: 's' });
expandHistory([], { archive: store, sessionId: 's' });
archiveStoreContract('mine', () => store);
stateStoreContract('mine', async () => store);
