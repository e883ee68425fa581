// @ts-check
/** `view.prepare`: compression, rewinds, edits in place and aborts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView, ContextViews, expandHistory } from 'palimpsest';
import { START } from '../support/histories.mjs';
import { COMPRESSION_CONFIG as config, SUMMARY } from '../support/view-sessions.mjs';

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
  test('compresses a full window once, also for an imported view, and writes to no stored message', async () => {
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
    const callsForSummary = calls;
    stored.push({ role: 'user', content: 'And now?', timestamp: START + 2000 });
    const second = await view.prepare(stored, { now: START + 2000 });
    assert.equal(calls, callsForSummary, 'the summary is used again');
    assert.deepEqual(second.messages.slice(0, first.messages.length), first.messages);
    assert.equal(second.messages.at(-1)?.content, 'And now?');

    const imported = ContextView.import(JSON.parse(JSON.stringify(view.export())), {
      compression: { config, llmClient },
    });
    const third = await imported.prepare(structuredClone(stored), { now: START + 3000 });
    assert.equal(calls, callsForSummary, 'the summary is used in another process');
    assert.deepEqual(third.messages, second.messages);
  });

  test('restores the history after a rewind to a message before one that is repeated after the summary', async () => {
    const view = new ContextView({ compression: { config, llmClient: async () => SUMMARY } });
    const stored = session(4);
    // Too long to be quoted in the summary, so it is repeated after the summary.
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
    const keptCount = history.length - history.findLastIndex((message) => stored.includes(message) === false) - 1;
    assert.ok(keptCount > 0 && keptCount < history.length - 2, 'something is repeated');
    for (const rewoundBy of [keptCount, keptCount + 1, keptCount + 2]) {
      const rewound = stored.slice(0, -rewoundBy);
      const prepared = await view.prepare(rewound, { now: START + rewoundBy });
      assert.deepEqual(expandHistory(prepared.history), rewound, `rewound by ${rewoundBy}`);
    }
  });

  test('sends a result that was edited in place instead of its shortened copy', async () => {
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

  test('sends no edits that were made to the conversation from which this one was cloned', async () => {
    const views = new ContextViews({ compression: { config, llmClient: async () => SUMMARY } });
    const original = session(40);
    await views.prepare(original, { now: START });
    const clone = [...structuredClone(original), { role: 'user', content: 'And now?' }];
    for (let request = 0; request < 3; request++) await views.prepare(clone, { now: START + request });
    for (const message of original.slice(-2)) message.content = 'edited in the original';
    const { messages } = await views.prepare(clone, { now: START + 9 });
    assert.deepEqual(
      messages.filter(({ content }) => content === 'edited in the original'),
      [],
    );
    assert.equal(messages.at(-2)?.content, clone.at(-2).content);
  });

  test('R10.11 compresses above `compressWhenCold` while the cache is cold, and not while it is warm', async () => {
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

  test('rejects if `signal` is aborted, and counts no request', async () => {
    const view = new ContextView();
    const signal = AbortSignal.abort(new Error('stop'));
    await assert.rejects(view.prepare(session(2), { signal }), /stop/);
    assert.equal(view.ledger().requests, 0);
  });
});

test('R10 10,000 requests increase the memory of a view by less than 24 MB', () => {
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
