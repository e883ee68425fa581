import {
  AutoCompressionManager,
  ContextView,
  ContextViews,
  expandHistory,
  SessionArchive,
  type StoreEvent,
} from 'palimpsest';
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

const sqlite: StateStore = new SessionArchive('state.db');
const own: StateStore = {
  acquire: async (id, { leaseMs } = {}) =>
    leaseMs === undefined ? { state: null, version: 0, fence: id.length, nowMs: Date.now() } : null,
  commit: async (_id, { fence, version, batches = [] }) => ({ version: version + batches.length, nowMs: fence }),
  release: async () => {},
};
const views = new ContextViews({
  store: own,
  storeTimeoutMs: 500,
  memory: 'store',
  onEvent: ({ did, conversationId }: StoreEvent) => did === 'went_on_without' && conversationId,
});
new ContextViews({ store: sqlite });
new ContextViews({ store, compression: { config: {}, llmClient: () => '', archive: store, sessionId: 's' } });
expectTrue<Same<ReturnType<typeof views.flush>, Promise<boolean>>>();
views.prepare([], { conversationId: 'c' });
views.flush({ signal: AbortSignal.timeout(9) });
// @ts-expect-error what keeps originals keeps no state
new ContextViews({ store: { append: async () => {} } });
// @ts-expect-error a path is no store
new ContextViews({ store: 'state.db' });
// @ts-expect-error such a commit is neither a whole state nor a delta
own.commit('c', { version: 1 });

const view = new ContextView();
const told: { state: string } | { delta: string } = view.exportDelta({ whole: true });
ContextView.import('state' in told ? told.state : view.export(), {}, ['delta' in told ? told.delta : '']);
// @ts-expect-error deltas are texts
ContextView.import(view.export(), {}, [told]);
// @ts-expect-error the contract is about a store
stateStoreContract('mine', () => ({}));
// @ts-expect-error states are no originals
archiveStoreContract('mine', () => own);
