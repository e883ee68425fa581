import type { ArchiveStore } from './types/archive-store.js';
import type { StateStore } from './types/state-store.js';

/** Gives a store that holds nothing yet, for one test; its `close` is called behind it, where it has one. */
export type StoreFactory<TStore> = () => TStore | PromiseLike<TStore>;

/** Declares tests for `node --test` of all that an `ArchiveStore` promises. */
export function archiveStoreContract(name: string, create: StoreFactory<ArchiveStore>): void;

/** Declares those of a `StateStore`; of one that is an `ArchiveStore`, too, also that both are written in one step. */
export function stateStoreContract(name: string, create: StoreFactory<StateStore & Partial<ArchiveStore>>): void;
