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
  NOW,
  scripted,
  session,
  summary,
  tokensOf,
  WINDOW,
} from '../support/compression.mjs';

/** @param {any[]} messages @param {Record<string, unknown>} [changes] */
async function processed(messages, changes) {
  const manager = new AutoCompressionManager(configuration(changes), scripted(summary()));
  /** @type {any[]} */
  const events = [];
  manager.onEvent((/** @type {any} */ event) => events.push(event));
  await manager.process(messages, { now: NOW });
  return events.map(({ type }) => type);
}

describe('R0.3 no single message keeps a conversation from being compressed', () => {
  it('an assistant message with 42,000 calls doesn’t', async () => {
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

  const UNEXPECTED = ['x', -1, Number.NaN, 1e300, null, true, {}, [], 7n];
  const FIELDS = ['droppedCount', 'droppedTokens', 'level', 'digest', 'firstRequest', 'id', 'kind', 'messageCount'];

  for (const kind of ['summary', 'truncation']) {
    it(`a ${kind} whose record has a field with an unexpected value doesn’t`, async () => {
      for (const field of FIELDS) {
        for (const value of UNEXPECTED) {
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
          const message = { role: 'user', content: 'before', isCompressed: true, compressedAt: NOW };
          messages.splice(1, 0, { ...message, compression: { ...record, [field]: value } });
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

  it('a record with a cyclic digest doesn’t', async () => {
    /** @type {any} */
    const digest = {};
    digest.files = digest;
    const messages = session();
    const compression = { id: 'x', level: 1, kind: 'summary', digest, messageCount: 0, originalMessages: [] };
    messages.splice(1, 0, { role: 'user', content: 'before', isCompressed: true, compressedAt: NOW, compression });
    assert.ok((await processed(messages)).includes('compressed'));
  });

  it('a record with an invalid compressedAt, or with getters that throw, doesn’t', async () => {
    const refuse = () => {
      throw new Error('a getter');
    };
    const record = { id: 'x', level: 1, kind: 'truncation', messageCount: 0, originalMessages: [] };
    const message = { role: 'user', content: 'before', isCompressed: true };
    const throwing = Object.defineProperty({ ...record }, 'digest', { get: refuse, enumerable: true });
    for (const fields of [
      { compressedAt: Object.create(null), compression: record },
      { compressedAt: 7n, compression: record },
      { compressedAt: NOW, compression: throwing },
      { compressedAt: NOW, compression: new Proxy(record, { get: refuse, ownKeys: refuse }) },
      { compressedAt: NOW, compression: { ...record, digest: 7n } },
    ]) {
      for (const model of [undefined, 'small-model']) {
        const messages = session(WINDOW * 1.2);
        messages.splice(1, 0, { ...message, ...fields });
        const events = await processed(messages, { autoCompressionSummaryModel: model });
        assert.ok(!events.includes('failed'), events.join());
        assert.ok(events.includes(model === undefined ? 'truncated' : 'compressed'), events.join());
      }
    }
  });

  it('R9.2 unexpected fields of records are reported once in an event record_odd, by name, without values', async () => {
    const manager = new AutoCompressionManager(configuration(), scripted(summary()));
    /** @type {any[]} */
    const events = [];
    manager.onEvent((/** @type {any} */ event) => events.push(event));
    const reported = () => events.splice(0).filter(({ type }) => type === 'record_odd');
    const messages = session(500);
    const record = { id: 'x', level: 1, kind: 'truncation', droppedCount: 2, messageCount: 0, originalMessages: [] };
    const message = { role: 'user', content: 'before', isCompressed: true, compressedAt: NOW };
    messages.splice(1, 0, { ...message, compression: record });
    await manager.process(messages, { now: NOW });
    assert.deepEqual(reported(), [], 'a valid record');
    messages[1] = { ...message, compression: { ...record, droppedCount: 'secret', level: Number.NaN } };
    await manager.process(messages, { now: NOW });
    const [event, ...others] = reported();
    assert.deepEqual([event.fields, event.level, others.length], ['level, droppedCount', 'warn', 0]);
    assert.ok(!JSON.stringify(event).includes('secret'));
    await manager.process(messages, { now: NOW });
    assert.deepEqual(reported(), [], 'not reported again');
    messages[1] = { ...message, compression: 'none' };
    await manager.process(messages, { now: NOW });
    assert.deepEqual(
      reported().map(({ fields }) => fields),
      ['compression'],
    );
  });

  it('the records of six compressions in a row, saved as JSON, are not reported', async () => {
    const manager = new AutoCompressionManager(configuration(), scripted(summary()));
    /** @type {any[]} */
    const events = [];
    manager.onEvent((/** @type {any} */ event) => events.push(event));
    let messages = session();
    for (let round = 0; round < 6; round++) {
      await manager.process(messages, { now: NOW + round });
      messages = JSON.parse(JSON.stringify(messages));
      grow(messages, WINDOW * 1.2, { from: 1_000 * (round + 1) });
    }
    const types = events.map(({ type }) => type);
    assert.ok(types.includes('compressed'), types.join());
    assert.ok(!types.includes('record_odd'), JSON.stringify(events.filter(({ type }) => type === 'record_odd')));
  });

  it('random JSON in place of a record doesn’t', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom('small-model', undefined),
        async (value, model) => {
          const messages = session(WINDOW * 1.2);
          messages.splice(1, 0, {
            role: 'user',
            content: 'before',
            isCompressed: true,
            compressedAt: value,
            compression: value,
          });
          const events = await processed(messages, { autoCompressionSummaryModel: model });
          assert.ok(!events.includes('failed'), events.join());
          assert.ok(events.includes('compressed') || events.includes('truncated'), events.join());
        },
      ),
      { numRuns: 100 },
    );
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
