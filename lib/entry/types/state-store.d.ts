/** Where conversations' states are kept, so that any process goes on with any conversation. Your own passes `palimpsest/store-contract`. */
import type { ArchiveBatch } from './archive.js';

/** What is kept of one conversation. Both are text that only a view reads: keep it byte for byte (JSON types of a database reorder it). */
export interface StoredState {
  /** The text of the newest commit of a `state`. */
  snapshot: string;
  /** The texts of all commits of a `delta` since, the oldest first. */
  deltas: string[];
}

/** A conversation as it stands. */
export interface AcquiredState {
  /** Null for a conversation of which nothing was committed. */
  state: StoredState | null;
  /** 0 for a new conversation; each commit adds 1. */
  version: number;
  /** Counts the leases that were given: 0 before the first. A commit that names an older one is refused. */
  fence: number;
  /** The store's clock, ms since the epoch, when it answered. No other clock decides on leases or requests. */
  nowMs: number;
}

/** How {@link StateStore.acquire} is called. */
export interface AcquireOptions {
  /**
   * Takes the conversation for so long, more than 0. Without it nothing is taken: the state is read, whoever holds a lease, and a
   * commit is optimistic.
   */
  leaseMs?: number | undefined;
  /** Who takes it; needed with `leaseMs`. Who holds the lease already gets it again, prolonged and with the same fence. */
  owner?: string | undefined;
  /** The caller waits no longer: reject soon, and leave nothing half done. */
  signal?: AbortSignal | undefined;
}

/** One commit: `state` or `delta`, never both. */
export interface StateCommit {
  /** As `acquire` gave it. */
  fence: number;
  /** What `acquire` or the commit before gave: the commit is about this version, and makes the next. */
  version: number;
  /** Everything that is known, in place of the snapshot and all deltas. The first commit of a conversation is one. */
  state?: string | undefined;
  /** What is new since that version; about 1 kB at most requests. */
  delta?: string | undefined;
  /** Originals that leave the conversation with this commit: appended to the archive's session of the name `id`, in the same step. */
  batches?: readonly ArchiveBatch[] | undefined;
  signal?: AbortSignal | undefined;
}

/** What {@link StateStore.commit} answers. */
export interface Committed {
  /** The version that there is now. */
  version: number;
  /** The store's clock, ms since the epoch. */
  nowMs: number;
}

/**
 * Keeps states of conversations. All methods are safe to call from many processes at once, and reject when `signal` aborts; what they
 * reject with but {@link StaleStateError}s is taken for a store that failed: the request goes on without it.
 */
export interface StateStore {
  /**
   * Reads a conversation, and with `leaseMs` takes it: the fence counts up, and whoever read it before is refused from then on.
   * Null: somebody else holds a lease that has not ended; only with `leaseMs`. A lease ends by `release`, or by the store's clock.
   */
  acquire(id: string, options?: AcquireOptions): Promise<AcquiredState | null>;
  /**
   * Writes the next version, its batches with it or nothing at all.
   *
   * The same commit once more (`version`, `state` or `delta` equal to those that made the present version), because its answer was lost,
   * is answered as the first was, and adds nothing, also under a fence that is old by then.
   * @throws an error with the code `STORE_STALE` for any other commit whose fence or version isn't the present one; nothing is written.
   */
  commit(id: string, commit: StateCommit): Promise<Committed>;
  /** Ends the lease of that fence. Without one, or with an older fence, nothing happens. State and version stay. */
  release(id: string, options: { fence: number; signal?: AbortSignal | undefined }): Promise<void>;
}

/** What a commit is refused with. */
export interface StaleStateError extends Error {
  readonly code: 'STORE_STALE';
}
