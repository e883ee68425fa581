// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';

/**
 * What every StateStore has to do.
 * @param {string} name of the store
 * @param {() => Promise<{ store: any, other?: any, close?: () => unknown }>} open an empty store, and where there can be one another connection to the same
 */
export function stateStoreContract(name, open) {
  /** @param {string} what @param {(store: any, other: any) => Promise<void>} body */
  const rule = (what, body) =>
    test(`${name}: ${what}`, async () => {
      const { store, other = store, close } = await open();
      try {
        await body(store, other);
      } finally {
        await close?.();
      }
    });
  const STALE = { code: 'STORE_STALE' };

  rule('a new conversation has no state, version 0 and fence 0', async (store) => {
    const { nowMs, ...read } = await store.acquire('a');
    assert.deepEqual(read, { state: null, version: 0, fence: 0 });
    assert.ok(Number.isFinite(nowMs));
  });

  rule('what is committed is given back as it was, in its order', async (store, other) => {
    const [snapshot, ...deltas] = ['{"b":1,"a":[2.0]}', 'δ "quoted" \\ \n', '压缩 😀', ''];
    let { version } = await store.commit('a', { fence: 0, version: 0, state: snapshot });
    assert.equal(version, 1);
    for (const delta of deltas) ({ version } = await store.commit('a', { fence: 0, version, delta }));
    assert.equal(version, 4);
    const { nowMs: _, ...read } = await other.acquire('a');
    assert.deepEqual(read, { state: { snapshot, deltas }, version, fence: 0 });
    await other.commit('a', { fence: 0, version, state: 'all of it' });
    assert.deepEqual((await store.acquire('a')).state, { snapshot: 'all of it', deltas: [] });
  });

  rule('an old version is refused, and writes nothing', async (store, other) => {
    await store.commit('a', { fence: 0, version: 0, state: 's' });
    await store.commit('a', { fence: 0, version: 1, delta: 'd' });
    for (const version of [0, 1, 3]) {
      await assert.rejects(other.commit('a', { fence: 0, version, state: 'other' }), STALE);
    }
    const { state, version } = await store.acquire('a');
    assert.deepEqual([state, version], [{ snapshot: 's', deltas: ['d'] }, 2]);
  });

  rule('of several commits to one version one is written', async (store, other) => {
    await store.commit('a', { fence: 0, version: 0, state: 's' });
    const all = Array.from({ length: 8 }, (_, at) =>
      (at % 2 ? store : other).commit('a', { fence: 0, version: 1, delta: `d${at}` }),
    );
    const ended = await Promise.allSettled(all);
    const refused = ended.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []));
    assert.deepEqual(refused, Array(7).fill('STORE_STALE'));
    const { state, version } = await store.acquire('a');
    assert.deepEqual([state.deltas.length, version], [1, 2]);
  });

  rule(
    'a commit that is repeated is answered as it was, also under an old fence, and adds nothing',
    async (store, other) => {
      await store.commit('a', { fence: 0, version: 0, state: 's' });
      await store.commit('a', { fence: 0, version: 1, delta: 'd' });
      assert.equal((await other.commit('a', { fence: 0, version: 1, delta: 'd' })).version, 2);
      await other.acquire('a', { owner: 'one', leaseMs: 60_000 });
      assert.equal((await store.commit('a', { fence: 0, version: 1, delta: 'd' })).version, 2);
      await assert.rejects(store.commit('a', { fence: 0, version: 1, state: 'd' }), STALE);
      assert.deepEqual((await store.acquire('a')).state.deltas, ['d']);
    },
  );

  rule('a lease keeps others from taking a conversation, and nobody from reading it', async (store, other) => {
    assert.equal((await store.acquire('a', { owner: 'one', leaseMs: 60_000 })).fence, 1);
    assert.equal(await other.acquire('a', { owner: 'other', leaseMs: 60_000 }), null);
    assert.equal((await other.acquire('a')).fence, 1);
    assert.equal((await store.acquire('a', { owner: 'one', leaseMs: 60_000 })).fence, 1, 'prolonged');
    await other.release('a', { fence: 0 });
    assert.equal(await other.acquire('a', { owner: 'other', leaseMs: 60_000 }), null, 'an old fence ends nothing');
    await store.release('a', { fence: 1 });
    await store.release('a', { fence: 1 });
    assert.equal((await other.acquire('a', { owner: 'other', leaseMs: 60_000 })).fence, 2);
  });

  rule('of several who take a conversation one gets it', async (store, other) => {
    const all = Array.from({ length: 8 }, (_, at) =>
      (at % 2 ? store : other).acquire('a', { owner: `o${at}`, leaseMs: 60_000 }),
    );
    assert.equal((await Promise.all(all)).filter((taken) => taken !== null).length, 1);
  });

  rule('a lease ends by the clock of the store, and who had it is refused', async (store, other) => {
    const { fence } = await store.acquire('a', { owner: 'one', leaseMs: 20 });
    await new Promise((done) => setTimeout(done, 60));
    const taken = await other.acquire('a', { owner: 'other', leaseMs: 60_000 });
    assert.equal(taken.fence, fence + 1);
    await assert.rejects(store.commit('a', { fence, version: 0, state: 's' }), STALE);
    assert.equal((await other.commit('a', { fence: taken.fence, version: 0, state: 's' })).version, 1);
  });

  rule('conversations know nothing of each other, whatever their names', async (store) => {
    const names = ['a', 'A', 'a ', 'ａ', "a'; --", 'x'.repeat(1_000), '压缩'];
    for (const name of names) await store.commit(name, { fence: 0, version: 0, state: name });
    for (const name of names) assert.equal((await store.acquire(name)).state.snapshot, name);
    assert.equal((await store.acquire('b')).version, 0);
  });
}
