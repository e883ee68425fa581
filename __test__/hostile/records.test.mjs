// @ts-check
/** Compression records and saved fields with unexpected values, which a damaged file or another program may contain. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  AutoCompressionManager,
  configuration,
  expandHistory,
  grow,
  managerWith,
  NOW,
  scripted,
  session,
  summary,
  tokensOf,
  WINDOW,
} from '../support/compression.mjs';

const RECORD = { id: 'x', level: 1, kind: 'truncation', messageCount: 0, originalMessages: [] };

/** @param {object} fields */
const compressedMessage = (fields) => ({
  role: 'user',
  content: 'before',
  isCompressed: true,
  compressedAt: NOW,
  ...fields,
});

/** Asserts that `process` compresses or cuts the messages. @param {any[]} messages @param {Record<string, unknown>} config @param {string[]} [expected] any of these events */
async function assertProcessed(messages, config, expected = ['compressed', 'truncated']) {
  const { manager, types } = managerWith({ config: configuration(config) });
  await manager.process(messages, { now: NOW });
  assert.ok(!types().includes('failed'), types().join());
  assert.ok(
    types().some((type) => expected.includes(type)),
    types().join(),
  );
}

/** Asserts that a full conversation with this second message is summarised, and cut without a model. @param {object} message */
async function assertSummarisedAndCut(message) {
  const messages = session(WINDOW * 1.2).toSpliced(1, 0, /** @type {any} */ (message));
  await assertProcessed([...messages], { autoCompressionSummaryModel: undefined }, ['truncated']);
  await assertProcessed([...messages], { autoCompressionSummaryModel: 'small-model' }, ['compressed']);
}

describe('R0.3 process compresses a conversation that contains', () => {
  it('an assistant message with 42,000 calls', async () => {
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
    await assertProcessed(messages, { maxContextTokens: 200_000, hardLimitThreshold: 1 });
  });

  const UNEXPECTED = ['x', -1, Number.NaN, 1e300, null, true, {}, [], 7n];
  const FIELDS = ['droppedCount', 'droppedTokens', 'level', 'digest', 'firstRequest', 'id', 'kind', 'messageCount'];

  for (const kind of ['summary', 'truncation']) {
    it(`a ${kind} whose record has a field with an unexpected value`, async () => {
      for (const field of FIELDS) {
        for (const value of UNEXPECTED) {
          const record = { ...RECORD, kind, droppedCount: 2, droppedTokens: 9 };
          await assertSummarisedAndCut(compressedMessage({ compression: { ...record, [field]: value } }));
        }
      }
    });
  }

  it('a summary whose record has a cyclic digest', async () => {
    /** @type {any} */
    const digest = {};
    digest.files = digest;
    const messages = session();
    messages.splice(1, 0, compressedMessage({ compression: { ...RECORD, kind: 'summary', digest } }));
    await assertProcessed(messages, {}, ['compressed']);
  });

  it('a notice with an invalid compressedAt, or whose record has getters that throw', async () => {
    const refuse = () => {
      throw new Error('a getter');
    };
    const throwing = Object.defineProperty({ ...RECORD }, 'digest', { get: refuse, enumerable: true });
    for (const fields of [
      { compressedAt: Object.create(null), compression: RECORD },
      { compressedAt: 7n, compression: RECORD },
      { compression: throwing },
      { compression: new Proxy(RECORD, { get: refuse, ownKeys: refuse }) },
      { compression: { ...RECORD, digest: 7n } },
    ]) {
      await assertSummarisedAndCut(compressedMessage(fields));
    }
  });

  it('a message with random JSON as its record', async () => {
    const model = fc.constantFrom('small-model', undefined);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), model, async (value, autoCompressionSummaryModel) => {
        const messages = session(WINDOW * 1.2);
        messages.splice(1, 0, compressedMessage({ compressedAt: value, compression: value }));
        await assertProcessed(messages, { autoCompressionSummaryModel });
      }),
      { numRuns: 100 },
    );
  });
});

