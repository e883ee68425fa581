import type { ArchiveStore, StoreCallOptions } from './types/archive-store.js';
import type { FactStore } from './types/fact-store.js';

export type { ArchiveStore, StoreCallOptions } from './types/archive-store.js';
export type { FactStore, StoredFact } from './types/fact-store.js';

/** What is asked of a pool or a client: those of `pg` and of Neon have it. */
export interface PostgresQueryable {
  query(text: string, params?: any[]): PromiseLike<{ rows: any[] }>;
}

/** Options of {@link PostgresStore}. */
export interface PostgresStoreOptions {
  /** The host's own; it is neither opened nor ended here. A pool, so that calls need not wait for one another. */
  pool: PostgresQueryable;
  /** Whose conversations: only these are seen and written. At most 200 UTF-16 units. */
  tenant: string;
  /** Where the tables lie. Default `'palimpsest'`. */
  schema?: string | null | undefined;
  /** How long a conversation is kept after it was last written to, for {@link PostgresStore.deleteExpired}. Default: for ever. */
  retentionMs?: number | null | undefined;
  /** How often a statement is tried again after a lost connection or a conflict of transactions, after 10 to 1 000 ms. Default 5. */
  maxRetries?: number | null | undefined;
}

/** One step of {@link PostgresStore.migrations}. */
export interface PostgresMigration {
  version: number;
  /** Several statements, which may be run again. */
  sql: string;
}

/**
 * Originals and facts of one tenant's conversations in PostgreSQL 13 or newer, with a database in UTF8. Every call is one statement (a
 * search two) and so a transaction by itself, which names the tenant also for the tables' row-level policies: connection poolers
 * in transaction mode are fine. A call that is repeated adds nothing.
 *
 * Methods reject with `TypeError` or `RangeError` for a wrong argument, with the reason of a `signal` that aborts, else with an
 * `ArchiveError`, whose `cause` is the server's: `ARCHIVE_BUSY` where it didn't answer after `maxRetries`, `ARCHIVE_SCHEMA` where its
 * tables are missing.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: a declaration, whose class has the methods
export class PostgresStore {
  /** @throws TypeError, RangeError for wrong options. Asks nothing of the server. */
  constructor(options: PostgresStoreOptions);
  /** What {@link migrate} runs, to be printed for a role that may create tables. */
  migrations(): PostgresMigration[];
  /** Creates schema, tables and policies where they aren't there yet. */
  migrate(): Promise<void>;
  /** Deletes the tenant's conversations that nobody wrote to for the `retentionMs` that held when they were written last. */
  deleteExpired(options?: StoreCallOptions | null): Promise<{ conversations: number }>;
}
export interface PostgresStore extends ArchiveStore, FactStore {}
