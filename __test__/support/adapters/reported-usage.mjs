// @ts-check
/** Tests that the usage that a provider reports over HTTP corrects the ledger through each SDK. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProvider } from '../../../examples/provider/provider.mjs';

const READS = 14;
const NO_CACHE = { read: 1, write: 1, ttlMs: 0, minTokens: 1e9, blockTokens: 1 };

/**
 * @param {(baseUrl: string, isStreamed: boolean) => Promise<{ cost: number }>} run runs an agent that makes the model's
 *   read calls, with Anthropic's prices; returns its ledger
 */
export function testUsage(run) {
  for (const isStreamed of [false, true]) {
    test(`R10.6 the usage of a ${isStreamed ? 'streamed' : 'whole'} response corrects the ledger`, async () => {
      const costRatioWith = async (/** @type {import('palimpsest').PricesLike} */ price) => {
        const call = { name: 'read_file', arguments: { path: 'a.js' } };
        const script = (/** @type {number} */ step) => (step < READS ? { calls: [call] } : { text: 'Read.' });
        const provider = await startProvider({ price, script });
        try {
          const { cost } = await run(`${provider.url}/v1`, isStreamed);
          assert.deepEqual(provider.refused, []);
          assert.equal(provider.requests.length, READS + 1);
          assert.equal(provider.requests[0]?.text.includes('"stream":true'), isStreamed);
          return cost / provider.requests.reduce((sum, { tokens }) => sum + tokens, 0);
        } finally {
          provider.close();
        }
      };
      const [uncached, cached] = [await costRatioWith(NO_CACHE), await costRatioWith('anthropic')];
      // A Mastra processor gets no report for the last request.
      assert.ok(uncached > 1.1 && uncached < 1.26, `${uncached} of the price of input without a cache`);
      assert.ok(cached < 0.5, `${cached} of the price of input with a cache`);
    });
  }
}
