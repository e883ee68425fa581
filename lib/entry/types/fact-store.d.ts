/** Stores of conversations' facts, so that any process can continue any conversation. `palimpsest/store-contract` tests your own. */
import type { StoreCallOptions } from './archive-store.js';

/** A fact as stored. */
export interface StoredFact {
  /** Text that only a view reads: keep it byte for byte. */
  fact: string;
  /** The store's clock when the fact was written, ms since the epoch. */
  atMs: number;
}

/**
 * Keeps an append-only list of facts per conversation: when a request was sent, which summary replaced which messages. Many processes may call both
 * methods at once. A rejected call never fails a request: it continues without the store.
 */
export interface FactStore {
  /**
   * Inserts `facts` at the positions from `from` on that are still free, all of them or none, and returns all facts from `from` on, oldest first.
   * If two processes write the same position, the first wins and both receive the same facts; a repeated call adds nothing.
   *
   * If fewer than `from` facts exist (the conversation was deleted or has expired), nothing is inserted and the result is empty.
   */
  appendFacts(
    id: string,
    from: number,
    facts: readonly string[],
    options?: StoreCallOptions | null,
  ): Promise<StoredFact[]>;
  /** Returns all facts of a conversation, oldest first; an empty array for an unknown conversation. */
  facts(id: string, options?: StoreCallOptions | null): Promise<StoredFact[]>;
}
