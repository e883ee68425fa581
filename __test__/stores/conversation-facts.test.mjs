// @ts-check
/** One conversation's facts in several processes that share a store, which may fail, lose its answers or be slow. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { MemoryStore } from './memory-store.mjs';

const require = createRequire(import.meta.url);
const { ConversationFacts } = require('../../lib/stores/view-store.js');

/** @typedef {(call: () => Promise<any>, signal: AbortSignal) => Promise<any>} Fault */

/** A store that does what a test says with each call. */
class OddStore extends MemoryStore {
  /** @type {[number, readonly string[]][]} */
  calls = [];
  /** @type {Fault} */
  on = (call) => call();

  /** @override @param {string} id @param {number} from @param {readonly string[]} facts @param {any} options */
  appendFacts(id, from, facts, options) {
    this.calls.push([from, facts]);
    return this.on(() => super.appendFacts(id, from, facts), options?.signal);
  }
}

/** @param {OddStore} store */
function processOf(store, timeoutMs = 1_000) {
  /** @type {any[]} */
  const events = [];
  const facts = new ConversationFacts('c', store, { timeoutMs, notify: (event) => events.push(event) });
  return { facts, events, codes: () => events.map(({ error }) => error.code) };
}

/** @param {{ known: readonly { fact: string }[] }} facts */
const textsIn = ({ known }) => known.map(({ fact }) => fact);
/** @param {OddStore} store */
const standing = (store) => (store.conversations.get('c') ?? []).map(({ fact }) => fact);
const hangs = () => new Promise(() => {});
const fails = async () => Promise.reject(Object.assign(new Error('gone'), { code: 'GONE' }));

