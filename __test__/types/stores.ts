import {
  AutoCompressionManager,
  ContextView,
  ContextViews,
  expandHistory,
  SessionArchive,
  type StoreEvent,
  type ViewFact,
} from 'palimpsest';
import { type FactStore, type PostgresMigration, PostgresStore, type StoredFact } from 'palimpsest/postgres';
import { archiveStoreContract, factStoreContract } from 'palimpsest/store-contract';
import { expectTrue, type Same } from './expect.js';

declare const pool: { query(text: string, values?: any[]): Promise<{ rows: any[]; rowCount: number | null }> };
const store = new PostgresStore({ pool, tenant: 'team', schema: null, retentionMs: 86_400_000 });
// @ts-expect-error `tenant` is required
new PostgresStore({ pool });
expectTrue<Same<ReturnType<typeof store.migrations>, PostgresMigration[]>>();
const facts: FactStore = store;
expectTrue<Same<ReturnType<typeof facts.facts>, Promise<StoredFact[]>>>();
facts.appendFacts('c', 0, ['{}'], { signal: AbortSignal.timeout(9) });
// @ts-expect-error the expected count is required
store.appendFacts('c', ['{}']);

new AutoCompressionManager({}, () => '', null, { archive: store, sessionId: 's' });
expandHistory([], { archive: store, sessionId: 's' });
archiveStoreContract('mine', () => store);
factStoreContract('mine', async () => store);

const sqlite: FactStore = new SessionArchive('facts.db');
const own: FactStore = {
  appendFacts: async (_id, from, facts) => facts.slice(from).map((fact) => ({ fact, atMs: Date.now() })),
  facts: async () => [],
};
const views = new ContextViews({
  store: own,
  storeTimeoutMs: 500,
  onEvent: ({ did, conversationId }: StoreEvent) => did === 'went_on_without' && conversationId,
});
new ContextViews({ store: sqlite });
new ContextViews({ store, compression: { config: {}, llmClient: () => '', archive: store, sessionId: 's' } });
views.prepare([], { conversationId: 'c' });
// @ts-expect-error an archive is not a fact store
new ContextViews({ store: { append: async () => {} } });
// @ts-expect-error a path is not a store
new ContextViews({ store: 'facts.db' });

const view = new ContextView();
const exported: ViewFact[] = view.export();
ContextView.import(JSON.stringify(exported), { arrivalTimes: false });
// @ts-expect-error facts are a list
ContextView.import({ type: 'request', length: 1, mark: null, sentMs: 0 });
// @ts-expect-error the object is not a store
factStoreContract('mine', () => ({}));
// @ts-expect-error a fact store is not an archive
archiveStoreContract('mine', () => own);
