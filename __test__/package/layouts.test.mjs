// @ts-check
/** The layouts of the arrays that lib/ and the addon exchange: lib/ takes each field's index from the addon. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const { layouts, lengthOf } = require('../../lib/layouts.js');
const native = require('../../lib/native.js');

test('the indices of each layout’s fields start at 0 and have no gap', () => {
  assert.ok(Object.keys(layouts).length >= 9);
  for (const [name, layout] of Object.entries(layouts)) {
    assert.deepEqual(Object.values(layout), [...Array(lengthOf(layout)).keys()], name);
  }
});

test('no two flags of a row or of a message share a bit', () => {
  for (const flags of [native.RowFlag, native.SaidFlag]) {
    const bits = Object.values(flags).map(Number);
    assert.ok(bits.length >= 7);
    for (const bit of bits) assert.ok(bit > 0 && (bit & (bit - 1)) === 0, `${bit} is one bit`);
    assert.equal(new Set(bits).size, bits.length);
  }
});

test('ConversationState.evaluate throws for an input array that is shorter than its layout', () => {
  const policy = new native.Policy({ orphans: 'remove', cwd: '/', windows: false, rules: [] });
  const state = new native.ConversationState(policy);
  const evaluate = (/** @type {number} */ length) =>
    state.evaluate(new Float64Array(length), [], [], () => undefined, new Float64Array(64));
  assert.throws(() => evaluate(lengthOf(layouts.cleanupNews) - 1), /different versions/);
  assert.equal(evaluate(lengthOf(layouts.cleanupNews)), lengthOf(layouts.cleanupDecision));
});
