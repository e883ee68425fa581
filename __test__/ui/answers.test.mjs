// @ts-check
/** The figures of the page's card “What would have been cheaper”. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatUsd } from '../../ui/base/format.js';
import { alternativesOf, usdPerUnit } from '../../ui/page/advice-card.js';
import { formatRange } from '../../ui/page/card.js';

/** @param {object} policies @param {number | null} [usdPerMillion] @returns {any} a thread */
const threadOf = (policies, usdPerMillion = 5) => ({ costs: [{ prices: 'own', usdPerMillion, policies }] });
const series = {
  everyRequest: [120, 120, 120],
  batches20k: [80, 80, 80],
  batches30k: [90, 90, 90],
  clearAbove100k: [110, 110, 110],
  view: [85, 85, 85],
};

describe('R8.7 alternativesOf', () => {
  it('compares a policy with the paid cost, as a range from its own figure to its saving in the model', () => {
    const paid = [80, null, 100];
    const alternatives = alternativesOf(
      /** @type {any} */ ({ threads: [threadOf({ ...series, leftAlone: [100, 100, 100], paid }, null)] }),
    );
    assert.deepEqual([alternatives.paid, alternatives.modelled], [180, 200]);
    const [cheapest] = alternatives.policies;
    assert.equal(cheapest?.policy, 'batches20k');
    assert.equal(cheapest?.cost, 160, 'only requests whose cost is known');
    assert.ok(Math.abs((cheapest?.low ?? 0) - -40 / 180) < 1e-9 && Math.abs((cheapest?.high ?? 0) - -20 / 180) < 1e-9);
    assert.equal(formatRange(/** @type {any} */ (cheapest), 'en'), '−22.2% … −11.1%');
  });

  it('adds the cost of output, which is the same under every policy', () => {
    const threads = [threadOf({ ...series, leftAlone: [100, 100, 100], paid: [100, 100, 100] }, 1e6)];
    const alternatives = alternativesOf(/** @type {any} */ ({ threads, bill: { currency: 'usd', output: 60 } }));
    assert.deepEqual(
      [alternatives.paid, alternatives.modelled, alternatives.output, alternatives.policies[0]?.cost],
      [360, 360, 60, 300],
    );
    assert.equal(formatRange(/** @type {any} */ (alternatives.policies[0]), 'en'), '−16.7%');
  });

  it('compares all policies of simulate, and without usage with the unmodified history', () => {
    const alternatives = alternativesOf(
      /** @type {any} */ ({ threads: [threadOf({ ...series, leftAlone: [100, 100, 100], paid: null })] }),
    );
    assert.equal(alternatives.paid, null);
    const changes = alternatives.policies.map(({ policy, low, high }) => [policy, formatRange({ low, high }, 'en')]);
    assert.deepEqual(changes, [
      ['batches20k', '−20%'],
      ['view', '−15%'],
      ['batches30k', '−10%'],
      ['clearAbove100k', '+10%'],
      ['everyRequest', '+20%'],
    ]);
  });

  it('leaves out a policy that is missing in a thread', () => {
    const { batches20k: _, ...otherPolicies } = series;
    const threads = [series, otherPolicies].map((policies) =>
      threadOf({ ...policies, leftAlone: [100, 100, 100], paid: null }),
    );
    assert.ok(!alternativesOf(/** @type {any} */ ({ threads })).policies.some(({ policy }) => policy === 'batches20k'));
  });

  it('has amounts in the same form in both languages (formatUsd)', () => {
    assert.deepEqual(
      [formatUsd(1.5, 'en'), formatUsd(1.5, 'zh'), formatUsd(-0.25, 'en'), formatUsd(0.0123, 'en'), formatUsd(0, 'zh')],
      ['$1.50', '$1.50', '−$0.25', '$0.012', '$0.00'],
    );
  });

  it('has no dollars if the model’s price is unknown (usdPerUnit)', () => {
    assert.equal(usdPerUnit(/** @type {any} */ ({ threads: [threadOf(series, null)] })), null);
    assert.equal(usdPerUnit(/** @type {any} */ ({ threads: [threadOf(series, 5)] })), 5e-6);
  });
});
