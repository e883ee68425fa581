// @ts-check
/**
 * The cost limit through each SDK, as in `node bench/promise.mjs --scenario adapters` but with shorter sessions: retries, restarts, side
 * requests and other events of real applications, billed by an account of the provider, with and without a store.
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
import { COST_LIMIT } from '../support/cache-biller.mjs';

const STEPS = 44;
/** Price lists with which results are removed within {@link STEPS} steps. */
const PRICES = { marked: 'anthropic', others: 'openai-older' };
/** Without repeated requests and cache losses, which are the same for every adapter. */
const FATES_WITHOUT_STORE = FATES.filter(({ side, losses }) => side !== 'duplicate' && losses === undefined);
const MAX_LEDGER_ERROR = 0.02;

// Each play replaces `Date.now`.
const { now } = Date;
after(() => {
  Date.now = now;
});

for (const sdk of await livesOf()) {
  describe(sdk.name, () => {
    const price = sdk.isMarked ? PRICES.marked : PRICES.others;
    /** @type {Awaited<ReturnType<typeof outcomesThrough>>} */
    let played;
    /** @type {typeof played} */
    let stored;
    before(async () => {
      // The plays without an adapter are the same for both calls.
      const unmodified = unmodifiedPlays();
      played = await outcomesThrough(sdk, repetitiveWork(STEPS), price, FATES_WITHOUT_STORE, unmodified);
      stored = await outcomesThrough(sdk, repetitiveWork(STEPS), price, STORED_FATES, unmodified);
    });

    test('R10.4 results are removed at a lower cost, and the provider refuses no request', () => {
      const outcome = played[0]?.outcome;
      assert.ok(outcome !== undefined && outcome.prefixChanges > 0 && outcome.cost < outcome.alone);
    });

    for (const [at, { name, restart }] of FATES_WITHOUT_STORE.entries()) {
      const sameAsOneObject = restart === undefined ? '' : ', and each request has the bytes of one long-lived object';
      test(`R10.5 ${name}: at each request the cost is at most ${COST_LIMIT} times that of the unmodified history${sameAsOneObject}`, () => {
        const outcome = played[at]?.outcome;
        assert.ok(outcome !== undefined && outcome.worst <= COST_LIMIT, `${outcome?.worst} at ${outcome?.worstAt}`);
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
          assert.ok(Math.abs(noted / billed - 1) <= MAX_LEDGER_ERROR, `${noted} instead of ${billed}`);
        }
      });
    }

    for (const [at, { name, restart }] of STORED_FATES.entries()) {
      const sameAsOneObject = restart === undefined ? '' : ', and bytes and cost are those of one long-lived object';
      test(`R15.2 ${name}: at each request the cost is at most ${COST_LIMIT} times that of the unmodified history${sameAsOneObject}`, () => {
        const [undisturbed, outcome] = [stored[0]?.outcome, stored[at]?.outcome];
        assert.ok(undisturbed !== undefined && undisturbed.prefixChanges > 0 && undisturbed.cost < undisturbed.alone);
        assert.ok(outcome !== undefined && outcome.worst <= COST_LIMIT, `${outcome?.worst} at ${outcome?.worstAt}`);
        if (restart !== undefined) assert.deepEqual([outcome.otherBytes, outcome.cost], [0, undisturbed.cost]);
      });
    }
  });
}
