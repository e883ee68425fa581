/** Where conversations' facts are kept, so that any process continues any conversation. Your own passes `palimpsest/store-contract`. */
import type { StoreCallOptions } from './archive-store.js';

/** A fact as it stands in the store. */
export interface StoredFact {
  /** Text that only a view reads: keep it byte for byte. */
  fact: string;
  /** The store's clock when the fact was written, ms since the epoch. */
  atMs: number;
}

/**
 * Keeps a list of facts for each conversation, which is only added to: when a request was sent, which summary replaced which messages.
 * Both methods may be called from many processes at once. A call that rejects costs the request nothing: it continues without the store.
 */
export interface FactStore {
  /**
   * Inserts `facts` at the positions from `from` on where nobody has, all of them or none, and returns all facts from `from` on, the oldest
   * first. So of two processes that write the same position the first wins, and both are told the same; a repeated call adds nothing.
   *
   * If fewer than `from` facts stand (the conversation was deleted or has expired), nothing is inserted, and the answer is empty.
   */
  appendFacts(
    id: string,
    from: number,
    facts: readonly string[],
    options?: StoreCallOptions | null,
  ): Promise<StoredFact[]>;
  /** All facts of a conversation, the oldest first; none of an unknown one. */
  facts(id: string, options?: StoreCallOptions | null): Promise<StoredFact[]>;
}
