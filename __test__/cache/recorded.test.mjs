// @ts-check
/** The simulation of policies on recorded sessions. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Prices } from 'palimpsest';
import { columnsOf } from '../../bench/cache-columns.mjs';
import { COST_LIMIT } from '../support/cache-biller.mjs';
import { testEachSession } from '../support/corpus.mjs';

const native = createRequire(import.meta.url)('../../lib/native.js');

/** @param {Parameters<typeof columnsOf>[0]} session */
function columnsForSimulation(session) {
  const { tokens, replaced, staleAt, lengths, times } = columnsOf(session);
  const columns = [tokens, replaced, staleAt, lengths, times].map((numbers) => Float64Array.from(numbers));
  return { columns, tokens, lengths };
}

testEachSession(
  'R10.5 with every preset the simulated view costs at most 1.02 times the unmodified session',
  (session) => {
    const { columns } = columnsForSimulation(session);
    for (const prices of Prices.presets.prices) {
      const outcomes = native.simulateSession(prices.toJSON(), 0, ...columns);
      /** @type {Record<string, number>} */
      const costs = Object.fromEntries(outcomes.map(({ policy, cost }) => [policy, cost]));
      const { 'leave-alone': unmodified = 0, view = 0, hindsight = 0 } = costs;
      assert.ok(view <= COST_LIMIT * unmodified, `${prices.preset}: ${view} for ${unmodified}`);
      assert.ok(
        Object.values(costs).every((cost) => cost >= hindsight),
        `${prices.preset}: hindsight is the cheapest`,
      );
    }
  },
);

testEachSession('R10.3 without a cache a session costs the tokens that it sends', (session) => {
  const { columns, tokens, lengths } = columnsForSimulation(session);
  const [unmodified] = native.simulateSession(new Prices('none').toJSON(), 0, ...columns);
  const sent = lengths.map((length) => tokens.slice(0, length).reduce((sum, count) => sum + count, 0));
  const expected = sent.reduce((sum, count) => sum + count, 0);
  assert.ok(Math.abs(unmodified.cost - expected) <= 1e-9 * expected);
});
