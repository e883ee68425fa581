// @ts-check
/**
 * `node bench/promise.mjs --scenario adapters` in small: what happens to hosts in ordinary life, through the SDKs themselves, billed by
 * an account of the provider's own; without a store, and with one.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  FATES,
  livesOf,
  outcomesThrough,
  repetitiveWork,
  STORED_FATES,
  unmodifiedPlays,
} from '../../bench/promise/adapters.mjs';

const STEPS = 44;
/** Under which something is left out within so many steps. */
const PRICES = { marked: 'anthropic', others: 'openai-older' };
/** Those that differ by what the adapter has to know. */
const OWN_FATES = FATES.filter(({ side, losses }) => side !== 'duplicate' && losses === undefined);
const MOST = 1.02;
const MOST_LEDGER_ERROR = 0.02;

// Each play sets the clock of the process.
const { now } = Date;
after(() => {
  Date.now = now;
});

for (const life of await livesOf()) {
  describe(life.name, () => {
    const price = life.isMarked ? PRICES.marked : PRICES.others;
    /** @type {Awaited<ReturnType<typeof outcomesThrough>>} */
    let played;
    /** @type {typeof played} */
    let stored;
    before(async () => {
      // The plays without an adapter, a third of all, are the same for both.
      const left = unmodifiedPlays();
      played = await outcomesThrough(life, repetitiveWork(STEPS), price, OWN_FATES, left);
      stored = await outcomesThrough(life, repetitiveWork(STEPS), price, STORED_FATES, left);
    });

    test('R10.4 results are removed at a lower cost, and the provider refuses no request', () => {
      const [one] = played;
      assert.ok(one !== undefined && one.outcome.prefixChanges > 0 && one.outcome.cost < one.outcome.alone);
    });

    for (const [at, { name, restart }] of OWN_FATES.entries()) {
      const same = restart === undefined ? '' : ', and each request is the bytes that one object sends';
      test(`R10.5 ${name}: at each request the cost is at most ${MAX_COST_RATIO} times that of the unmodified history${sameAsOneObject}`, () => {
        const outcome = played[at]?.outcome;
        assert.ok(outcome !== undefined && outcome.worst <= MOST, `${outcome?.worst} at ${outcome?.worstAt}`);
        assert.equal(outcome.otherBytes, restart === undefined ? null : 0);
      });

      if (restart !== undefined) continue;
      test(`R10.6 ${name}: the ledger differs from the provider's bill by at most 2 %`, () => {
        const { cost, alone, ledger, requests } = /** @type {any} */ (played[at]).outcome;
        assert.equal(ledger.requests, requests);
        for (const [noted, billed] of [
          [ledger.cost, cost],
          [ledger.costLeftAlone, alone],
        ]) {
          assert.ok(Math.abs(noted / billed - 1) <= MOST_LEDGER_ERROR, `${noted} instead of ${billed}`);
        }
      });
    }

    for (const [at, { name, restart }] of STORED_FATES.entries()) {
      const same = restart === undefined ? '' : ', and bytes and bill are those of one object';
      test(`R15.2 ${name}: the cost limit holds with a store${sameAsOneObject}`, () => {
        const [one, own] = [stored[0]?.outcome, stored[at]?.outcome];
        assert.ok(one !== undefined && one.prefixChanges > 0 && one.cost < one.alone, 'something is left out');
        assert.ok(own !== undefined && own.worst <= MOST, `${own?.worst} at ${own?.worstAt}`);
        if (restart !== undefined) assert.deepEqual([own.otherBytes, own.cost], [0, one.cost]);
      });
    }
  });
}
