import type { ArchiveStore } from './types/archive-store.js';
import type { FactStore } from './types/fact-store.js';

/** Creates an empty store for one test; its `close`, if any, is called afterwards. */
export type StoreFactory<TStore> = () => TStore | PromiseLike<TStore>;

/** Declares `node --test` tests of everything that an `ArchiveStore` must do. */
export function archiveStoreContract(name: string, create: StoreFactory<ArchiveStore>): void;

/** Declares the tests of a `FactStore`; if it is also an `ArchiveStore`, also tests that `delete` removes facts. */
export function factStoreContract(name: string, create: StoreFactory<FactStore & Partial<ArchiveStore>>): void;
