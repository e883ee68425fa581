// @ts-check
/** Tests that a provider's usage report over HTTP reaches the bill through each SDK. */
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
    test(`R10.6 the ledger bills ${isStreamed ? 'streamed' : 'whole'} responses by the usage that the provider reports`, async () => {
      const shareOf = async (/** @type {import('palimpsest').PricesLike} */ price) => {
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
      const [cold, warm] = [await shareOf(NO_CACHE), await shareOf('anthropic')];
      // A Mastra processor gets no report for the last request.
      assert.ok(cold > 1.1 && cold < 1.26, `${cold} of the input price without a cache`);
      assert.ok(warm < 0.5, `${warm} of the input price with a cache`);
    });
  }
}
