// @ts-check
/** `npm run example -- <sdk>`: each example agent completes its work, and costs less with palimpsest. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { billText } from '../../examples/agent/bill.mjs';
import { runAgent, SDKS } from '../../examples/agent/example.mjs';
import { STEPS } from '../../examples/agent/work.mjs';

/** @param {string} text of a request */
const placeholdersIn = (text) => text.match(/\[(Outdated [a-z ]+ removed|Removed: )/g)?.length ?? 0;

for (const sdk of SDKS) {
  describe(`the example for ${sdk}`, () => {
    test('R13 the agent completes its work without a refused request, and palimpsest saves at least 15 % of the cost', async () => {
      const runs = [await runAgent(sdk), await runAgent(sdk, { price: 'anthropic' })];
      for (const { code, output, requests } of runs) {
        assert.deepEqual([code, requests.flatMap(({ problems }) => problems)], [0, []], output);
        assert.equal(requests.filter(({ status }) => status !== 200).length, 0);
        assert.ok(requests.length > STEPS, output);
      }
      const [plain, withPalimpsest] = /** @type {[typeof runs[0], typeof runs[0]]} */ (runs);
      assert.equal(placeholdersIn(plain.requests.at(-1)?.text ?? ''), 0);
      assert.ok(placeholdersIn(withPalimpsest.requests.at(-1)?.text ?? '') > 10);
      const [plainBill, bill] = [plain.bill('anthropic'), withPalimpsest.bill('anthropic')];
      assert.ok(bill.cost < 0.85 * plainBill.cost, `${bill.cost} instead of ${plainBill.cost}`);
      // Reads that the next one covers are removed at once if few tokens follow them: that costs nothing.
      assert.ok(bill.changes < STEPS / 2, `${bill.changes} changes`);
    });

    test('agent.mjs has at most 80 lines', () => {
      const text = readFileSync(new URL(`../../examples/${sdk}/agent.mjs`, import.meta.url), 'utf8');
      assert.ok(text.split('\n').length <= 81);
    });
  });
}

test('the AI SDK has an example', () => assert.ok(SDKS.includes('ai-sdk')));

test('billText prints the cost without and with palimpsest, and their ratio', () => {
  const billed = { requests: 2, tokens: 20_000, cached: 0, cost: 25_000, changes: 0 };
  const text = billText([{ price: 'anthropic', without: billed, with: { ...billed, cost: 12_500, changes: 1 } }]);
  assert.match(text, /anthropic +25,000 +12,500 +50 %/);
});
