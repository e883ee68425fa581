// @ts-check
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Campaign } from '../../fuzz/campaign.mjs';
import { Random } from '../../fuzz/random.mjs';

/** The same cases in each run: what is new is looked for by `npm run fuzz`. */
const SEED = 20_261_122;
const MILLISECONDS = 60_000;
/** So many, however fast the machine is: a test must be the same everywhere. */
const CASES = { sessions: 60, values: 250, archives: 40, texts: 1_500, views: 40 };

describe('the fuzzer', () => {
  it('gives the same case for the same seed', () => {
    const drawn = (/** @type {number} */ seed) => {
      const random = new Random(seed);
      return Array.from({ length: 20 }, () => random.int(0, 1_000));
    };
    assert.deepEqual(drawn(7), drawn(7));
    assert.notDeepEqual(drawn(7), drawn(8));
  });

  for (const [name, most] of Object.entries(CASES)) {
    it(`plays cases of the campaign ${name} and finds nothing`, async () => {
      const campaign = new Campaign(name, SEED, MILLISECONDS, most);
      await campaign.run();
      assert.equal(campaign.cases, most);
      assert.ok(Object.keys(campaign.counts).length > 0, 'nothing happened in them');
      assert.deepEqual([...campaign.findings.values()], []);
    });
  }
});
