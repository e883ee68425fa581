// @ts-check
/** `outcomeOf`: what a call did and why; the sources of the window; and the breaker that users of a client share. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContextView, ContextViews, TokenCounter } from 'palimpsest';
import {
  configuration,
  filler,
  managerWith,
  NOW,
  OVER,
  overflowError,
  processed,
  scripted,
  session,
  summary,
} from '../../support/compression.mjs';

/** The outcome of one `process` call. @param {any[]} messages @param {Parameters<typeof managerWith>[0]} [given] */
async function outcomeAfter(messages, given) {
  const { manager } = await processed(messages, given);
  return manager.outcomeOf(messages);
}

describe('R7.12 the outcome of a call', () => {
  it('R7.12 the outcome is nothing, with the reason below_threshold or disabled', async () => {
    const off = { config: configuration({ autoCompressionEnabled: false }) };
    const [below, disabled] = [await outcomeAfter(session(1000)), await outcomeAfter(session(), off)];
    assert.deepEqual([below.did, below.reason], ['nothing', 'below_threshold']);
    assert.deepEqual([disabled.did, disabled.reason], ['nothing', 'disabled']);
  });

  it('R7.12 with autoCompressionEnabled false the outcome has the tokens, the window and isOverLimit', async () => {
    const off = { config: configuration({ autoCompressionEnabled: false }) };
    const messages = session(OVER);
    const before = [...messages];
    const outcome = await outcomeAfter(messages, off);
    assert.deepEqual(messages, before);
    assert.deepEqual([outcome.did, outcome.reason, outcome.isOverLimit], ['nothing', 'disabled', true]);
    assert.ok(outcome.tokensBefore > 4000 && outcome.tokensAfter === outcome.tokensBefore);
    assert.deepEqual([outcome.windowTokens, outcome.windowSource], [4000, 'configured']);
    assert.equal((await outcomeAfter(session(1000), off)).isOverLimit, false);
  });

  it('R7.7 the record has the window, the share in use before and after, and the model', async () => {
    const messages = session();
    await outcomeAfter(messages);
    const { compression } = messages.find((message) => message.isCompressed);
    const { windowTokens, usageBefore, usageAfter, tokensBefore, tokensAfter, model } = compression;
    assert.deepEqual([windowTokens, model], [4000, 'small-model']);
    assert.ok(Math.abs(usageBefore - tokensBefore / 4000) < 1e-4 && Math.abs(usageAfter - tokensAfter / 4000) < 1e-4);
    assert.ok(usageAfter < usageBefore);
  });

  it("R7.12 outcome and event name the code and status of a client's error or of its cause, and no message", async () => {
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
      const outcome = manager.outcomeOf(messages);
      assert.deepEqual([outcome.code, outcome.status], [code, status], error.message);
      assert.deepEqual([event('summary_failed').code, event('summary_failed').status ?? null], [code, status]);
      assert.ok(!JSON.stringify([outcome, event('summary_failed')]).includes('secret'));
    }
  });

  it('R7.12 the outcome of a summary has its usage as reported, or estimated if none was reported', async () => {
    const usage = { prompt_tokens: 900, completion_tokens: 80, prompt_tokens_details: { cached_tokens: 300 } };
    const outcome = await outcomeAfter(session(), { model: scripted({ content: summary(), usage, model: 'small-2' }) });
    assert.deepEqual([outcome.did, outcome.reason], ['summarised', null]);
    const figures = { inputTokens: 900, cachedTokens: 300, outputTokens: 80, isEstimated: false };
    assert.deepEqual(outcome.summaryUsage, [{ model: 'small-2', ...figures }]);
    const [counted] = (await outcomeAfter(session(), { model: scripted(summary()) })).summaryUsage;
    assert.equal(counted.isEstimated, true);
    assert.ok(counted.inputTokens > 500 && counted.outputTokens > 20);
  });

  it('R7.12 summaryUsage includes refused answers and requests for missing sections', async () => {
    const refused = await outcomeAfter(session(), {
      model: scripted({ content: 'ok', usage: { prompt_tokens: 9, completion_tokens: 1 } }),
    });
    assert.deepEqual([refused.did, refused.reason, refused.summaryUsage.length], ['nothing', 'too_little', 1]);
    const twice = await outcomeAfter(session(), { model: scripted('## Goal\nfix it', summary()) });
    assert.deepEqual([twice.did, twice.summaryUsage.length], ['summarised', 2]);
  });

  it('R7.12 the outcome of a cut has the reason why there is no summary', async () => {
    const error = Object.assign(new Error('secret words'), { status: 503, type: 'overloaded_error' });
    const cut = await outcomeAfter(session(OVER), { model: scripted(error) });
    assert.deepEqual([cut.did, cut.reason, cut.code], ['cut', 'summary_failed', '503']);
    assert.deepEqual([cut.errorClass, cut.isOverLimit, cut.summaryUsage], ['overloaded_error', false, []]);
    assert.ok(!JSON.stringify(cut).includes('secret'));
    const withoutModel = await outcomeAfter(session(OVER), { config: { maxContextTokens: 4000 } });
    assert.deepEqual([withoutModel.did, withoutModel.reason], ['cut', 'no_summary_model']);
  });

  it('R7.12 prepare of a view returns the outcome as compression', async () => {
    const compression = { config: configuration(), llmClient: scripted(summary()) };
    const prepared = await new ContextView({ compression }).prepare(session(), { now: NOW });
    assert.deepEqual([prepared.compression.did, prepared.compression.summaryUsage.length], ['summarised', 1]);
    const without = await new ContextView().prepare(session(), { now: NOW });
    assert.deepEqual([without.compression.did, without.compression.reason], ['nothing', 'not_configured']);
  });
});

