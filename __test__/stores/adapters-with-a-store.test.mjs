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
      const same = restart === undefined ? '' : ', and bytes and bill are those of one object';
      test(`R15.2 ${name}: the promise holds${same}`, () => {
        const [one, own] = [played[0]?.outcome, played[at]?.outcome];
        assert.ok(one !== undefined && one.prefixChanges > 0 && one.cost < one.alone, 'something is left out');
        assert.ok(own !== undefined && own.worst <= MOST, `${own?.worst} at ${own?.worstAt}`);
        if (restart !== undefined) assert.deepEqual([own.otherBytes, own.cost], [0, one.cost]);
      });
    }
  });
}
