// @ts-check
/** Facts of one conversation in several processes that share a store, which may fail, lose responses or be slow. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { ScriptedStore } from './memory-store.mjs';

const require = createRequire(import.meta.url);
const { ConversationFacts } = require('../../lib/stores/view-store.js');

/** @typedef {ScriptedStore['respond']} Fault */

/** @param {ScriptedStore} store */
function processOf(store, timeoutMs = 1_000) {
  /** @type {any[]} */
  const events = [];
  const facts = new ConversationFacts('c', store, { timeoutMs, notify: (event) => events.push(event) });
  return { facts, events, codes: () => events.map(({ error }) => error.code) };
}

/** @param {{ known: readonly { fact: string }[] }} facts */
const textsIn = ({ known }) => known.map(({ fact }) => fact);
/** @param {ScriptedStore} store */
const storedIn = (store) => (store.conversations.get('c') ?? []).map(({ fact }) => fact);
const neverResponds = () => new Promise(() => {});
const fails = async () => Promise.reject(Object.assign(new Error('gone'), { code: 'GONE' }));

describe('R15.2 facts of one conversation', () => {
  it('are appended to the known ones in one call', async () => {
    const store = new ScriptedStore();
    const { facts } = processOf(store);
    assert.equal(await facts.exchange(['a']), true);
    assert.equal(await facts.exchange(['b', 'c']), true);
    assert.deepEqual(store.calls, [
      [0, ['a']],
      [1, ['b', 'c']],
    ]);
    assert.deepEqual(textsIn(facts), ['a', 'b', 'c']);
    assert.deepEqual(facts.known, store.conversations.get('c'));
  });

  it('are read with one call if there is nothing to write', async () => {
    const store = new ScriptedStore();
    await processOf(store).facts.exchange(['a', 'b']);
    store.calls = [];
    const { facts } = processOf(store);
    assert.equal(await facts.exchange([]), true);
    assert.deepEqual([store.calls, textsIn(facts)], [[[0, []]], ['a', 'b']]);
    const newConversation = processOf(new ScriptedStore());
    assert.equal(await newConversation.facts.exchange([]), true);
    assert.deepEqual(newConversation.facts.known, []);
  });

  it('of another process are added before and after this process’s own', async () => {
    const store = new ScriptedStore();
    const [one, other] = [processOf(store), processOf(store)];
    await one.facts.exchange(['a']);
    await other.facts.exchange(['b', 'c']);
    await one.facts.exchange([]);
    assert.deepEqual(textsIn(one.facts), ['a', 'b', 'c']);
    await one.facts.exchange(['d']);
    await other.facts.exchange(['e']);
    assert.deepEqual(
      [textsIn(other.facts), storedIn(store)],
      [
        ['a', 'b', 'c', 'd', 'e'],
        ['a', 'b', 'c', 'd', 'e'],
      ],
    );
  });

  it('are stored once, also if two processes write them', async () => {
    const store = new ScriptedStore();
    const [one, other] = [processOf(store), processOf(store)];
    await one.facts.exchange(['summary', 'a']);
    assert.equal(await other.facts.exchange(['summary', 'b', 'b']), true);
    assert.equal(await one.facts.exchange(['a', 'b']), true);
    assert.deepEqual(storedIn(store), ['summary', 'a', 'b']);
  });

  it('are in an array that later exchanges do not change', async () => {
    const { facts } = processOf(new ScriptedStore());
    await facts.exchange(['a']);
    const before = facts.known;
    await facts.exchange(['b']);
    assert.deepEqual([before.length, facts.known.length, facts.known[0] === before[0]], [1, 2, true]);
  });

  it('are all written again after the conversation was deleted', async () => {
    for (const newFacts of [[], ['d']]) {
      const store = new ScriptedStore();
      const [one, other] = [processOf(store), processOf(store)];
      await one.facts.exchange(['a', 'b', 'c']);
      await other.facts.exchange([]);
      store.conversations.clear();
      assert.equal(await one.facts.exchange(newFacts), true);
      assert.deepEqual(storedIn(store), ['a', 'b', 'c', ...newFacts]);
      assert.equal(await other.facts.exchange([]), true);
      assert.deepEqual(textsIn(other.facts), storedIn(store));
    }
  });

  it('of another process that replaced deleted ones come before this process’s own', async () => {
    const store = new ScriptedStore();
    const [one, other] = [processOf(store), processOf(store)];
    await one.facts.exchange(['a', 'b']);
    store.conversations.clear();
    await other.facts.exchange(['x', 'y']);
    assert.equal(await one.facts.exchange([]), true);
    assert.deepEqual(
      [textsIn(one.facts), storedIn(store)],
      [
        ['x', 'y', 'a', 'b'],
        ['x', 'y', 'a', 'b'],
      ],
    );
  });

  it('of concurrent exchanges are written by one call after the other', async () => {
    const store = new ScriptedStore();
    store.respond = async (call) => {
      await wait(2);
      return call();
    };
    const { facts } = processOf(store);
    const all = await Promise.all(['a', 'b', 'c'].map((fact) => facts.exchange([fact])));
    assert.deepEqual(all, [true, true, true]);
    assert.deepEqual(
      store.calls.map(([from]) => from),
      [0, 1, 2],
    );
  });
});

