// @ts-check
/** The figures behind `<context-chart>`, without a browser: scales, stacks, costs, marks. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cumulative, Money, policyCosts } from '../../ui/chart/costs.js';
import { eventsOf, signSums } from '../../ui/chart/events.js';
import { areaPath, linePath, requestAt, requestTicks, stack, ticks, xOf } from '../../ui/chart/plot.js';
import { samplePicture } from '../support/pictures.mjs';

/** @template T @param {ArrayLike<T>} list */
const last = (list) => list[list.length - 1];

describe('scales of the chart', () => {
  it('ticks are round and evenly spaced, and the last is at or above the largest value', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), fc.integer({ min: 2, max: 8 }), (most, about) => {
        const values = ticks(most, about);
        const step = values[1] - values[0];
        assert.equal(values[0], 0);
        assert.ok(last(values) >= most * (1 - 1e-9) && values[values.length - 2] < most);
        assert.ok(values.length <= about + 2);
        assert.match((step / 10 ** Math.floor(Math.log10(step * 1.000001))).toFixed(6), /^(1|2|2\.5|5)\.?0*$/);
      }),
    );
    assert.deepEqual(ticks(0, 5), [0, 1]);
  });

  it('requestAt finds each request at the middle of its band, and the first or last one outside', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.nat(), (count, seed) => {
        const xScale = { left: 56, width: 700, count };
        const request = seed % count;
        assert.equal(requestAt(xScale, (xOf(xScale, request) + xOf(xScale, request + 1)) / 2), request);
      }),
    );
    assert.equal(requestAt({ left: 56, width: 700, count: 9 }, -50), 0);
    assert.equal(requestAt({ left: 56, width: 700, count: 9 }, 5_000), 8);
  });

  it('requestTicks are the first request and round numbers', () => {
    assert.deepEqual(
      requestTicks(57, 7).map((place) => place + 1),
      [1, 10, 20, 30, 40, 50],
    );
    assert.deepEqual(requestTicks(1, 7), [0]);
    assert.deepEqual(requestTicks(0, 7), []);
  });
});

describe('series of the chart', () => {
  const { threads, kinds } = samplePicture();
  const [{ requests, costs }] = threads;

  it('stack adds up to the tokens of each request, and leaves out kinds that never occur', () => {
    const layers = stack(requests, kinds.length);
    assert.deepEqual(
      [...last(layers).tops],
      requests.map(({ tokens }) => tokens),
    );
    assert.ok(layers.every(({ kind }) => requests.some(({ tokensByKind }) => tokensByKind[kind] > 0)));
    assert.ok(layers.length < kinds.length);
  });

  it('policyCosts compares a policy with the unmodified history over the requests where both are known', () => {
    const policies = policyCosts({
      prices: 'own',
      usdPerMillion: null,
      policies: { leftAlone: [10, 20, 30], everyRequest: [5, 10, 15], view: [10, 10, 10], paid: [20, null, 60] },
    });
    assert.deepEqual(
      policies.map(({ policy, total, knownCount, ratio }) => [policy, total, knownCount, ratio]),
      [
        ['leftAlone', 60, 3, 1],
        ['everyRequest', 30, 3, 0.5],
        ['view', 30, 3, 0.5],
        ['paid', 80, 2, 2],
      ],
    );
    assert.deepEqual(
      policyCosts(costs[1]).map(({ policy }) => policy),
      ['leftAlone', 'everyRequest', 'view'],
    );
    assert.deepEqual(cumulative([1, null, 2]), [1, null, 3]);
  });

  it('linePath draws steps with a gap at an unknown value, and areaPath draws areas', () => {
    const scale = { left: 0, width: 30, count: 3, top: 0, height: 10, max: 10 };
    assert.equal(linePath(scale, [10, null, 5]), 'M0 0H10M20 5H30');
    assert.equal(areaPath(scale, [10], null), 'M0 0V0H10V10H0Z');
    assert.equal(areaPath(scale, [], null), '');
  });

  it('Money formats dollars if the price is known, and tokens otherwise', () => {
    const policies = /** @type {any} */ ({});
    assert.equal(new Money('en', { prices: 'own', usdPerMillion: 3, policies }).format(1_000_000), '$3.00');
    assert.equal(new Money('en', { prices: 'own', usdPerMillion: 3, policies }).format(1_234), '$0.0037');
    assert.equal(new Money('en', { prices: 'own', usdPerMillion: null, policies }).format(1_234_567), '1.2M');
    assert.equal(new Money('zh', { prices: 'own', usdPerMillion: null, policies }).format(1_234_567), '123.5万');
    assert.equal(new Money('en', { prices: 'own', usdPerMillion: 3, policies }).format(null), '–');
  });
});

describe('marks of the chart', () => {
  const bust = { cause: /** @type {const} */ ('idle'), tokens: 100, cost: 125 };
  const [base] = samplePicture().threads[0].requests;
  const requestWith = (fields) => ({ ...base, bust: null, begins: null, isCompaction: false, ...fields });

  it('eventsOf finds where a context begins, a summary is written, or a cache was lost', () => {
    const events = eventsOf([
      requestWith({}),
      requestWith({ bust }),
      requestWith({ begins: 'compaction', bust: { ...bust, cause: 'compaction' } }),
      requestWith({ isCompaction: true }),
    ]);
    assert.deepEqual(
      events.map(({ request, signs }) => [request, signs]),
      [
        [1, ['idle']],
        [2, ['begins compaction', 'compaction']],
        [3, ['compacts']],
      ],
    );
  });

  it('signSums adds up lost tokens and costs by cause, and counts other causes as unknown', () => {
    const events = eventsOf([
      requestWith({ bust }),
      requestWith({ bust }),
      requestWith({ begins: 'rewind', bust: { ...bust, cause: 'quantum' } }),
    ]);
    assert.deepEqual(signSums(events), [
      { sign: 'idle', count: 2, tokens: 200, cost: 250 },
      { sign: 'begins rewind', count: 1, tokens: 0, cost: 0 },
      { sign: 'unknown', count: 1, tokens: 100, cost: 125 },
    ]);
  });
});
