// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView, ContextViews, expandHistory } from 'palimpsest';
import { START } from '../support/histories.mjs';

const config = {
  autoCompressionSummaryModel: 'small',
  autoCompressionKeepRecentCount: 4,
  maxContextTokens: 8_000,
};
const SUMMARY = '目标: go on\n决定: none\n已完成: all of it\n未完成: nothing\n文件: a.ts\n失败: none';

/** @param {number} turns */
function session(turns) {
  /** @type {any[]} */
  const messages = [{ role: 'system', content: 'You are an agent.' }];
  for (let turn = 0; turn < turns; turn++) {
    messages.push(
      { role: 'user', content: `Question ${turn}: ${'what about this? '.repeat(20)}`, timestamp: START + turn },
      { role: 'assistant', content: `Answer ${turn}: ${'that is so. '.repeat(60)}`, timestamp: START + turn },
    );
  }
  return messages;
}

describe('R10.10 prepare', () => {
  test('compresses where that is due, keeps what it compressed, and writes to nothing', async () => {
    let calls = 0;
    const llmClient = async () => {
      calls++;
      return SUMMARY;
    };
    const view = new ContextView({ price: 'anthropic', compression: { config, llmClient } });
    const stored = session(40);
    const before = JSON.stringify(stored);
    const first = await view.prepare(stored, { now: START + 1000 });
    assert.equal(JSON.stringify(stored), before);
    assert.ok(calls > 0 && first.messages.length < stored.length);
    assert.ok(
      first.messages.every((message) => !('compression' in message)),
      'it can be sent as it is',
    );
    const made = calls;
    stored.push({ role: 'user', content: 'And now?', timestamp: START + 2000 });
    const second = await view.prepare(stored, { now: START + 2000 });
    assert.equal(calls, made, 'what is compressed is not compressed again');
    assert.deepEqual(second.messages.slice(0, first.messages.length), first.messages);
    assert.equal(second.messages.at(-1)?.content, 'And now?');

    const other = ContextView.import(JSON.parse(JSON.stringify(view.export())), { compression: { config, llmClient } });
    const third = await other.prepare(structuredClone(stored), { now: START + 3000 });
    assert.equal(calls, made, 'nor in another process');
    assert.deepEqual(third.messages, second.messages);
  });

  test('goes back where the host goes back behind what is repeated beside a summary', async () => {
    const view = new ContextView({ compression: { config, llmClient: async () => SUMMARY } });
    const stored = session(4);
    // Too long to be quoted: it is repeated behind the summary.
    stored.push({ role: 'user', content: `Do this:\n${'and that, '.repeat(80)}` });
    for (let step = 0; step < 40; step++) {
      const call = { id: `call-${step}`, type: 'function', function: { name: 'shell', arguments: '{}' } };
      stored.push(
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: 'it went well, as far as anybody can say. '.repeat(20) },
      );
    }
    const { history } = await view.prepare(stored, { now: START });
    assert.deepEqual(expandHistory(history), stored);
    const own = history.length - history.findLastIndex((message) => stored.includes(message) === false) - 1;
    assert.ok(own > 0 && own < history.length - 2, 'something is repeated');
    for (const back of [own, own + 1, own + 2]) {
      const earlier = stored.slice(0, -back);
      const again = await view.prepare(earlier, { now: START + back });
      assert.deepEqual(expandHistory(again.history), earlier, `${back} taken back`);
    }
  });

  test('sends what the host has edited in place, also of a result that was cut short', async () => {
    const cutting = { config: { ...config, autoCompressionSummaryModel: undefined }, llmClient: async () => SUMMARY };
    const view = new ContextView({ compression: cutting });
    const call = { id: 'call-1', type: 'function', function: { name: 'shell', arguments: '{}' } };
    const result = { role: 'tool', tool_call_id: 'call-1', content: 'all of the log, line by line. '.repeat(3_000) };
    const stored = [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      result,
    ];
    const { messages } = await view.prepare(stored, { now: START });
    assert.ok(String(messages.at(-1)?.content).length < result.content.length);
    result.content = 'The log was of another machine.';
    const { messages: again, history } = await view.prepare(stored, { now: START + 1 });
    assert.equal(again.at(-1)?.content, result.content);
    assert.deepEqual(expandHistory(history), stored);
  });

  test('sends nothing that another conversation has edited since this one left it', async () => {
    const views = new ContextViews({ compression: { config, llmClient: async () => SUMMARY } });
    const left = session(40);
    await views.prepare(left, { now: START });
    const going = [...structuredClone(left), { role: 'user', content: 'And now?' }];
    for (let request = 0; request < 3; request++) await views.prepare(going, { now: START + request });
    for (const message of left.slice(-2)) message.content = 'of another conversation';
    const { messages } = await views.prepare(going, { now: START + 9 });
    assert.deepEqual(
      messages.filter(({ content }) => content === 'of another conversation'),
      [],
    );
    assert.equal(messages.at(-2)?.content, going.at(-2).content);
  });

  test('R10.11 compresses from compressWhenCold on while nothing is cached, and not while something is', async () => {
    let calls = 0;
    const llmClient = async () => {
      calls++;
      return SUMMARY;
    };
    const compression = { config: { ...config, maxContextTokens: 24_000 }, llmClient };
    const stored = session(40);
    await new ContextView({ compression }).prepare(stored, { now: START });
    assert.equal(calls, 0, 'less than 0.8 of the window');
    const view = new ContextView({ price: 'anthropic', compression, compressWhenCold: 0.3 });
    await view.prepare(session(8), { now: START });
    await view.prepare(stored, { now: START + 1000 });
    assert.equal(calls, 0, 'the cache is warm');
    await view.prepare(stored, { now: START + 3_600_000 });
    assert.ok(calls > 0);
  });

  test('a signal that is aborted rejects, and nothing is sent', async () => {
    const view = new ContextView();
    const signal = AbortSignal.abort(new Error('stop'));
    await assert.rejects(view.prepare(session(2), { signal }), /stop/);
    assert.equal(view.ledger().requests, 0);
  });
});

test('R10 memory is flat over 10,000 requests', () => {
  const view = new ContextView({ price: 'openai' });
  const stored = session(200);
  const run = (/** @type {number} */ requests) => {
    for (let at = 0; at < requests; at++)
      view.project([...stored, { role: 'user', content: `now ${at}` }], { now: START + at });
  };
  run(500);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  run(10_000);
  globalThis.gc?.();
  assert.ok(process.memoryUsage().heapUsed - before < 24 * 2 ** 20);
});