describe('R15.3 a store that', () => {
  it('fails loses no fact: the next exchange writes it', async () => {
    const store = new ScriptedStore();
    const { facts, events, codes } = processOf(store);
    store.respond = fails;
    assert.equal(await facts.exchange(['a']), false);
    assert.equal(await facts.exchange(['b']), false);
    assert.deepEqual(codes(), ['GONE', 'GONE']);
    assert.deepEqual({ ...events[0], error: null }, { did: 'went_on_without', conversationId: 'c', error: null });
    assert.deepEqual(facts.known, []);
    store.respond = (call) => call();
    assert.equal(await facts.exchange([]), true);
    assert.deepEqual(textsIn(facts), ['a', 'b']);
  });

  it('throws synchronously counts as failed', async () => {
    const store = new ScriptedStore();
    store.respond = () => {
      throw new TypeError('no such pool');
    };
    const { facts, events } = processOf(store);
    assert.equal(await facts.exchange(['a']), false);
    assert.equal(events[0].error.message, 'no such pool');
  });

  it('never responds is abandoned after `timeoutMs`, over all calls', async () => {
    const store = new ScriptedStore();
    await processOf(store).facts.exchange(['x']);
    let calls = 0;
    store.respond = (call) => (++calls === 1 ? call() : neverResponds());
    const { facts, codes } = processOf(store, 60);
    const started = performance.now();
    assert.equal(await facts.exchange(['a']), false);
    assert.ok(performance.now() - started >= 55);
    assert.deepEqual([calls, codes(), textsIn(facts)], [2, ['STORE_TIMEOUT'], ['x']]);
  });

  it('loses a response has the fact once', async () => {
    const store = new ScriptedStore();
    const { facts } = processOf(store);
    store.respond = async (call) => {
      await call();
      throw new Error('the connection is lost');
    };
    assert.equal(await facts.exchange(['a']), false);
    store.respond = (call) => call();
    await processOf(store).facts.exchange(['x']);
    assert.equal(await facts.exchange(['b']), true);
    assert.deepEqual(
      [storedIn(store), textsIn(facts)],
      [
        ['a', 'x', 'b'],
        ['a', 'x', 'b'],
      ],
    );
  });

  it('responds too late changes nothing, and causes no unhandled rejection', async () => {
    const store = new ScriptedStore();
    const { facts } = processOf(store, 10);
    for (const isRefused of [false, true]) {
      store.respond = async (call) => {
        await wait(40);
        if (isRefused) throw new Error('late');
        return call();
      };
      assert.equal(await facts.exchange(['a']), false);
      await wait(60);
      assert.deepEqual(facts.known, []);
    }
    store.respond = (call) => call();
    assert.equal(await facts.exchange([]), true);
    assert.deepEqual([storedIn(store), textsIn(facts)], [['a'], ['a']]);
  });

  it('is too slow gets an aborted signal', async () => {
    const store = new ScriptedStore();
    /** @type {AbortSignal | undefined} */
    let receivedSignal;
    store.respond = (_, signal) => {
      receivedSignal = signal;
      return neverResponds();
    };
    await processOf(store, 10).facts.exchange(['a']);
    assert.equal(receivedSignal?.reason?.code, 'STORE_TIMEOUT');
  });

  for (const [what, answer] of /** @type {[string, unknown][]} */ ([
    ['nothing', undefined],
    ['texts', ['a']],
    ['facts without times', [{ fact: 'a' }]],
    ['an empty list', []],
  ])) {
    it(`responds with ${what} counts as failed`, async () => {
      const store = new ScriptedStore();
      store.respond = async () => answer;
      const { facts, codes } = processOf(store);
      assert.equal(await facts.exchange(['a']), false);
      assert.deepEqual([codes(), facts.known], [['STORE_ANSWER'], []]);
    });
  }

  it('always has facts of others first is abandoned', async () => {
    const store = new ScriptedStore();
    let others = 0;
    store.respond = (call) => {
      const all = store.conversations.get('c') ?? [];
      store.conversations.set('c', [...all, { fact: `other ${++others}`, atMs: 0 }]);
      return call();
    };
    const { facts, codes } = processOf(store);
    assert.equal(await facts.exchange(['a']), false);
    assert.deepEqual([codes(), facts.known.length], [['STORE_BUSY'], others]);
  });
});

