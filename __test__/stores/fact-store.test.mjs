// @ts-check
/** The option `store`, and an archive that is used with a store. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { MemoryStore } from './memory-store.mjs';

const require = createRequire(import.meta.url);
const { readFactStore, withArchive } = require('../../lib/stores/view-store.js');

const hangs = () => new Promise(() => {});

describe('readFactStore', () => {
  it('R0.3 rejects a store without `appendFacts` or `facts`', () => {
    const error = { code: 'ERR_INVALID_ARG_TYPE' };
    for (const value of [null, 'facts.db', {}, { appendFacts: () => {} }, { facts: () => {} }]) {
      assert.throws(() => readFactStore('options.store', value), error);
    }
    const store = new MemoryStore();
    assert.equal(readFactStore('options.store', store), store);
    assert.throws(() => readFactStore('options.store', { appendFacts: () => {} }), /options\.store\.facts/);
  });
});

describe('R15.3 withArchive', () => {
  const batch = { id: 'a' };

  it('appends originals to the session of the conversation', async () => {
    /** @type {unknown[]} */
    const appended = [];
    const archive = {
      get: () => 'kept',
      append: async (/** @type {any[]} */ ...given) => appended.push(given[0], given[1]),
    };
    const given = { config: {}, archive, sessionId: 's' };
    const compression = withArchive(given, { timeoutMs: 1_000, sessionId: 'c' });
    await compression.archive.append(compression.sessionId, batch, {});
    assert.deepEqual(appended, ['c', batch]);
    assert.equal(compression.archive.get(), 'kept');
    assert.deepEqual([given.archive, given.sessionId], [archive, 's']);
  });

  it('rejects after `timeoutMs` if the archive is silent, and at once if the request is aborted', async () => {
    const archive = { append: (/** @type {any[]} */ ..._) => hangs() };
    const { archive: withTimeout } = withArchive({ archive }, { timeoutMs: 20, sessionId: 'c' });
    await assert.rejects(withTimeout.append('c', batch, {}), { code: 'STORE_TIMEOUT' });
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(withTimeout.append('c', batch, { signal }), { message: 'enough' });
  });

  it('returns a compression without an archive unchanged', () => {
    const compression = { config: {} };
    assert.equal(withArchive(compression, { timeoutMs: 20, sessionId: 'c' }), compression);
    assert.equal(withArchive(undefined, { timeoutMs: 20, sessionId: 'c' }), undefined);
  });
});
