import type { ArchiveStore } from './types/archive-store.js';
import type { FactStore } from './types/fact-store.js';

/** Gives a store that holds nothing yet, for one test; its `close` is called behind it, where it has one. */
export type StoreFactory<TStore> = () => TStore | PromiseLike<TStore>;

/** Declares tests for `node --test` of all that an `ArchiveStore` promises. */
export function archiveStoreContract(name: string, create: StoreFactory<ArchiveStore>): void;

/** Declares those of a `FactStore`; of one that is an `ArchiveStore`, too, also that `delete` removes facts. */
export function factStoreContract(name: string, create: StoreFactory<FactStore & Partial<ArchiveStore>>): void;
