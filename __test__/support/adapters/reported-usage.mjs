// @ts-check
/** What a provider reports over HTTP reaches the view, whichever SDK it comes through. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProvider } from '../../../examples/provider/provider.mjs';

const READS = 14;
const NO_CACHE = { read: 1, write: 1, ttlMs: 0, minTokens: 1e9, blockTokens: 1 };

/**
 * @param {(baseUrl: string, isStreamed: boolean) => Promise<void>} run an agent that reads as it is told to, and believes in
 *   Anthropic's cache until it is told otherwise
 */
export function testUsage(run) {
  for (const isStreamed of [false, true]) {
    test(`R10.6 what is reported, ${isStreamed ? 'streamed' : 'whole'}, is read back: without a cache nothing waits`, async () => {
      const replaced = async (/** @type {import('palimpsest').PricesLike} */ price) => {
        const call = { name: 'read_file', arguments: { path: 'a.js' } };
        const script = (/** @type {number} */ step) => (step < READS ? { calls: [call] } : { text: 'Read.' });
        const provider = await startProvider({ price, script });
        try {
          await run(`${provider.url}/v1`, isStreamed);
          assert.deepEqual(provider.refused, []);
          assert.equal(provider.requests.length, READS + 1);
          assert.equal(provider.requests[0]?.text.includes('"stream":true'), isStreamed);
          return (provider.requests.at(-1)?.text.split('[Removed: ').length ?? 0) - 1;
        } finally {
          provider.close();
        }
      };
      const [cold, warm] = [await replaced(NO_CACHE), await replaced('anthropic')];
      assert.equal(cold, READS - 1, 'all but the newest');
      assert.ok(warm < cold, `${cold} without a cache, ${warm} with one`);
    });
  }
}
