// @ts-check
/** A fixed part of the fuzzer's cases. `npm run fuzz` searches for new ones. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Campaign } from '../../fuzz/campaign.mjs';
import { Random } from '../../fuzz/random.mjs';

const SEED = 20_261_122;
const MILLISECONDS = 60_000;
/** Fixed counts: the test must not depend on the machine's speed. */
const CASES = { sessions: 60, values: 250, archives: 40, texts: 1_500, views: 40 };

describe('the fuzzer', () => {
  it('draws the same numbers for the same seed, and others for another seed', () => {
    const drawn = (/** @type {number} */ seed) => {
      const random = new Random(seed);
      return Array.from({ length: 20 }, () => random.int(0, 1_000));
    };
    assert.deepEqual(drawn(7), drawn(7));
    assert.notDeepEqual(drawn(7), drawn(8));
  });

  for (const [name, count] of Object.entries(CASES)) {
    it(`finds no defect in the cases of the campaign ${name}`, async () => {
      const campaign = new Campaign(name, SEED, MILLISECONDS, count);
      await campaign.run();
      assert.equal(campaign.cases, count);
      assert.ok(Object.keys(campaign.counts).length > 0, 'the cases did something');
      assert.deepEqual([...campaign.findings.values()], []);
    });
  }
});
