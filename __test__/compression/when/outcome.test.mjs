// @ts-check
/** What a call did and why not; how large the window is; who asks a model that fails. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContextView, ContextViews, TokenCounter } from 'palimpsest';
import {
  configuration,
  filler,
  managerWith,
  NOW,
  OVER,
  processed,
  scripted,
  session,
  summary,
} from '../../support/compression.mjs';

const overflow = (/** @type {number} */ tokens) =>
  new Error(`This model's maximum context length is ${tokens} tokens. However, your messages resulted in 9 tokens.`);

/** @param {any[]} messages @param {Parameters<typeof managerWith>[0]} [given] */
async function outcome(messages, given) {
  const { manager } = await processed(messages, given);
  return manager.outcomeOf(messages);
}

describe('B8 what compression did, and why not', () => {
  it('B8 nothing, below the threshold and where it is off', async () => {
    const off = { config: configuration({ autoCompressionEnabled: false }) };
    const [below, disabled] = [await outcome(session(1000)), await outcome(session(), off)];
    assert.deepEqual([below.did, below.reason], ['nothing', 'below_threshold']);
    assert.deepEqual([disabled.did, disabled.reason], ['nothing', 'disabled']);
  });

  it('B8 how full the window is where it is off, and that it is off', async () => {
    const off = { config: configuration({ autoCompressionEnabled: false }) };
    const messages = session(OVER);
    const before = [...messages];
    const told = await outcome(messages, off);
    assert.deepEqual(messages, before);
    assert.deepEqual([told.did, told.reason, told.isOverLimit], ['nothing', 'disabled', true]);
    assert.ok(told.tokensBefore > 4000 && told.tokensAfter === told.tokensBefore);
    assert.deepEqual([told.windowTokens, told.windowSource], [4000, 'configured']);
    assert.equal((await outcome(session(1000), off)).isOverLimit, false);
  });

  it('B8 the record says which share of the window was in use before and after, and who wrote it', async () => {
    const messages = session();
    await outcome(messages);
    const { compression } = messages.find((message) => message.isCompressed);
    const { windowTokens, usageBefore, usageAfter, tokensBefore, tokensAfter, model } = compression;
    assert.deepEqual([windowTokens, model], [4000, 'small-model']);
    assert.ok(Math.abs(usageBefore - tokensBefore / 4000) < 1e-4 && Math.abs(usageAfter - tokensAfter / 4000) < 1e-4);
    assert.ok(usageAfter < usageBefore);
  });

  it('B8 why the model was not reached: the system’s code, the status and the class, also of what an error wraps', async () => {
    class APIConnectionError extends Error {}
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    /** @type {[Error, string, number | null][]} */
    const cases = [
      [new TypeError('fetch failed', { cause: refused }), 'ECONNREFUSED', null],
      [
        new APIConnectionError('Connection error.', { cause: new Error('x', { cause: refused }) }),
        'ECONNREFUSED',
        null,
      ],
      [new Error('connect ECONNREFUSED 127.0.0.1:1, secret words'), 'ECONNREFUSED', null],
      [Object.assign(new Error('x'), { response: { status: 401 } }), '401', 401],
      [Object.assign(new Error('x'), { status: 503, code: 'overloaded' }), 'overloaded', 503],
      [new APIConnectionError('secret words'), 'APIConnectionError', null],
    ];
    for (const [error, code, status] of cases) {
      const { manager, messages, event } = await processed(session(), { model: scripted(error) });
      const told = manager.outcomeOf(messages);
      assert.deepEqual([told.code, told.status], [code, status], error.message);
      assert.deepEqual([event('summary_failed').code, event('summary_failed').status ?? null], [code, status]);
      assert.ok(!JSON.stringify([told, event('summary_failed')]).includes('secret'));
    }
  });

  it('B8 a summary, with what its calls took by the provider or by count', async () => {
    const usage = { prompt_tokens: 900, completion_tokens: 80, prompt_tokens_details: { cached_tokens: 300 } };
    const told = await outcome(session(), { model: scripted({ content: summary(), usage, model: 'small-2' }) });
    assert.deepEqual([told.did, told.reason], ['summarised', null]);
    const figures = { inputTokens: 900, cachedTokens: 300, outputTokens: 80, isEstimated: false };
    assert.deepEqual(told.summaryUsage, [{ model: 'small-2', ...figures }]);
    const [counted] = (await outcome(session(), { model: scripted(summary()) })).summaryUsage;
    assert.equal(counted.isEstimated, true);
    assert.ok(counted.inputTokens > 500 && counted.outputTokens > 20);
  });

  it('B8 a refused answer and one asked for twice are paid for, too', async () => {
    const refused = await outcome(session(), {
      model: scripted({ content: 'ok', usage: { prompt_tokens: 9, completion_tokens: 1 } }),
    });
    assert.deepEqual([refused.did, refused.reason, refused.summaryUsage.length], ['nothing', 'too_little', 1]);
    const twice = await outcome(session(), { model: scripted('## Goal\nfix it', summary()) });
    assert.deepEqual([twice.did, twice.summaryUsage.length], ['summarised', 2]);
  });

  it('B8 a cut, with the reason why it is no summary', async () => {
    const error = Object.assign(new Error('secret words'), { status: 503, type: 'overloaded_error' });
    const cut = await outcome(session(OVER), { model: scripted(error) });
    assert.deepEqual([cut.did, cut.reason, cut.code], ['cut', 'summary_failed', '503']);
    assert.deepEqual([cut.errorClass, cut.isOverLimit, cut.summaryUsage], ['overloaded_error', false, []]);
    assert.ok(!JSON.stringify(cut).includes('secret'));
    const alone = await outcome(session(OVER), { config: { maxContextTokens: 4000 } });
    assert.deepEqual([alone.did, alone.reason], ['cut', 'no_summary_model']);
  });

  it('B8 prepare gives it with each request', async () => {
    const compression = { config: configuration(), llmClient: scripted(summary()) };
    const prepared = await new ContextView({ compression }).prepare(session(), { now: NOW });
    assert.deepEqual([prepared.compression.did, prepared.compression.summaryUsage.length], ['summarised', 1]);
    const without = await new ContextView().prepare(session(), { now: NOW });
    assert.deepEqual([without.compression.did, without.compression.reason], ['nothing', 'not_configured']);
  });
});

