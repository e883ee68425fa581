// @ts-check
/** The bill of ordinary life through each SDK with a store, by an account of the provider's own. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { livesOf, outcomesThrough, repetitiveWork, STORED_FATES } from '../../bench/promise/adapters.mjs';

const STEPS = 44;
const MOST = 1.02;

// Each play sets the clock of the process.
const { now } = Date;
after(() => {
  Date.now = now;
});

for (const life of await livesOf()) {
  describe(life.name, () => {
    const price = life.isMarked ? 'anthropic' : 'openai-older';
    /** @type {Awaited<ReturnType<typeof outcomesThrough>>} */
    let played;
    before(async () => {
      played = await outcomesThrough(life, repetitiveWork(STEPS), price, STORED_FATES);
    });

    for (const [at, { name, restart }] of STORED_FATES.entries()) {
      test(`R15.2 ${name}: the promise holds, and a process per turn has the bill of one object`, () => {
        const [one, own] = [played[0]?.outcome, played[at]?.outcome];
        assert.ok(one !== undefined && one.prefixChanges > 0 && one.cost < one.alone, 'something is left out');
        assert.ok(own !== undefined && own.worst <= MOST, `${own?.worst} at ${own?.worstAt}`);
        if (restart === 'turn') assert.deepEqual([own.cost, own.otherBytes], [one.cost, 0]);
        // Reports that come after the commit are lost to a process of one request: where one of these decides, bytes differ.
        if (restart === 'request') assert.ok(own.cost <= 1.03 * one.cost, `${own.cost}, ${one.cost}`);
      });
    }
  });
}