describe('R15.2 facts of one conversation', () => {
  it('are written behind those that are known, in one call', async () => {
    const store = new OddStore();
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

  it('are read once where there is nothing to write', async () => {
    const store = new OddStore();
    await processOf(store).facts.exchange(['a', 'b']);
    store.calls = [];
    const { facts } = processOf(store);
    assert.equal(await facts.exchange([]), true);
    assert.deepEqual([store.calls, textsIn(facts)], [[[0, []]], ['a', 'b']]);
    const nobody = processOf(new OddStore());
    assert.equal(await nobody.facts.exchange([]), true);
    assert.deepEqual(nobody.facts.known, []);
  });

  it('of another process are taken in, before and behind the own', async () => {
    const store = new OddStore();
    const [one, other] = [processOf(store), processOf(store)];
    await one.facts.exchange(['a']);
    await other.facts.exchange(['b', 'c']);
    await one.facts.exchange([]);
    assert.deepEqual(textsIn(one.facts), ['a', 'b', 'c']);
    await one.facts.exchange(['d']);
    await other.facts.exchange(['e']);
    assert.deepEqual(
      [textsIn(other.facts), standing(store)],
      [
        ['a', 'b', 'c', 'd', 'e'],
        ['a', 'b', 'c', 'd', 'e'],
      ],
    );
  });

  it('are written once, whoever has written them', async () => {
    const store = new OddStore();
    const [one, other] = [processOf(store), processOf(store)];
    await one.facts.exchange(['summary', 'a']);
    assert.equal(await other.facts.exchange(['summary', 'b', 'b']), true);
    assert.equal(await one.facts.exchange(['a', 'b']), true);
    assert.deepEqual(standing(store), ['summary', 'a', 'b']);
  });

  it('are an array that no later exchange changes', async () => {
    const { facts } = processOf(new OddStore());
    await facts.exchange(['a']);
    const before = facts.known;
    await facts.exchange(['b']);
    assert.deepEqual([before.length, facts.known.length, facts.known[0] === before[0]], [1, 2, true]);
  });

  it('are written again, all that are known, when the conversation was deleted', async () => {
    for (const newFacts of [[], ['d']]) {
      const store = new OddStore();
      const [one, other] = [processOf(store), processOf(store)];
      await one.facts.exchange(['a', 'b', 'c']);
      await other.facts.exchange([]);
      store.conversations.clear();
      assert.equal(await one.facts.exchange(newFacts), true);
      assert.deepEqual(standing(store), ['a', 'b', 'c', ...newFacts]);
      assert.equal(await other.facts.exchange([]), true);
      assert.deepEqual(textsIn(other.facts), standing(store));
    }
  });

  it('that stand in place of deleted ones are taken in before the own', async () => {
    const store = new OddStore();
    const [one, other] = [processOf(store), processOf(store)];
    await one.facts.exchange(['a', 'b']);
    store.conversations.clear();
    await other.facts.exchange(['x', 'y']);
    assert.equal(await one.facts.exchange([]), true);
    assert.deepEqual(
      [textsIn(one.facts), standing(store)],
      [
        ['x', 'y', 'a', 'b'],
        ['x', 'y', 'a', 'b'],
      ],
    );
  });

  it('that come at once are written one call behind the other', async () => {
    const store = new OddStore();
    store.on = async (call) => {
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
  it('fails costs no fact: the next exchange writes it', async () => {
    const store = new OddStore();
    const { facts, events, codes } = processOf(store);
    store.on = fails;
    assert.equal(await facts.exchange(['a']), false);
    assert.equal(await facts.exchange(['b']), false);
    assert.deepEqual(codes(), ['GONE', 'GONE']);
    assert.deepEqual({ ...events[0], error: null }, { did: 'went_on_without', conversationId: 'c', error: null });
    assert.deepEqual(facts.known, []);
    store.on = (call) => call();
    assert.equal(await facts.exchange([]), true);
    assert.deepEqual(textsIn(facts), ['a', 'b']);
  });

  it('throws at once is one that fails', async () => {
    const store = new OddStore();
    store.on = () => {
      throw new TypeError('no such pool');
    };
    const { facts, events } = processOf(store);
    assert.equal(await facts.exchange(['a']), false);
    assert.equal(events[0].error.message, 'no such pool');
  });

  it('is silent is waited for so long, over all rounds', async () => {
    const store = new OddStore();
    await processOf(store).facts.exchange(['x']);
    let calls = 0;
    store.on = (call) => (++calls === 1 ? call() : hangs());
    const { facts, codes } = processOf(store, 60);
    const started = performance.now();
    assert.equal(await facts.exchange(['a']), false);
    assert.ok(performance.now() - started >= 55);
    assert.deepEqual([calls, codes(), textsIn(facts)], [2, ['STORE_TIMEOUT'], ['x']]);
  });

  it('loses an answer has the fact once', async () => {
    const store = new OddStore();
    const { facts } = processOf(store);
    store.on = async (call) => {
      await call();
      throw new Error('the connection is lost');
    };
    assert.equal(await facts.exchange(['a']), false);
    store.on = (call) => call();
    await processOf(store).facts.exchange(['x']);
    assert.equal(await facts.exchange(['b']), true);
    assert.deepEqual(
      [standing(store), textsIn(facts)],
      [
        ['a', 'x', 'b'],
        ['a', 'x', 'b'],
      ],
    );
  });

  it('answers too late changes nothing, and leaves no rejection behind', async () => {
    const store = new OddStore();
    const { facts } = processOf(store, 10);
    for (const isRefused of [false, true]) {
      store.on = async (call) => {
        await wait(40);
        if (isRefused) throw new Error('late');
        return call();
      };
      assert.equal(await facts.exchange(['a']), false);
      await wait(60);
      assert.deepEqual(facts.known, []);
    }
    store.on = (call) => call();
    assert.equal(await facts.exchange([]), true);
    assert.deepEqual([standing(store), textsIn(facts)], [['a'], ['a']]);
  });

  it('is told that a call is no longer waited for', async () => {
    const store = new OddStore();
    /** @type {AbortSignal | undefined} */
    let told;
    store.on = (_, signal) => {
      told = signal;
      return hangs();
    };
    await processOf(store, 10).facts.exchange(['a']);
    assert.equal(told?.reason?.code, 'STORE_TIMEOUT');
  });

  for (const [what, answer] of /** @type {[string, unknown][]} */ ([
    ['nothing', undefined],
    ['texts', ['a']],
    ['facts without times', [{ fact: 'a' }]],
    ['none of what it was given', []],
  ])) {
    it(`answers with ${what} is one that fails`, async () => {
      const store = new OddStore();
      store.on = async () => answer;
      const { facts, codes } = processOf(store);
      assert.equal(await facts.exchange(['a']), false);
      assert.deepEqual([codes(), facts.known], [['STORE_ANSWER'], []]);
    });
  }

  it('always has others first is given up', async () => {
    const store = new OddStore();
    let others = 0;
    store.on = (call) => {
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
    const store = new OddStore();
    const { facts, events } = processOf(store, 2 ** 31 - 1);
    store.on = hangs;
    const abort = new AbortController();
    const first = facts.exchange(['a'], abort.signal);
    const second = facts.exchange(['b'], abort.signal);
    await wait(5);
    abort.abort(new Error('enough'));
    await assert.rejects(first, { message: 'enough' });
    await assert.rejects(second, { message: 'enough' });
    store.on = (call) => call();
    assert.equal(await facts.exchange(['c']), true);
    assert.deepEqual([standing(store), events], [['a', 'b', 'c'], []]);
  });

  it('that came before asks for nothing', async () => {
    const store = new OddStore();
    const { facts } = processOf(store);
    await assert.rejects(facts.exchange(['a'], AbortSignal.abort(new Error('enough'))), { message: 'enough' });
    assert.deepEqual(store.calls, []);
    assert.equal(await facts.exchange([]), true);
    assert.deepEqual(standing(store), ['a']);
  });

  it('of a request that waits for another one’s call leaves that one alone', async () => {
    const store = new OddStore();
    const { facts } = processOf(store);
    store.on = async (call) => {
      await wait(30);
      return call();
    };
    const first = facts.exchange(['a']);
    await assert.rejects(facts.exchange(['b'], AbortSignal.timeout(5)), { name: 'TimeoutError' });
    assert.equal(await first, true);
    assert.equal(await facts.exchange([]), true);
    assert.deepEqual(standing(store), ['a', 'b']);
  });
});

/** What becomes of a call: `slow` ones are done when the process no longer waits. @type {Record<string, Fault>} */
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

describe('R15.2 R15.3 whatever becomes of calls', () => {
  const fault = fc.constantFrom(...Object.keys(FAULTS));
  const step = fc.record({
    process: fc.nat(3),
    /** 0: nothing to write, 1 and 2: facts of its own, 3: one that another process may write, too */
    kind: fc.nat(3),
    isWaitedFor: fc.boolean(),
  });

  it('all processes end with one list that has each acknowledged fact once, and each process’s own in order', async () => {
    let [ended, failed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), fc.array(fault, { maxLength: 40 }), async (steps, faults) => {
        const store = new OddStore();
        const left = [...faults];
        store.on = (call, signal) => /** @type {Fault} */ (FAULTS[left.shift() ?? 'fine'])(call, signal);
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
        // What is still under way must not change the list of those who have read it.
        await wait(14);
        store.on = (call) => call();
        for (const _ of [1, 2]) for (const { facts } of processes) assert.equal(await facts.exchange([]), true);
        const list = standing(store);
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