describe('B8 a summary model that fails', () => {
  it('B8 is asked by one breaker, however many managers, views and conversations ask', async () => {
    const llmClient = scripted(Object.assign(new Error('x'), { status: 400 }));
    const options = { compression: { config: configuration(), llmClient } };
    for (let request = 0; request < 4; request++) await new ContextView(options).prepare(session(), { now: NOW });
    const views = new ContextViews(options);
    for (const task of ['one', 'two']) await views.prepare(session(3400, { task }), { now: NOW });
    const { manager, event } = managerWith({ model: llmClient });
    await manager.process(session(), { now: NOW });
    assert.equal(llmClient.calls.length, 3);
    assert.equal(event('skipped').reason, 'breaker_open');
    await manager.process(session(), { now: NOW + 120_000 });
    assert.equal(llmClient.calls.length, 4);
  });

  it('B8 that gains nothing is not asked again for the next request of the same view', async () => {
    const llmClient = scripted(`${summary()}\n${filler(4000, 'more')}`);
    const view = new ContextView({ compression: { config: configuration(), llmClient } });
    const messages = session();
    for (let request = 0; request < 2; request++) {
      const { compression } = await view.prepare(messages, { now: NOW });
      messages.push({ role: 'user', content: `and then ${request}` });
      assert.equal(compression.reason, request === 0 ? 'not_smaller' : 'no_gain_last_time');
    }
    assert.equal(llmClient.calls.length, 1);
  });
});

describe('B8 the window', () => {
  const small = { autoCompressionSummaryModel: 'small-model' };

  /** @param {any[]} messages @param {Parameters<typeof managerWith>[0]} given @param {any} [call] */
  async function windowOf(messages, given, call) {
    const { manager } = managerWith(given);
    await manager.process(messages, call);
    const { windowTokens, windowSource } = manager.outcomeOf(messages);
    return [windowTokens, windowSource];
  }

  it('B8 is the one that the model has, which the host or the newest answer names', async () => {
    assert.deepEqual(await windowOf(session(500), { config: small, options: { model: 'gpt-4.1' } }), [
      1_047_576,
      'model',
    ]);
    assert.deepEqual(await windowOf(session(500), { config: small }, { model: 'claude-haiku-4-5' }), [
      200_000,
      'model',
    ]);
    const answered = [...session(500), { role: 'assistant', content: 'Done.', model: 'gpt-5' }];
    assert.deepEqual(await windowOf(answered, { config: small }), [272_000, 'model']);
  });

  it('B8 is the one that the host has set, for all calls or for this one', async () => {
    const given = { config: { ...small, maxContextTokens: 50_000 }, options: { model: 'gpt-4.1' } };
    assert.deepEqual(await windowOf(session(500), given), [50_000, 'configured']);
    assert.deepEqual(await windowOf(session(500), given, { maxContextTokens: 9_000 }), [9_000, 'configured']);
    assert.deepEqual(await windowOf(session(500), given, 8_000), [8_000, 'configured']);
    const compression = { config: configuration(), llmClient: scripted(summary()) };
    for (const views of [new ContextView({ compression }), new ContextViews({ compression })]) {
      const prepared = await views.prepare(session(500), { maxContextTokens: 9_000, now: NOW });
      assert.equal(prepared.compression.windowTokens, 9_000);
    }
  });

  it('B8 is what an overflow has told, from then on, whatever is configured', async () => {
    const { manager, event } = managerWith({ options: { model: 'gpt-4.1' } });
    assert.equal(manager.noteOverflow(new Error('socket hang up')), null);
    assert.equal(manager.noteOverflow(overflow(9_000)), 9_000);
    assert.equal(event('window_learnt').window_tokens, 9_000);
    const { model, before_tokens, before_source } = event('window_learnt');
    assert.deepEqual([model, before_tokens, before_source], ['gpt-4.1', 1_047_576, 'model']);
    const messages = session(500);
    await manager.process(messages);
    const { windowTokens, windowSource } = manager.outcomeOf(messages);
    assert.deepEqual([windowTokens, windowSource], [9_000, 'provider']);
  });

  it('B8 is a guess where nobody knows the model, and that is said', async () => {
    const messages = [...session(500), { role: 'user', content: filler(110_000) }];
    const { manager, events } = managerWith({ config: {} });
    await manager.process(messages);
    await manager.process([...messages]);
    const triggered = events.find(({ type }) => type === 'triggered');
    assert.deepEqual([triggered.window_tokens, triggered.window_source], [128_000, 'guess']);
    assert.equal(events.filter(({ type }) => type === 'window_guessed').length, 1);
  });

  it('B8 is what TokenCounter says, by the same table', () => {
    assert.equal(new TokenCounter({ model: 'anthropic/claude-sonnet-4.6' }).contextWindow, 1_000_000);
    assert.equal(new TokenCounter({ model: 'gpt-5' }).contextWindow, 400_000);
    assert.equal(new TokenCounter({ model: 'agent-large' }).contextWindow, null);
    assert.equal(new TokenCounter().contextWindow, null);
  });
});
