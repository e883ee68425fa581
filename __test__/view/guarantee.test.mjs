// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ContextView } from 'palimpsest';
import { CacheBiller, PRICES } from '../support/cache-biller.mjs';
import { testEachSession } from '../support/corpus.mjs';
import { problemsIn } from '../support/providers/openai-chat.mjs';
import { play, steps, turnsOnly } from '../support/view-sessions.mjs';

const RUNS = { endOnFailure: true, numRuns: process.env.CI === 'true' ? 300 : 40 };

/** @param {any} options @param {any} plan @param {any} price */
function bills(options, plan, price) {
  const view = new ContextView(options);
  const [ours, alone] = [new CacheBiller(price), new CacheBiller(price)];
  // Left alone but for what a provider would refuse.
  const mended = new ContextView({ ...options, terminal: false, fileReads: false, textSearch: false });
  let worst = 0;
  play(plan, (stored, now) => {
    ours.bill(view.project(stored, { now }).messages, now);
    alone.bill(mended.project(stored, { now }).messages, now);
    worst = Math.max(worst, ours.cost / alone.cost);
  });
  return { ours, alone, worst, view };
}

for (const [name, price] of Object.entries(PRICES)) {
  describe(`R10.5 ${name}`, () => {
    // The provider here counts a quarter of the bytes, the view weighs units: what they differ by is allowed for.
    test('by its own count at most 1.02 times what it would have cost left alone, over the bytes of every request 1.03', () => {
      fc.assert(
        fc.property(turnsOnly(120), (plan) => {
          const { worst, view } = bills({ price: name }, plan, price);
          const { cost, costLeftAlone } = view.ledger();
          assert.ok(cost <= 1.02 * costLeftAlone, `${cost / costLeftAlone}`);
          assert.ok(worst <= 1.03, `${worst}`);
        }),
        RUNS,
      );
    });

    test('an edit may take the ground away that a change stood on: then it is at most a tenth dearer', () => {
      fc.assert(
        fc.property(steps(80), (plan) => {
          const { worst } = bills({ price: name }, plan, price);
          assert.ok(worst <= 1.1, `${worst}`);
        }),
        RUNS,
      );
    });
  });
}

test('R10.1 between two changes the messages begin as they did before, byte by byte and object by object', () => {
  fc.assert(
    fc.property(turnsOnly(80), fc.constantFrom('anthropic', 'openai', 'deepseek'), (plan, price) => {
      const view = new ContextView({ price });
      /** @type {any[]} */
      let last = [];
      let changes = 0;
      play(plan, (stored, now) => {
        const { messages } = view.project(stored, { now });
        const isSame = last.every((message, index) => message === messages[index]);
        if (view.ledger().changes === changes) assert.ok(isSame);
        changes = view.ledger().changes;
        last = messages;
      });
    }),
    RUNS,
  );
});

test('R10.1 what was replaced stays the same object', () => {
  fc.assert(
    fc.property(turnsOnly(80), (plan) => {
      const view = new ContextView({ price: 'anthropic' });
      /** @type {Map<number, any>} */
      const replaced = new Map();
      play(plan, (stored, now) => {
        const { messages, report } = view.project(stored, { now });
        const kept = stored.filter((message) => message !== undefined);
        for (const [index, copy] of replaced) assert.equal(messages[index], copy);
        if (messages.length !== kept.length) return;
        for (const index of report.indices) if (messages[index] !== stored[index]) replaced.set(index, messages[index]);
      });
    }),
    RUNS,
  );
});

test('R0.1 stored messages are never written to, and what comes out is accepted by a strict provider', () => {
  fc.assert(
    fc.property(steps(60), (plan) => {
      const view = new ContextView({ price: 'openai' });
      play(plan, (stored, now) => {
        const before = JSON.stringify(stored);
        const { messages } = view.project(stored, { now });
        assert.equal(JSON.stringify(stored), before);
        assert.deepEqual(problemsIn(messages, { pendingTurn: true }), []);
      });
    }),
    RUNS,
  );
});

testEachSession('R10.5 a recorded session costs at most 1.02 times what it would left alone', ({ messages }) => {
  for (const [name, price] of Object.entries(PRICES)) {
    const view = new ContextView({ price: /** @type {any} */ (name) });
    const mended = new ContextView({ terminal: false, fileReads: false, textSearch: false });
    const [ours, alone] = [new CacheBiller(price), new CacheBiller(price)];
    /** @type {any[]} */
    const stored = [];
    let now = 0;
    for (const message of messages) {
      if (message.role === 'assistant') {
        now = Math.max(now + 1000, stored.at(-1)?.timestamp ?? 0);
        ours.bill(view.project(stored, { now }).messages, now);
        alone.bill(mended.project(stored, { now }).messages, now);
      }
      stored.push(message);
    }
    assert.ok(ours.cost <= 1.02 * alone.cost, `${name}: ${ours.cost / alone.cost}`);
  }
});
