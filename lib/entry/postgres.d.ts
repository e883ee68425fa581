import type { ArchiveStore, StoreCallOptions } from './types/archive-store.js';
import type { FactStore } from './types/fact-store.js';

export type { ArchiveStore, StoreCallOptions } from './types/archive-store.js';
export type { FactStore, StoredFact } from './types/fact-store.js';

/** The required part of a pool or client: those of `pg` and of Neon have it. */
export interface PostgresQueryable {
  query(text: string, params?: any[]): PromiseLike<{ rows: any[] }>;
}

/** Options of {@link PostgresStore}. */
export interface PostgresStoreOptions {
  /** The application's own; it is neither opened nor closed here. Use a pool, so that calls don't wait for each other. */
  pool: PostgresQueryable;
  /** Owner of the conversations: only these are visible and writable. At most 200 UTF-16 units. */
  tenant: string;
  /** The schema of the tables. Default `'palimpsest'`. */
  schema?: string | null | undefined;
  /** How long a conversation is kept after its last write, for {@link PostgresStore.deleteExpired}. Default: for ever. */
  retentionMs?: number | null | undefined;
  /** Maximum number of retries of a statement after a lost connection or a transaction conflict, with waits of 10 to 1 000 ms. Default 5. */
  maxRetries?: number | null | undefined;
}

/** One step of {@link PostgresStore.migrations}. */
export interface PostgresMigration {
  version: number;
  /** One or more statements; running them again is safe. */
  sql: string;
}

/**
 * Keeps originals and facts of one tenant's conversations in PostgreSQL 13 or newer, in a UTF8 database. Every call is one statement (a search two)
 * and thereby its own transaction, which also sets the tenant for the tables' row-level policies: connection poolers in transaction mode work. A
 * repeated call adds nothing.
 *
 * Methods reject with `TypeError` or `RangeError` for an invalid argument, with the abort reason of a `signal`, otherwise with an `ArchiveError`,
 * whose `cause` is the server's error: `ARCHIVE_BUSY` if it didn't respond after `maxRetries`, `ARCHIVE_SCHEMA` if the tables are missing.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: a declaration, whose class has the methods
export class PostgresStore {
  /** @throws TypeError, RangeError for invalid options. Makes no query. */
  constructor(options: PostgresStoreOptions);
  /** The statements of {@link migrate}, to be run by a role that may create tables. */
  migrations(): PostgresMigration[];
  /** Creates missing schema, tables and policies. */
  migrate(): Promise<void>;
  /** Deletes the tenant's conversations whose `retentionMs`, as set at their last write, has passed since then. */
  deleteExpired(options?: StoreCallOptions | null): Promise<{ conversations: number }>;
}
export interface PostgresStore extends ArchiveStore, FactStore {}
