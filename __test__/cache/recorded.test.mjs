// @ts-check
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Prices } from 'palimpsest';
import { columnsOf } from '../../bench/cache-columns.mjs';
import { testEachSession } from '../support/corpus.mjs';

const native = createRequire(import.meta.url)('../../lib/native.js');
const PROMISED = 1.02;

testEachSession(
  'R10.5 under every list of prices the view costs at most 1.02 times the session left alone',
  (session) => {
    const { tokens, replaced, staleAt, lengths, times } = columnsOf(session);
    const columns = [tokens, replaced, staleAt, lengths, times].map((numbers) => Float64Array.from(numbers));
    for (const prices of Prices.presets.prices) {
      const outcomes = native.simulateSession(prices.toJSON(), 0, ...columns);
      /** @type {Record<string, number>} */
      const costs = Object.fromEntries(outcomes.map(({ policy, cost }) => [policy, cost]));
      const { 'leave-alone': alone = 0, view = 0, hindsight = 0 } = costs;
      assert.ok(view <= PROMISED * alone, `${prices.preset}: ${view} for ${alone}`);
      assert.ok(
        Object.values(costs).every((cost) => cost >= hindsight),
        `${prices.preset}: hindsight is the cheapest`,
      );
    }
  },
);

testEachSession('R10.3 a session without a cache costs what it sends', (session) => {
  const { tokens, replaced, staleAt, lengths, times } = columnsOf(session);
  const columns = [tokens, replaced, staleAt, lengths, times].map((numbers) => Float64Array.from(numbers));
  const [alone] = native.simulateSession(new Prices('none').toJSON(), 0, ...columns);
  const sent = lengths.map((length) => tokens.slice(0, length).reduce((sum, count) => sum + count, 0));
  const expected = sent.reduce((sum, count) => sum + count, 0);
  assert.ok(Math.abs(alone.cost - expected) <= 1e-9 * expected);
});
