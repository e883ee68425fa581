// @ts-check
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Campaign } from '../fuzz/campaign.mjs';
import { Random } from '../fuzz/random.mjs';

/** The same cases in each run: what is new is looked for by `npm run fuzz`. */
const SEED = 20_261_122;
const MILLISECONDS = 4_000;

describe('the fuzzer', () => {
  it('gives the same case for the same seed', () => {
    const drawn = (/** @type {number} */ seed) => {
      const random = new Random(seed);
      return Array.from({ length: 20 }, () => random.int(0, 1_000));
    };
    assert.deepEqual(drawn(7), drawn(7));
    assert.notDeepEqual(drawn(7), drawn(8));
  });

  for (const name of ['sessions', 'values', 'archives', 'texts']) {
    it(`plays cases of the campaign ${name} and finds nothing`, async () => {
      const campaign = new Campaign(name, SEED, MILLISECONDS);
      await campaign.run();
      assert.ok(campaign.cases > 5, `${campaign.cases} cases`);
      assert.ok(Object.keys(campaign.counts).length > 0, 'nothing happened in them');
      assert.deepEqual([...campaign.findings.values()], []);
    });
  }
});
