// @ts-check
/** What holds for every SDK's example, and for usage that is read from a provider over HTTP. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { runAgent } from '../../../examples/agent/example.mjs';
import { startProvider } from '../../../examples/provider/provider.mjs';

const READS = 14;
const NO_CACHE = { read: 1, write: 1, ttlMs: 0, minTokens: 1e9, blockTokens: 1 };

/** @param {string} sdk the folder of its example */
export function testExample(sdk) {
  describe('the example', () => {
    test('R13 its 120 steps are accepted by a strict provider, and cost less with palimpsest', async () => {
      const [without, ours] = [await runAgent(sdk), await runAgent(sdk, { price: 'anthropic' })];
      for (const { code, output, requests } of [without, ours]) {
        assert.equal(code, 0, output);
        assert.match(output, /all checks pass/);
        assert.equal(requests.length, 121);
        const problems = requests.flatMap((request) => request.problems);
        assert.deepEqual(problems, []);
      }
      const [before, after] = [without.bill('anthropic'), ours.bill('anthropic')];
      assert.ok(after.cost < 0.8 * before.cost, `${after.cost} of ${before.cost}`);
      assert.ok(after.changes <= 8, `${after.changes} changes of the prefix`);
    });

    test('R13 it is 80 lines at most', () => {
      const text = readFileSync(new URL(`../../../examples/${sdk}/agent.mjs`, import.meta.url), 'utf8');
      assert.ok(text.trimEnd().split('\n').length <= 80);
    });
  });
}

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
          return (provider.requests.at(-1)?.text.split('该文件的历史读取内容').length ?? 0) - 1;
        } finally {
          provider.close();
        }
      };
      const [cold, warm] = [await replaced(NO_CACHE), await replaced('anthropic')];
      assert.ok(cold >= 7 && warm < cold, `${cold} without a cache, ${warm} with one`);
    });
  }
}
