// @ts-check
/** The users' requirements REQ-3.5 and REQ-3.6 (docs/spec/compression.md), failures, and compression by hand. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AutoCompressionManager,
  configuration,
  expandHistory,
  FULL,
  failingModel,
  NOW,
  noticeIn,
  OVER,
  processed,
  scripted,
  session,
  summary,
  summaryIn,
  TASK,
  tokensOf,
  unpaired,
  WINDOW,
} from '../../support/compression.mjs';

describe('REQ-3.5 configuration', () => {
  it('REQ-3.5 compression is enabled by default', async () => {
    const { autoCompressionEnabled, ...rest } = configuration();
    assert.equal(autoCompressionEnabled, undefined);
    assert.equal((await processed(session(), { config: rest })).calls.length, 1);
  });

  it('REQ-3.5 autoCompressionSummaryMaxTokens is 1000 by default', async () => {
    assert.equal((await processed(session())).calls[0].maxTokens, 1_000);
  });

  it('REQ-3.5 without autoCompressionSummaryModel nothing is summarised', async () => {
    const config = configuration({ autoCompressionSummaryModel: undefined });
    const { calls, messages, before } = await processed(session(), { config });
    assert.equal(calls.length, 0);
    assert.deepEqual(messages, before);
  });

  it('REQ-3.5 the manager reads the configuration service at each call', async () => {
    const values = configuration({ autoCompressionEnabled: false });
    const model = scripted(summary());
    const manager = new AutoCompressionManager({ get: (/** @type {string} */ key) => values[key] }, model);
    const messages = session();
    await manager.process(messages);
    assert.equal(model.calls.length, 0);
    values.autoCompressionEnabled = true;
    values.autoCompressionKeepRecentCount = 2;
    await manager.process(messages);
    assert.equal(messages.length, 4);
  });
});

describe('REQ-3.6 logs', () => {
  /** The log entry of an event. @param {any} result @param {string} event @returns {any} */
  const entryOf = ({ log }, event) =>
    log.entries.find((/** @type {any} */ { fields }) => fields.event === event) ?? assert.fail(`no ${event}`);

  it('REQ-3.6 the event triggered is logged with window, used tokens and ratio', async () => {
    const { fields, level } = entryOf(await processed(session()), 'triggered');
    assert.equal(level, 'info');
    assert.equal(fields.window_tokens, WINDOW);
    assert.ok(fields.used_tokens >= FULL * 0.9 && fields.ratio >= 0.8);
  });

  it('REQ-3.6 the event summary_answered is logged with model, tokens and duration', async () => {
    const answer = { content: summary(), usage: { prompt_tokens: 321, completion_tokens: 45 } };
    const { fields } = entryOf(await processed(session(), { model: scripted(answer) }), 'summary_answered');
    assert.equal(fields.model, 'small-model');
    assert.deepEqual([fields.prompt_tokens, fields.completion_tokens], [321, 45]);
    assert.ok(fields.duration_ms >= 0);
  });

  it('REQ-3.6 the event compressed is logged with message counts and tokens before and after', async () => {
    const result = await processed(session());
    const { fields, level } = entryOf(result, 'compressed');
    assert.equal(level, 'info');
    assert.deepEqual([fields.before_count, fields.after_count], [result.before.length, result.messages.length]);
    assert.ok(fields.tokens_before > fields.tokens_after);
  });

  it('REQ-3.6 failed and refused summaries are logged as warnings', async () => {
    assert.equal(entryOf(await processed(session(), { model: failingModel() }), 'summary_failed').level, 'warn');
    assert.equal(entryOf(await processed(session(), { model: scripted('') }), 'summary_refused').level, 'warn');
  });

  it('REQ-3.6 a cut is logged as a warning', async () => {
    assert.equal(entryOf(await processed(session(OVER), { model: failingModel() }), 'truncated').level, 'warn');
  });

  it('REQ-3.6 the failure for a frozen array is logged as an error', async () => {
    const result = await processed(/** @type {any} */ (Object.freeze(session())));
    assert.equal(entryOf(result, 'failed').level, 'error');
  });

  it("REQ-3.6 every log entry and event has the application's logFields", async () => {
    const { log, events } = await processed(session(), { options: { logFields: { agentId: 'agent-7' } } });
    assert.ok(log.entries.length >= 4);
    for (const { fields } of log.entries) assert.equal(fields.agentId, 'agent-7');
    for (const event of events) assert.equal(event.agentId, 'agent-7');
  });
});

describe('failures and compression by hand', () => {
  it('R7.1 process resolves and changes nothing if the model fails or answers with nothing', async () => {
    for (const model of [failingModel(), scripted(''), scripted(undefined), scripted(() => Promise.reject(null))]) {
      const { messages, before } = await processed(session(), { model });
      assert.deepEqual(messages, before);
    }
  });

  it('R7.11 after a failed summary history stays whole until the hard limit', async () => {
    const messages = session(FULL);
    const result = await processed(messages, { model: failingModel() });
    assert.equal(noticeIn(messages), undefined);
    messages.push(...session(OVER - FULL, { from: 500 }).slice(2));
    await result.manager.process(messages, { now: NOW + 1 });
    assert.ok(noticeIn(messages));
  });

  it('R7.11 a cut session is below the hard limit, whatever the length of its results', async () => {
    for (const words of [5, 40, 300, 1_500]) {
      const { messages } = await processed(session(OVER * 2, { words }), { model: failingModel() });
      assert.ok(tokensOf(messages) <= WINDOW * 0.95, `${words} words: ${tokensOf(messages)}`);
    }
  });

  it("R7.8 a summary message written by the application's own tool is compressed and restored like any message", async () => {
    const messages = session(FULL);
    // The application's own compress_context tool replaces messages by a message without a record.
    messages.splice(1, 21, { role: 'user', content: `[压缩摘要]\nI have done steps 1 to 10. ${TASK}` });
    messages.push(...session(1_500, { from: 300 }).slice(2));
    const { messages: after, before } = await processed(messages);
    assert.ok(summaryIn(after));
    assert.deepEqual(expandHistory(after), before);
  });

  it('R7.12 compress after process replaces the summary, and expandHistory restores both ranges', async () => {
    const { manager, messages, before } = await processed(session());
    const later = session(FULL, { from: 200 }).slice(2);
    messages.push(...later);
    const result = await manager.compress(messages, { summary: summary('by hand'), now: NOW + 1 });
    assert.equal(result.compressed, true);
    assert.equal(messages.filter(({ isCompressed }) => isCompressed).length, 1);
    assert.deepEqual(expandHistory(messages), [...before, ...later]);
  });

  it('R7.4 with keepRecentCount 1 a call of compress_context stays with its result', async () => {
    const messages = session(FULL);
    const call = { id: 'cc', type: 'function', function: { name: 'compress_context', arguments: '{}' } };
    messages.push({ role: 'assistant', content: '', tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: 'cc', content: 'compressed' });
    const config = configuration({ autoCompressionKeepRecentCount: 1 });
    const { messages: after } = await processed(messages, { config });
    assert.deepEqual(unpaired(after), []);
    assert.equal(after.at(-2).tool_calls[0].id, 'cc');
  });
});
