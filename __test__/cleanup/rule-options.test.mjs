// @ts-check
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const native = require('../../lib/native.js');
const { namedOptions, takenOnce } = require('../../lib/cleanup/policy-spec.js');
const { presetsOf } = require('../../lib/cleanup/options.js');

/** The addon's list also names what lies within `groupBy`. */
const names = () => native.ruleOptionNames().filter((/** @type {string} */ name) => name !== 'argument');

test('R2.1 the face looks under the names of options that the addon knows, and under no other', () => {
  /** @type {string[]} */
  const read = [];
  takenOnce(new Proxy({}, { get: (_, name) => void read.push(String(name)) }), 'options');
  assert.deepEqual(read.sort(), names().sort());
});

test('R2.1 a value that is given under one of these names is read under this name', () => {
  for (const name of names()) {
    assert.deepEqual(namedOptions(takenOnce({ [name]: 'given' }, 'options')), { [name]: 'given' });
  }
});

test('R1.1 the presets that hold by default are the core’s: all in a view, text search not in prepareMessages', () => {
  assert.deepEqual(presetsOf('inPrepare'), [
    ['terminal', true],
    ['fileReads', true],
    ['textSearch', false],
    ['edits', false],
    ['otherTools', false],
  ]);
  assert.ok(presetsOf('inView').every(([, holds]) => holds));
});