describe('R15.3 an abort', () => {
  it('ends the wait with its reason, and the fact is written later', async () => {
    const store = new ScriptedStore();
    const { facts, events } = processOf(store, 2 ** 31 - 1);
    store.respond = neverResponds;
    const abort = new AbortController();
    const first = facts.exchange(['a'], abort.signal);
    const second = facts.exchange(['b'], abort.signal);
    await wait(5);
    abort.abort(new Error('enough'));
    await assert.rejects(first, { message: 'enough' });
    await assert.rejects(second, { message: 'enough' });
    store.respond = (call) => call();
    assert.equal(await facts.exchange(['c']), true);
    assert.deepEqual([storedIn(store), events], [['a', 'b', 'c'], []]);
  });

  it('before the exchange prevents its call, and the fact is written later', async () => {
    const store = new ScriptedStore();
    const { facts } = processOf(store);
    await assert.rejects(facts.exchange(['a'], AbortSignal.abort(new Error('enough'))), { message: 'enough' });
    assert.deepEqual(store.calls, []);
    assert.equal(await facts.exchange([]), true);
    assert.deepEqual(storedIn(store), ['a']);
  });

  it('of a request that waits for the call of another does not end that call', async () => {
    const store = new ScriptedStore();
    const { facts } = processOf(store);
    store.respond = async (call) => {
      await wait(30);
      return call();
    };
    const first = facts.exchange(['a']);
    await assert.rejects(facts.exchange(['b'], AbortSignal.timeout(5)), { name: 'TimeoutError' });
    assert.equal(await first, true);
    assert.equal(await facts.exchange([]), true);
    assert.deepEqual(storedIn(store), ['a', 'b']);
  });
});

/** What becomes of a call; `slow` ones end when the process no longer waits. @type {Record<string, Fault>} */
const FAULTS = {
  fine: (call) => call(),
  later: async (call) => {
    await wait(1);
    return call();
  },
  fails: async () => Promise.reject(new Error('no connection')),
  lost: async (call) => {
    await call();
    throw new Error('no answer');
  },
  slow: async (call) => {
    await wait(12);
    return call();
  },
  slowAnswer: async (call) => {
    const answer = await call();
    await wait(12);
    return answer;
  },
};

describe('R15.2 R15.3 with random faults', () => {
  const fault = fc.constantFrom(...Object.keys(FAULTS));
  const step = fc.record({
    process: fc.nat(3),
    /** 0: no fact; 1 and 2: as many facts of its own; 3: a fact that another process may write, too */
    kind: fc.nat(3),
    isWaitedFor: fc.boolean(),
  });

  it('all processes get one list that has each acknowledged fact once, and each process’s own facts in order', async () => {
    let [ended, failed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), fc.array(fault, { maxLength: 40 }), async (steps, faults) => {
        const store = new ScriptedStore();
        const left = [...faults];
        store.respond = (...given) => /** @type {Fault} */ (FAULTS[left.shift() ?? 'fine'])(...given);
        const processes = Array.from({ length: 4 }, () => processOf(store, 6));
        /** @type {string[][]} */
        const written = processes.map(() => []);
        const acknowledged = new Set();
        const pending = [];
        for (const [nth, { process, kind, isWaitedFor }] of steps.entries()) {
          const { facts } = /** @type {typeof processes[0]} */ (processes[process]);
          const own = Array.from({ length: kind % 3 }, (_, at) => `${process}/${nth}/${at}`);
          const given = kind === 3 ? [`shared ${nth % 3}`] : own;
          if (kind !== 3) written[process]?.push(...own);
          const before = textsIn(facts);
          const ending = facts.exchange(given).then((isDone) => {
            const known = textsIn(facts);
            assert.deepEqual(known.slice(0, before.length), before, 'known facts are only added to');
            if (!isDone) return failed++;
            for (const fact of given) assert.ok(known.includes(fact), `${fact} is acknowledged`);
            for (const fact of known) acknowledged.add(fact);
            return ended++;
          });
          pending.push(ending);
          if (isWaitedFor) await ending;
        }
        await Promise.all(pending);
        // Calls that are still running must not change the list of processes that have read it.
        await wait(14);
        store.respond = (call) => call();
        for (const _ of [1, 2]) for (const { facts } of processes) assert.equal(await facts.exchange([]), true);
        const list = storedIn(store);
        for (const { facts } of processes) assert.deepEqual(textsIn(facts), list);
        assert.equal(new Set(list).size, list.length, 'each fact once');
        for (const fact of acknowledged) assert.ok(list.includes(fact));
        for (const [process, own] of written.entries()) {
          assert.deepEqual(
            list.filter((fact) => fact.startsWith(`${process}/`)),
            own,
          );
        }
      }),
      { numRuns: 60 },
    );
    assert.ok(ended > 100 && failed > 20, `${ended} exchanges, ${failed} failed`);
  });
});
