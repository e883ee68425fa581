// @ts-check
/** A decision that has no room in the numbers that the face lends: results of calls that read dozens of files each. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { prepareMessages } from 'palimpsest';

const native = createRequire(import.meta.url)('../../lib/native.js');
const NOW = 1_780_000_000_000;
const PATHS = Array.from({ length: 40 }, (_, at) => ({ path: `src/${at}.ts` }));

const messages = Array.from({ length: 30 }, (_, at) => {
  const call = { name: 'filesystem-read', arguments: JSON.stringify({ filePath: PATHS }) };
  return [
    { role: 'assistant', content: '', tool_calls: [{ id: `c${at}`, type: 'function', function: call }] },
    { role: 'tool', tool_call_id: `c${at}`, content: 'text '.repeat(200), timestamp: NOW },
  ];
}).flat();

test('is written again where there is room for it, and says the same', () => {
  const { rewrite } = native.ConversationState.prototype;
  let rewritten = 0;
  native.ConversationState.prototype.rewrite = function (/** @type {Float64Array} */ outbox) {
    rewritten += 1;
    return rewrite.call(this, outbox);
  };
  try {
    const first = prepareMessages(messages, { now: NOW });
    assert.equal(rewritten, 1, 'this process has made no larger decision before');
    const second = prepareMessages(structuredClone(messages), { now: NOW });
    assert.equal(rewritten, 1, 'there is room now');
    assert.equal(first.report.changed, 25);
    assert.deepEqual(first.messages, second.messages);
    assert.deepEqual(first.report.toJSON(), second.report.toJSON());
  } finally {
    native.ConversationState.prototype.rewrite = rewrite;
  }
});
