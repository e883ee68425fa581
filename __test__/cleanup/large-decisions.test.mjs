// @ts-check
/** A decision that is longer than the array that JavaScript lends to the core: calls that read dozens of files each. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { prepareMessages } from 'palimpsest';
import { exchange } from '../support/histories.mjs';

const native = createRequire(import.meta.url)('../../lib/native.js');
const NOW = 1_780_000_000_000;
const PATHS = Array.from({ length: 40 }, (_, at) => ({ path: `src/${at}.ts` }));

const messages = Array.from({ length: 30 }, (_, at) => {
  return exchange(`c${at}`, 'filesystem-read', { filePath: PATHS }, 'text '.repeat(200), { timestamp: NOW });
}).flat();

test('a decision that is too long for the lent array is written again into a longer one, and later ones fit', () => {
  const { rewrite } = native.ConversationState.prototype;
  let rewritten = 0;
  native.ConversationState.prototype.rewrite = function (/** @type {Float64Array} */ outbox) {
    rewritten += 1;
    return rewrite.call(this, outbox);
  };
  try {
    const first = prepareMessages(messages, { now: NOW });
    assert.equal(rewritten, 1, 'the first decision was too long');
    const second = prepareMessages(structuredClone(messages), { now: NOW });
    assert.equal(rewritten, 1, 'the array is long enough');
    assert.equal(first.report.changed, 25);
    assert.deepEqual(first.messages, second.messages);
    assert.deepEqual(first.report.toJSON(), second.report.toJSON());
  } finally {
    native.ConversationState.prototype.rewrite = rewrite;
  }
});