describe('R7.10 a failing summary model', () => {
  it('R7.10 managers, views and conversations with the same client share one breaker', async () => {
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

  it('R7.10 a view whose summary gained nothing requests none for the next message', async () => {
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

describe('R7.3 the window', () => {
  const small = { autoCompressionSummaryModel: 'small-model' };

  /** The window of one `process` call and its source. @param {any[]} messages @param {Parameters<typeof managerWith>[0]} given @param {any} [options] */
  async function windowOf(messages, given, options) {
    const { manager } = managerWith(given);
    await manager.process(messages, options);
    const { windowTokens, windowSource } = manager.outcomeOf(messages);
    return [windowTokens, windowSource];
  }

  it('R7.3 the window is that of the model, named by an option or by the newest assistant message', async () => {
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

  it('R7.3 the window is maxContextTokens of the call, else of the configuration', async () => {
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

  it('R7.3 after noteOverflow the window is that of the error, whatever is configured', async () => {
    const { manager, event } = managerWith({ options: { model: 'gpt-4.1' } });
    assert.equal(manager.noteOverflow(new Error('socket hang up')), null);
    assert.equal(manager.noteOverflow(overflowError(9_000)), 9_000);
    assert.equal(event('window_learnt').window_tokens, 9_000);
    const { model, before_tokens, before_source } = event('window_learnt');
    assert.deepEqual([model, before_tokens, before_source], ['gpt-4.1', 1_047_576, 'model']);
    const messages = session(500);
    await manager.process(messages);
    const { windowTokens, windowSource } = manager.outcomeOf(messages);
    assert.deepEqual([windowTokens, windowSource], [9_000, 'provider']);
  });

  it('R7.3 for an unknown model the window is a guess of 128,000 tokens, and window_guessed is logged once', async () => {
    const messages = [...session(500), { role: 'user', content: filler(110_000) }];
    const { manager, events } = managerWith({ config: {} });
    await manager.process(messages);
    await manager.process([...messages]);
    const triggered = events.find(({ type }) => type === 'triggered');
    assert.deepEqual([triggered.window_tokens, triggered.window_source], [128_000, 'guess']);
    assert.equal(events.filter(({ type }) => type === 'window_guessed').length, 1);
  });

  it('R7.3 contextWindow of TokenCounter is the published window of a known model, else null', () => {
    assert.equal(new TokenCounter({ model: 'anthropic/claude-sonnet-4.6' }).contextWindow, 1_000_000);
    assert.equal(new TokenCounter({ model: 'gpt-5' }).contextWindow, 400_000);
    assert.equal(new TokenCounter({ model: 'agent-large' }).contextWindow, null);
    assert.equal(new TokenCounter().contextWindow, null);
  });
});
