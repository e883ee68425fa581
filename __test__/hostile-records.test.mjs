// @ts-check
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  AutoCompressionManager,
  configuration,
  grow,
  NOW,
  scripted,
  session,
  summary,
  tokensOf,
  WINDOW,
} from './support/compression.mjs';

/** @param {any[]} messages @param {Record<string, unknown>} [changes] */
async function processed(messages, changes) {
  const manager = new AutoCompressionManager(configuration(changes), scripted(summary()));
  /** @type {any[]} */
  const events = [];
  manager.onEvent((/** @type {any} */ event) => events.push(event));
  await manager.process(messages, { now: NOW });
  return events.map(({ type }) => type);
}

describe('R7 one message does not keep a conversation from being compressed', () => {
  it('42,000 calls in one message', async () => {
    const calls = Array.from({ length: 42_000 }, (_, at) => ({
      id: `many-${at}`,
      type: 'function',
      function: { name: 'f', arguments: '{}' },
    }));
    const messages = [
      ...session(500),
      { role: 'assistant', content: '', tool_calls: calls },
      ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' })),
    ];
    grow(messages, tokensOf(messages) + 500);
    const events = await processed(messages, { maxContextTokens: 200_000, hardLimitThreshold: 1 });
    assert.ok(!events.includes('failed'), events.join());
    assert.ok(events.includes('compressed') || events.includes('truncated'), events.join());
  });

  const ODD = ['x', -1, Number.NaN, 1e300, null, true, {}, [], 7n];
  const FIELDS = ['droppedCount', 'droppedTokens', 'level', 'digest', 'firstRequest', 'id', 'kind', 'messageCount'];

  for (const kind of ['summary', 'truncation']) {
    it(`a ${kind} whose record holds what no record has`, async () => {
      for (const field of FIELDS) {
        for (const value of ODD) {
          const messages = session(WINDOW * 1.2);
          const record = {
            id: 'x',
            level: 1,
            kind,
            droppedCount: 2,
            droppedTokens: 9,
            messageCount: 0,
            originalMessages: [],
          };
          const odd = { role: 'user', content: 'before', isCompressed: true, compressedAt: NOW };
          messages.splice(1, 0, { ...odd, compression: { ...record, [field]: value } });
          for (const model of [undefined, 'small-model']) {
            const events = await processed([...messages], { autoCompressionSummaryModel: model });
            const what = `${field}: ${String(value)}: ${events.join()}`;
            assert.ok(!events.includes('failed'), what);
            assert.ok(events.includes(model === undefined ? 'truncated' : 'compressed'), what);
          }
        }
      }
    });
  }

  it('a digest that JSON can’t write, such as a cycle', async () => {
    /** @type {any} */
    const digest = {};
    digest.files = digest;
    const messages = session();
    const compression = { id: 'x', level: 1, kind: 'summary', digest, messageCount: 0, originalMessages: [] };
    messages.splice(1, 0, { role: 'user', content: 'before', isCompressed: true, compressedAt: NOW, compression });
    assert.ok((await processed(messages)).includes('compressed'));
  });

  it('holds for any JSON in the place of a record', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom('small-model', undefined),
        async (value, model) => {
          const messages = session(WINDOW * 1.2);
          const at = { isCompressed: true, compressedAt: value };
          messages.splice(1, 0, { role: 'user', content: 'before', ...at, compression: value });
          const events = await processed(messages, { autoCompressionSummaryModel: model });
          assert.ok(!events.includes('failed'), events.join());
          assert.ok(events.includes('compressed') || events.includes('truncated'), events.join());
        },
      ),
      { numRuns: 100 },
    );
  });
});