describe('R9.2 the event record_odd', () => {
  it('names each unexpected field of a record once, without its value', async () => {
    const { manager, events } = managerWith();
    const reported = () => events.splice(0).filter(({ type }) => type === 'record_odd');
    const messages = session(500);
    const record = { ...RECORD, droppedCount: 2 };
    messages.splice(1, 0, compressedMessage({ compression: record }));
    await manager.process(messages, { now: NOW });
    assert.deepEqual(reported(), [], 'a valid record');
    messages[1] = compressedMessage({ compression: { ...record, droppedCount: 'secret', level: Number.NaN } });
    await manager.process(messages, { now: NOW });
    const [event, ...others] = reported();
    assert.deepEqual([event.fields, event.level, others.length], ['level, droppedCount', 'warn', 0]);
    assert.ok(!JSON.stringify(event).includes('secret'));
    await manager.process(messages, { now: NOW });
    assert.deepEqual(reported(), [], 'not reported again');
    messages[1] = compressedMessage({ compression: 'none' });
    await manager.process(messages, { now: NOW });
    assert.deepEqual(
      reported().map(({ fields }) => fields),
      ['compression'],
    );
  });

  it('is not raised for the records of six compressions in a row, saved as JSON', async () => {
    const { manager, events, types } = managerWith();
    let messages = session();
    for (let round = 0; round < 6; round++) {
      await manager.process(messages, { now: NOW + round });
      messages = JSON.parse(JSON.stringify(messages));
      grow(messages, WINDOW * 1.2, { from: 1_000 * (round + 1) });
    }
    assert.ok(types().includes('compressed'), types().join());
    assert.ok(!types().includes('record_odd'), JSON.stringify(events.filter(({ type }) => type === 'record_odd')));
  });
});

describe('R7.8 a saved field called __proto__', () => {
  const fields = JSON.parse('{"__proto__": {"polluted": true}, "usage": {"prompt_tokens": 5}, "constructor": 1}');

  it('is an own field again in expandHistory, also after JSON and structuredClone', () => {
    const saved = { role: 'user', content: 'x', beforeCompression: { fields } };
    const hidden = Object.defineProperty({ ...saved }, 'hidden', { value: 1, enumerable: false });
    for (const message of [saved, JSON.parse(JSON.stringify(saved)), structuredClone(saved), hidden]) {
      const [restored] = expandHistory([message]);
      assert.equal(Object.getPrototypeOf(restored), Object.prototype);
      assert.ok(!('polluted' in restored));
      assert.deepEqual(Object.getOwnPropertyDescriptor(restored, '__proto__')?.value, { polluted: true });
      assert.equal(restored.constructor, 1);
      assert.ok(!('beforeCompression' in restored));
      const again = JSON.parse(JSON.stringify(restored));
      assert.deepEqual(Object.getOwnPropertyDescriptor(again, '__proto__')?.value, { polluted: true });
    }
  });

  it('is an own field of a pinned message after a compression', async () => {
    const pinned = JSON.parse(
      '{"role": "user", "content": "keep", "isPinned": true, "__proto__": {"polluted": true}, "usage": {"prompt_tokens": 9}}',
    );
    const messages = session();
    messages.splice(2, 0, pinned);
    const before = structuredClone(messages.slice(0, 3));
    const options = { pin: (/** @type {any} */ message) => message.isPinned === true };
    const manager = new AutoCompressionManager(configuration(), scripted(summary()), null, options);
    await manager.compress(messages, { now: NOW });
    const loaded = JSON.parse(JSON.stringify(messages));
    assert.ok(loaded.every((/** @type {any} */ message) => !('polluted' in message)));
    assert.deepEqual(expandHistory(loaded).slice(0, 3), before);
    assert.ok(Object.hasOwn(expandHistory(loaded)[2], '__proto__'));
  });
});
