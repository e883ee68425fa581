// @ts-check
/** The fill of the window: reported usage, the application's own counts, or the tokenizer's count. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  exchange,
  expandHistory,
  grow,
  managerWith,
  NOW,
  processed,
  session,
  summaryIn,
  tokensOf,
  WINDOW,
} from '../../support/compression.mjs';

const ALMOST_FULL = WINDOW * 0.79;

/** The fill of the window by the event `triggered`, and its source. @param {any[]} messages @param {any} [options] */
async function fillOf(messages, options) {
  const config = configuration({ autoCompressionThreshold: 0.0001, autoCompressionSummaryModel: undefined });
  const { event } = await processed(messages, { config, options });
  const { used_tokens: tokens, source } = event('triggered');
  return { tokens, source };
}

const assistantWith = (/** @type {object} */ usage, /** @type {object} */ fields = {}) => ({
  role: 'assistant',
  content: 'ok',
  usage,
  ...fields,
});

describe('R7.3 the fill of the window', () => {
  it("R7.3 the fill is the provider's newest usage", async () => {
    const messages = [...session(500), assistantWith({ prompt_tokens: 700, completion_tokens: 10 })];
    messages.push({ role: 'user', content: 'go on' }, assistantWith({ prompt_tokens: 1_600, completion_tokens: 20 }));
    assert.deepEqual(await fillOf(messages), { tokens: 1_620, source: 'reported' });
  });

  it('R7.3 messages after the newest usage are counted and added', async () => {
    const messages = [...session(500), assistantWith({ prompt_tokens: 1_600, completion_tokens: 20 })];
    const later = { role: 'user', content: 'and now something quite different, please' };
    const { tokens } = await fillOf([...messages, later]);
    assert.ok(Math.abs(tokens - 1_620 - (tokensOf([...messages, later]) - tokensOf(messages))) <= 1, `${tokens}`);
  });

  it('R7.3 the usage of OpenAI, Anthropic, Gemini, Bedrock, the AI SDK and LangChain is recognised', async () => {
    const reports = [
      { usage: { prompt_tokens: 1_500, completion_tokens: 100, total_tokens: 1_600 } },
      {
        usage: {
          input_tokens: 500,
          cache_read_input_tokens: 800,
          cache_creation_input_tokens: 200,
          output_tokens: 100,
        },
      },
      { usageMetadata: { promptTokenCount: 1_500, candidatesTokenCount: 100, totalTokenCount: 1_600 } },
      { _usage: { promptTokens: 1_500, completionTokens: 100 } },
      { usage: { inputTokens: 1_500, outputTokens: 100, cachedInputTokens: 1_200, totalTokens: 1_600 } },
      { usage: { inputTokens: 300, outputTokens: 100, cachedInputTokens: 1_200 } },
      { usage: { inputTokens: 500, outputTokens: 100, cacheReadInputTokens: 800, cacheWriteInputTokens: 200 } },
      { usage: { inputTokens: { total: 1_500, noCache: 300, cacheRead: 1_200 }, outputTokens: { total: 100 } } },
      { usage_metadata: { input_tokens: 1_500, output_tokens: 100, input_token_details: { cache_read: 1_200 } } },
      { usage: { note: 'nothing' }, _usage: { promptTokens: 1_500, completionTokens: 100 } },
    ];
    for (const report of reports) {
      const { tokens, source } = await fillOf([...session(500), { role: 'assistant', content: 'ok', ...report }]);
      assert.equal(source, 'reported', JSON.stringify(report));
      assert.equal(tokens, 1_600, JSON.stringify(report));
    }
  });

  it('R7.3 without usage the counts of the messages are added up', async () => {
    for (const field of ['promptTokens', 'tokens']) {
      const messages = session(500).map((message) => ({ ...message, [field]: 100 }));
      const { tokens, source } = await fillOf(messages);
      assert.equal(source, 'counted');
      assert.ok(Math.abs(tokens - messages.length * 100) < 20, `${tokens}`);
    }
  });

  it("R7.3 a message without the application's count is counted by the tokenizer", async () => {
    const messages = session(500).map((message) => ({ ...message, tokens: 100 }));
    const long = { role: 'user', content: 'word '.repeat(300) };
    const { tokens } = await fillOf([...messages, long]);
    const added = tokens - (await fillOf(messages)).tokens;
    assert.ok(added > 290 && added < 400, `${added}`);
  });

  it('R7.3 without usage and counts the fill is the count of the tokenizer', async () => {
    const messages = session(900);
    const { tokens, source } = await fillOf(messages);
    assert.equal(source, 'estimated');
    assert.ok(Math.abs(tokens - tokensOf(messages)) <= 1);
  });

  it('R7.3 R7.8 each form of usage is removed from a copy of a kept message, and expandHistory restores it', async () => {
    const reports = {
      _usage: { promptTokens: 3_500, completionTokens: 10 },
      usage: { inputTokens: 3_500, outputTokens: 10 },
      usageMetadata: { promptTokenCount: 3_500 },
      usage_metadata: { input_tokens: 3_500 },
    };
    for (const [field, report] of Object.entries(reports)) {
      const last = { role: 'assistant', content: 'ok', [field]: report };
      const messages = [...session(ALMOST_FULL), last];
      const { manager, calls } = managerWith();
      const before = structuredClone(messages);
      await manager.process(messages, { now: NOW });
      assert.ok(summaryIn(messages), field);
      assert.ok(!Object.hasOwn(messages.at(-1), field), field);
      assert.deepEqual(last[field], report);
      await manager.process(messages, { now: NOW + 1 });
      assert.equal(calls.length, 1, field);
      assert.deepEqual(expandHistory(JSON.parse(JSON.stringify(messages))), before, field);
    }
  });

  it('R7.3 usage from before a compression is not used if the application sets it again', async () => {
    const messages = [
      ...session(ALMOST_FULL),
      assistantWith({ prompt_tokens: 3_500, completion_tokens: 10 }, { timestamp: NOW - 5 }),
    ];
    const { manager, calls } = managerWith();
    await manager.process(messages, { now: NOW });
    const last = messages.length - 1;
    messages[last] = { ...messages[last], usage: { prompt_tokens: 3_500, completion_tokens: 10 } };
    await manager.process(messages, { now: NOW + 1 });
    assert.equal(calls.length, 1);
  });

  it('R7.3 usage from after a compression is used', async () => {
    const { messages, manager, calls } = await processed(session());
    messages.push(
      ...exchange(900),
      assistantWith({ prompt_tokens: 3_600, completion_tokens: 10 }, { timestamp: NOW + 9 }),
    );
    grow(messages, 1_500);
    await manager.process(messages, { now: NOW + 10 });
    assert.equal(calls.length, 2);
  });

  it('R7.3 the option tools, an array or a function, adds its tokens to the fill', async () => {
    const parameters = { type: 'object', properties: { path: { type: 'string', description: 'path '.repeat(400) } } };
    const tools = [{ type: 'function', function: { name: 'read', description: 'reads', parameters } }];
    const messages = session(900);
    const without = await fillOf([...messages]);
    for (const given of [tools, () => tools]) {
      assert.ok((await fillOf([...messages], { tools: given })).tokens > without.tokens + 300);
    }
  });
});
