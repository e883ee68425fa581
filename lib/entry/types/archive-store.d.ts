/** Where originals lie that left conversations: a file of SQLite, PostgreSQL, or a host's own. `palimpsest/store-contract` tests one. */
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
  /** The caller waits no longer: the promise rejects with its reason. What is under way then is still done whole, or not at all. */
  signal?: HostAbortSignal | null | undefined;
}

/**
 * Keeps the messages that compressions take out of conversations, by sessions; a session's name is the host's own name of a
 * conversation. `SessionArchive` and `PostgresStore` are such stores. Every method may be called from many processes at once.
 */
export interface ArchiveStore {
  /**
   * Stores all messages of a batch as JSON carries them, or none; they are read before the call returns. The same messages again under
   * the same id add nothing, whatever `at` and `summary`: a compression that is repeated, since its answer was lost, has new ones.
   * Other messages under that id reject with the code `ARCHIVE_CONFLICT`, and nothing is written.
   */
  append(
    sessionId: string,
    batch: ArchiveBatch,
    options?: StoreCallOptions | null,
  ): Promise<{ sessionId: string; id: string; count: number }>;
  /** The messages of one batch. Rejects with the code `ARCHIVE_NOT_FOUND` where the session has none of that id. */
  get<T = unknown>(sessionId: string, id: string, options?: StoreCallOptions | null): Promise<T[]>;
  /** Batches of a session, in the order of `ids`; those that aren't there are left out. */
  getMany<T = unknown>(
    sessionId: string,
    ids: readonly string[],
    options?: StoreCallOptions | null,
  ): Promise<RestoredBatch<T>[]>;
  /**
   * The messages that hold every word of `query`, whatever their case; a phrase in double quotes is one word, and nothing else in a query
   * has a meaning. In which order is the store's matter, but that of equals the newest comes first, and pages follow one another.
   */
  search<T = unknown>(query: string, options?: ArchiveSearchOptions | null): Promise<ArchiveHit<T>[]>;
  /** Deletes all that is kept of a session, and the conversation's facts if the store has them, too. */
  delete(sessionId: string, options?: StoreCallOptions | null): Promise<{ batches: number; messages: number }>;
  /** Whether everything is as it was stored, and what is not; never content. Reads all of it. */
  integrity(options?: StoreCallOptions | null): Promise<{ ok: boolean; problems: string[] }>;
  /** The sessions, the one that was appended to last first. */
  sessions(options?: StoreCallOptions | null): Promise<ArchivedSession[]>;
}

/**
 * A tool for the agent's model, which looks up what was compressed in any store.
 * @throws TypeError, RangeError for a wrong argument.
 */
export function lookupTool(store: Pick<ArchiveStore, 'getMany' | 'search'>, options: LookupToolOptions): LookupTool;
