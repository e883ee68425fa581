// @ts-check
/** Answers of summary clients in the forms of several SDKs: usage, reasoning, tool calls, and hostile objects. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AutoCompressionManager, summary } from '../../support/compression.mjs';

const SUMMARY = summary('cut off: x');

/** A conversation above the threshold after `process` with a client that returns `answer`. @param {unknown} answer */
async function processedWith(answer) {
  /** @type {any[]} */
  const messages = [{ role: 'system', content: 'You are a coding agent.' }];
  for (let n = 0; n < 60; n++) messages.push({ role: 'user', content: `part ${n}: ${'word '.repeat(100)}` });
  /** @type {any[]} */
  const events = [];
  const settings = { autoCompressionSummaryModel: 'gpt-4o-mini', maxContextTokens: 6_800, hardLimitThreshold: 1 };
  const manager = new AutoCompressionManager(settings, () => answer, null, {
    onEvent: (/** @type {any} */ event) => events.push(event),
  });
  const started = performance.now();
  await manager.process(messages);
  const event = (/** @type {string} */ type) => events.find((found) => found.type === type);
  return { messages, event, stats: manager.stats(), durationMs: performance.now() - started };
}

describe('answers of summary clients', () => {
  it('R7.12 prompt_tokens of the event and llmPromptTokens of stats include cached tokens', async () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 9_000, output_tokens: 80 };
    const { event, stats } = await processedWith({ content: [{ type: 'text', text: SUMMARY }], usage });
    assert.equal(event('summary_answered').prompt_tokens, 9_010);
    assert.equal(event('summary_answered').completion_tokens, 80);
    assert.equal(stats.llmPromptTokens, 9_010);
  });

  it('R7.12 the event summary_answered has the usage of Gemini', async () => {
    const usageMetadata = { promptTokenCount: 700, candidatesTokenCount: 90 };
    const { event } = await processedWith({ candidates: [{ content: { parts: [{ text: SUMMARY }] } }], usageMetadata });
    assert.equal(event('summary_answered').prompt_tokens, 700);
    assert.equal(event('summary_answered').completion_tokens, 90);
  });

  it('R7.6 reasoning parts of the AI SDK are left out of the summary', async () => {
    const content = [
      { type: 'reasoning', text: 'I think about it.' },
      { type: 'text', text: SUMMARY },
    ];
    const { messages, event } = await processedWith({ content, text: SUMMARY });
    assert.ok(event('compressed') && !messages.some((message) => message.content.includes('I think about it')));
  });

  for (const [name, answer] of Object.entries({
    'an answer of the AI SDK with toolCalls': { text: 'I look first.', toolCalls: [{ toolName: 'Read' }] },
    'an answer of Gemini with a functionCall': {
      candidates: [{ content: { parts: [{ functionCall: { name: 'Read' } }] } }],
    },
    'an answer of the AI SDK with the finishReason tool-calls': { text: SUMMARY, finishReason: 'tool-calls' },
  })) {
    it(`R7.6 ${name} is refused as a tool call`, async () => {
      assert.equal((await processedWith(answer)).event('summary_refused').reason, 'tool_call');
    });
  }

  it("fields of an answer that aren't part of a known form are never read", async () => {
    /** @type {string[]} */
    const readFields = [];
    const socket = {
      get headers() {
        return readFields.push('headers');
      },
    };
    const answer = {
      content: SUMMARY,
      get request() {
        return readFields.push('request');
      },
      response: socket,
    };
    assert.ok((await processedWith(answer)).event('compressed'));
    assert.deepEqual(readFields, []);
  });

  it('R0.3 endless, huge and deeply shared answers are refused within 10 s', async () => {
    const endless = /** @type {any} */ (new Proxy({}, { get: () => endless }));
    const huge = new Array(2 ** 32 - 1);
    const shared = new Array(60_000).fill({ type: 'text', text: 'x' });
    const nested = { output: new Array(60_000).fill({ content: shared }) };
    for (const answer of [endless, { content: huge }, { choices: huge }, nested]) {
      const { event, durationMs, stats } = await processedWith(answer);
      assert.equal(event('summary_refused').reason, answer === endless ? 'tool_call' : 'not_text');
      assert.equal(stats.compressed, 0);
      assert.ok(durationMs < 10_000, `${durationMs}`);
    }
  });

  it('R0.2 a lone surrogate in an answer becomes U+FFFD in the summary', async () => {
    const { messages, event } = await processedWith({ content: SUMMARY.replace('x', '\ud83d') });
    assert.ok(event('compressed'));
    assert.ok(messages.some((message) => message.content.includes('cut off: \ufffd')));
  });
});
