// @ts-check
/** The package's own StateStores, by the contract that a host's passes, too. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionArchive } from 'palimpsest';
import { MemoryStore } from './memory-store.mjs';
import { stateStoreContract } from './state-contract.mjs';

stateStoreContract('R15.1 a map', async () => ({ store: new MemoryStore() }));

stateStoreContract('R15.1 the archive’s file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-states-'));
  const [store, other] = [1, 2].map(() => new SessionArchive(join(folder, 'archive.db')));
  const close = async () => {
    await Promise.all([store?.close(), other?.close()]);
    rmSync(folder, { recursive: true });
  };
  return { store, other, close };
});
