// @ts-check
/** What the page's cards say, in numbers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatUsd } from '../../ui/base/format.js';
import { alternativesOf, usdPerUnit } from '../../ui/page/advice-card.js';
import { formatRange } from '../../ui/page/figures.js';

/** @param {object} policies @param {number | null} [usdPerMillion] @returns {any} one thread */
const threadOf = (policies, usdPerMillion = 5) => ({ costs: [{ prices: 'own', usdPerMillion, policies }] });
const series = {
  everyRequest: [120, 120, 120],
  batches20k: [80, 80, 80],
  batches30k: [90, 90, 90],
  clearAbove100k: [110, 110, 110],
  view: [85, 85, 85],
};

describe('R8.7 what would have been cheaper', () => {
  it('is held against what was paid, from the policy’s own figure to what the model saves', () => {
    const paid = [80, null, 100];
    const found = alternativesOf(
      /** @type {any} */ ({ threads: [threadOf({ ...series, leftAlone: [100, 100, 100], paid }, null)] }),
    );
    assert.deepEqual([found.paid, found.modelled], [180, 200]);
    const [cheapest] = found.policies;
    assert.equal(cheapest?.policy, 'batches20k');
    assert.equal(cheapest?.cost, 160, 'only requests whose cost is known');
    assert.ok(Math.abs((cheapest?.low ?? 0) - -40 / 180) < 1e-9 && Math.abs((cheapest?.high ?? 0) - -20 / 180) < 1e-9);
    assert.equal(formatRange(/** @type {any} */ (cheapest), 'en'), '−22.2% … −11.1%');
  });

  it('is held against the whole bill: answers are the same under every policy', () => {
    const threads = [threadOf({ ...series, leftAlone: [100, 100, 100], paid: [100, 100, 100] }, 1e6)];
    const found = alternativesOf(/** @type {any} */ ({ threads, bill: { currency: 'usd', output: 60 } }));
    assert.deepEqual([found.paid, found.modelled, found.output, found.policies[0]?.cost], [360, 360, 60, 300]);
    assert.equal(formatRange(/** @type {any} */ (found.policies[0]), 'en'), '−16.7%');
  });

  it('compares all policies that simulate knows, and without usage with the history left alone', () => {
    const found = alternativesOf(
      /** @type {any} */ ({ threads: [threadOf({ ...series, leftAlone: [100, 100, 100], paid: null })] }),
    );
    assert.equal(found.paid, null);
    const changes = found.policies.map(({ policy, low, high }) => [policy, formatRange({ low, high }, 'en')]);
    assert.deepEqual(changes, [
      ['batches20k', '−20%'],
      ['view', '−15%'],
      ['batches30k', '−10%'],
      ['clearAbove100k', '+10%'],
      ['everyRequest', '+20%'],
    ]);
  });

  it('is left out where a thread doesn’t know a policy, and never counted as nothing', () => {
    const { batches20k: _, ...less } = series;
    const threads = [series, less].map((policies) => threadOf({ ...policies, leftAlone: [100, 100, 100], paid: null }));
    assert.ok(!alternativesOf(/** @type {any} */ ({ threads })).policies.some(({ policy }) => policy === 'batches20k'));
  });

  it('is said in one form in both languages', () => {
    assert.deepEqual(
      [formatUsd(1.5, 'en'), formatUsd(1.5, 'zh'), formatUsd(-0.25, 'en'), formatUsd(0.0123, 'en'), formatUsd(0, 'zh')],
      ['$1.50', '$1.50', '−$0.25', '$0.012', '$0.00'],
    );
  });

  it('has no dollars where a price is unknown', () => {
    assert.equal(usdPerUnit(/** @type {any} */ ({ threads: [threadOf(series, null)] })), null);
    assert.equal(usdPerUnit(/** @type {any} */ ({ threads: [threadOf(series, 5)] })), 5e-6);
  });
});
