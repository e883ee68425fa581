// @ts-check
/** `Prices`: presets, and the cost and cached tokens of a request. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Prices } from 'palimpsest';

/** @param {() => unknown} action @param {string} code @param {RegExp} message */
function assertRejects(action, code, message) {
  assert.throws(action, (/** @type {any} */ error) => {
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.ok(error instanceof (code === 'ERR_OUT_OF_RANGE' ? RangeError : TypeError));
    return true;
  });
}

describe('Prices', () => {
  it('R10.2 presets have the documented figures and a date', () => {
    const { date, prices } = Prices.presets;
    assert.match(date, /^\d{4}-\d\d-\d\d$/);
    const listed = prices.map(({ preset, write, read, ttlMs, minTokens, blockTokens }) => {
      return [preset, write, read, ttlMs / 1000, minTokens, blockTokens];
    });
    assert.deepEqual(listed, [
      ['anthropic', 1.25, 0.1, 300, 1024, 1],
      ['anthropic-1h', 2, 0.1, 3600, 1024, 1],
      ['openai', 1.25, 0.1, 1800, 1024, 128],
      ['openai-older', 1, 0.5, 600, 1024, 128],
      ['deepseek', 1, 0.02, 21_600, 64, 64],
      ['gemini', 1, 0.1, 600, 2048, 1],
      ['none', 1, 1, 0, 0, 1],
    ]);
  });

  it('R10.2 each figure of a preset can be replaced, and prices can be passed without a preset', () => {
    const hour = new Prices({ preset: 'anthropic', ttlMs: 3_600_000 });
    assert.deepEqual([hour.preset, hour.ttlMs, hour.write], ['anthropic', 3_600_000, 1.25]);
    const own = new Prices({ read: 0.25, write: 1, ttlMs: Number.POSITIVE_INFINITY });
    assert.deepEqual([own.preset, own.minTokens, own.blockTokens], [null, 0, 1]);
  });

  it('R10.2 `new Prices` takes prices and their JSON', () => {
    const prices = new Prices({ preset: 'openai', read: 0.5 });
    assert.deepEqual(new Prices(prices).toJSON(), prices.toJSON());
    assert.deepEqual(new Prices(JSON.parse(JSON.stringify(prices))).toJSON(), prices.toJSON());
  });

  it('R10.3 `cost` adds the cached tokens at the read price and the others at the write price', () => {
    const assertNear = (/** @type {number} */ found, /** @type {number} */ expected) =>
      assert.ok(Math.abs(found - expected) < 1e-9, `${found} instead of ${expected}`);
    assertNear(new Prices('anthropic').cost({ cached: 40_000, total: 42_000 }), 0.1 * 40_000 + 1.25 * 2_000);
    assertNear(new Prices('deepseek').cost({ cached: 0, total: 42_000 }), 42_000);
    assertNear(new Prices('none').cost({ cached: 7, total: 7 }), 7);
  });

  it('R10.3 `cachedTokens` returns whole blocks, and zero below the minimum and after `ttlMs`', () => {
    const prices = new Prices('openai');
    assert.equal(prices.cachedTokens(1_500, 1_000), 1_408);
    assert.equal(prices.cachedTokens(1_023, 1_000), 0);
    assert.equal(prices.cachedTokens(1_500, 1_800_000), 1_408);
    assert.equal(prices.cachedTokens(1_500, 1_800_001), 0);
  });

  it('R0.3 invalid prices throw an error that names the field', () => {
    const make = (/** @type {any} */ given) => () => new Prices(given);
    assertRejects(make('mistral'), 'ERR_OUT_OF_RANGE', /^prices: expected one of anthropic, .* got 'mistral'/);
    assertRejects(make({ preset: 'gpt' }), 'ERR_OUT_OF_RANGE', /^prices\.preset: /);
    for (const given of [undefined, null, 7, true]) assertRejects(make(given), 'ERR_INVALID_ARG_TYPE', /^prices: /);
    assertRejects(make({ read: 0.1, write: 1 }), 'ERR_INVALID_ARG_TYPE', /^prices\.ttlMs: expected a number/);
    assertRejects(make({ preset: 'openai', read: '0.1' }), 'ERR_INVALID_ARG_TYPE', /^prices\.read: /);
    assertRejects(make({ preset: 'openai', read: 2 }), 'ERR_OUT_OF_RANGE', /^prices\.read: .* got 2/);
    assertRejects(make({ preset: 'openai', blockTokens: 0 }), 'ERR_OUT_OF_RANGE', /^prices\.blockTokens: /);
  });

  it('R0.3 invalid numbers of tokens throw an error that names the argument', () => {
    const prices = new Prices('openai');
    const cost = (/** @type {any} */ request) => () => prices.cost(request);
    assertRejects(cost(undefined), 'ERR_INVALID_ARG_TYPE', /^request: /);
    assertRejects(cost({ total: 5 }), 'ERR_INVALID_ARG_TYPE', /^request\.cached: /);
    assertRejects(cost({ cached: 6, total: 5 }), 'ERR_OUT_OF_RANGE', /^request\.cached: /);
    assertRejects(cost({ cached: 0, total: Number.NaN }), 'ERR_OUT_OF_RANGE', /^request\.total: /);
    assertRejects(() => prices.cachedTokens(-1, 0), 'ERR_OUT_OF_RANGE', /^unchangedTokens: /);
    assertRejects(() => prices.cachedTokens(1, Number.NaN), 'ERR_OUT_OF_RANGE', /^elapsedMs: /);
  });
});
