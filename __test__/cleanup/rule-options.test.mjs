// @ts-check
/** Options of rules: JavaScript and the addon must know the same names and defaults. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const native = require('../../lib/native.js');
const { presetsOf, takenOnce } = require('../../lib/cleanup/options.js');

/** `argument` is a field of `groupBy`. */
const optionNames = () => native.ruleOptionNames().filter((/** @type {string} */ name) => name !== 'argument');

test('R3b.1 JavaScript reads exactly the options that the addon knows', () => {
  /** @type {string[]} */
  const read = [];
  takenOnce(new Proxy({}, { get: (_, name) => void read.push(String(name)) }), 'options');
  assert.deepEqual(read.sort(), optionNames().sort());
});

test('R3b.1 each option is passed on under its own name', () => {
  for (const name of optionNames()) {
    assert.deepEqual(takenOnce({ [name]: 'given' }, 'options'), { [name]: 'given' });
  }
});

test('R3b.2 by default a view applies all presets, and prepareMessages only terminal results and file reads', () => {
  assert.deepEqual(presetsOf('inPrepare'), [
    ['terminal', true],
    ['fileReads', true],
    ['textSearch', false],
    ['edits', false],
    ['otherTools', false],
  ]);
  assert.ok(presetsOf('inView').every(([, isDefault]) => isDefault));
});
