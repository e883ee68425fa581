/** Stores of the original messages that leave conversations: an SQLite file, PostgreSQL, or your own, which `palimpsest/store-contract` tests. */
import type { HostAbortSignal } from '../../../index.js';
import type {
  ArchiveBatch,
  ArchivedSession,
  ArchiveHit,
  ArchiveSearchOptions,
  LookupTool,
  LookupToolOptions,
  RestoredBatch,
} from './archive.js';

/** Options of a store's calls. */
export interface StoreCallOptions {
  /** Stops waiting: the promise rejects with the abort reason. A running operation still completes entirely or not at all. */
  signal?: HostAbortSignal | null | undefined;
}

/**
 * Keeps the messages that compressions remove, by session; a session has the application's own name of the conversation. `SessionArchive` and
 * `PostgresStore` implement it. Many processes may call every method at once.
 */
export interface ArchiveStore {
  /**
   * Stores all messages of a batch as JSON, or none; they are read before the call returns. The same messages under the same id add nothing, even
   * with another `at` or `summary`: a compression repeated after a lost response has new ones. Other messages under that id reject with the code
   * `ARCHIVE_CONFLICT`, and nothing is written.
   */
  append(
    sessionId: string,
    batch: ArchiveBatch,
    options?: StoreCallOptions | null,
  ): Promise<{ sessionId: string; id: string; count: number }>;
  /** Returns the messages of one batch. Rejects with the code `ARCHIVE_NOT_FOUND` if the session has no batch with that id. */
  get<T = unknown>(sessionId: string, id: string, options?: StoreCallOptions | null): Promise<T[]>;
  /** Returns batches of a session, in the order of `ids`; unknown ids are omitted. */
  getMany<T = unknown>(
    sessionId: string,
    ids: readonly string[],
    options?: StoreCallOptions | null,
  ): Promise<RestoredBatch<T>[]>;
  /**
   * Finds the messages that contain every word of `query`, case-insensitively; a phrase in double quotes counts as one word, and there is no other
   * query syntax. The store decides the order, but among equals the newest comes first, and pages are consecutive.
   */
  search<T = unknown>(query: string, options?: ArchiveSearchOptions | null): Promise<ArchiveHit<T>[]>;
  /** Deletes everything kept of a session, including the conversation's facts if the store has them. */
  delete(sessionId: string, options?: StoreCallOptions | null): Promise<{ batches: number; messages: number }>;
  /** Verifies that everything is as it was stored, and returns the problems found, never content. Reads all data. */
  integrity(options?: StoreCallOptions | null): Promise<{ ok: boolean; problems: string[] }>;
  /** Returns the sessions, the most recently appended first. */
  sessions(options?: StoreCallOptions | null): Promise<ArchivedSession[]>;
}

/**
 * Returns a tool with which the agent's model looks up compressed messages in any store.
 * @throws TypeError, RangeError for an invalid argument.
 */
export function lookupTool(store: Pick<ArchiveStore, 'getMany' | 'search'>, options: LookupToolOptions): LookupTool;
