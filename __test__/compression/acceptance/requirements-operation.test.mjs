// @ts-check
/** The acceptance lines of the automatic compression's requirements: configuration, logs, reliability, coexistence. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AutoCompressionManager,
  configuration,
  expandHistory,
  FULL,
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

const broken = () => scripted(new Error('the model is away'));

describe('REQ-3.5 configuration', () => {
  it('REQ-3.5 compression is enabled by default', async () => {
    const { autoCompressionEnabled, ...rest } = configuration();
    assert.equal(autoCompressionEnabled, undefined);
    assert.equal((await processed(session(), { config: rest })).calls.length, 1);
  });

  it('REQ-3.5 the summary may have 1000 tokens by default', async () => {
    assert.equal((await processed(session())).calls[0].maxTokens, 1_000);
  });

  it('REQ-3.5 there is no default model: without one nothing is summarised', async () => {
    const config = configuration({ autoCompressionSummaryModel: undefined });
    const { calls, messages, before } = await processed(session(), { config });
    assert.equal(calls.length, 0);
    assert.deepEqual(messages, before);
  });

  it('REQ-3.5 the manager is given a configuration service once and reads it anew at each call', async () => {
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
  /** @param {any} made @param {string} event @returns {any} */
  const entry = ({ log }, event) =>
    log.heard.find((/** @type {any} */ { fields }) => fields.event === event) ?? assert.fail(`no ${event}`);

  it('REQ-3.6 the state of the context is logged when compression is triggered', async () => {
    const { fields, level } = entry(await processed(session()), 'triggered');
    assert.equal(level, 'info');
    assert.equal(fields.window_tokens, WINDOW);
    assert.ok(fields.used_tokens >= FULL * 0.9 && fields.ratio >= 0.8);
  });

  it('REQ-3.6 the call of the model is logged with model, tokens and duration', async () => {
    const answer = { content: summary(), usage: { prompt_tokens: 321, completion_tokens: 45 } };
    const { fields } = entry(await processed(session(), { model: scripted(answer) }), 'summary_answered');
    assert.equal(fields.model, 'small-model');
    assert.deepEqual([fields.prompt_tokens, fields.completion_tokens], [321, 45]);
    assert.ok(fields.duration_ms >= 0);
  });

  it('REQ-3.6 message counts and tokens before and after are logged', async () => {
    const made = await processed(session());
    const { fields, level } = entry(made, 'compressed');
    assert.equal(level, 'info');
    assert.deepEqual([fields.before_count, fields.after_count], [made.before.length, made.messages.length]);
    assert.ok(fields.tokens_before > fields.tokens_after);
  });

  it('REQ-3.6 a failed summary is a warning', async () => {
    assert.equal(entry(await processed(session(), { model: broken() }), 'summary_failed').level, 'warn');
    assert.equal(entry(await processed(session(), { model: scripted('') }), 'summary_refused').level, 'warn');
  });

  it('REQ-3.6 a truncation is a warning', async () => {
    assert.equal(entry(await processed(session(OVER), { model: broken() }), 'truncated').level, 'warn');
  });

  it('REQ-3.6 an unforeseen error is logged as an error', async () => {
    const made = await processed(/** @type {any} */ (Object.freeze(session())));
    assert.equal(entry(made, 'failed').level, 'error');
  });

  it('REQ-3.6 every entry is structured and carries the fields of the host, such as agentId', async () => {
    const { log, events } = await processed(session(), { options: { logFields: { agentId: 'agent-7' } } });
    assert.ok(log.heard.length >= 4);
    for (const { fields } of log.heard) assert.equal(fields.agentId, 'agent-7');
    for (const event of events) assert.equal(event.agentId, 'agent-7');
  });
});

describe('§4 reliability and coexistence', () => {
  it('§4.2 a failing model never keeps the request from going on', async () => {
    for (const model of [broken(), scripted(''), scripted(undefined), scripted(() => Promise.reject(null))]) {
      const { messages, before } = await processed(session(), { model });
      assert.deepEqual(messages, before);
    }
  });

  it('§4.2 after a failed summary history waits, whole, for the hard limit', async () => {
    const messages = session(FULL);
    const made = await processed(messages, { model: broken() });
    assert.equal(noticeIn(messages), undefined);
    messages.push(...session(OVER - FULL, { from: 500 }).slice(2));
    await made.manager.process(messages, { now: NOW + 1 });
    assert.ok(noticeIn(messages));
  });

  it('§4.2 errors are caught and recorded', async () => {
    const { manager, types } = await processed(session(), { model: broken() });
    assert.ok(types().includes('summary_failed'));
    assert.equal(manager.stats().failed, 1);
  });

  it('§4.2 truncation makes sure that the limit holds', async () => {
    for (const words of [5, 40, 300, 1_500]) {
      const { messages } = await processed(session(OVER * 2, { words }), { model: broken() });
      assert.ok(tokensOf(messages) <= WINDOW * 0.95, `${words} words: ${tokensOf(messages)}`);
    }
  });

  it('§4.3 what the agent compressed by hand is taken like any other history', async () => {
    const messages = session(FULL);
    // The host's own compress_context tool: it writes a message and drops what it stands for.
    messages.splice(1, 21, { role: 'user', content: `[压缩摘要]\nI have done steps 1 to 10. ${TASK}` });
    messages.push(...session(1_500, { from: 300 }).slice(2));
    const { messages: after, before } = await processed(messages);
    assert.ok(summaryIn(after));
    assert.deepEqual(expandHistory(after), before);
  });

  it('§4.3 automatic and manual compression follow each other in one conversation', async () => {
    const { manager, messages, before } = await processed(session());
    const more = session(FULL, { from: 200 }).slice(2);
    messages.push(...more);
    const result = await manager.compress(messages, { summary: summary('by hand'), now: NOW + 1 });
    assert.equal(result.compressed, true);
    assert.equal(messages.filter(({ isCompressed }) => isCompressed).length, 1);
    assert.deepEqual(expandHistory(messages), [...before, ...more]);
  });

  it('§4.3 a call of the compress_context tool and its result stay a pair', async () => {
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
