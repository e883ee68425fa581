// @ts-check
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';

const { AutoCompressionManager } = createRequire(import.meta.url)('palimpsest');

const SUMMARY =
  '## Goal\nx\n## Decisions\nx\n## Done\nx\n## Open\nx\n## Files\nx\n## Failed attempts\nx\n## Discoveries\nx';

/** A conversation above the threshold, processed with a model that gives `answer`. @param {unknown} answer */
async function answered(answer) {
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
  const of = (/** @type {string} */ type) => events.find((event) => event.type === type);
  return { messages, of, stats: manager.stats(), tookMs: performance.now() - started };
}

describe('what a client answers', () => {
  it('R7.3 what the cache held is counted as prompt, in events and statistics', async () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 9_000, output_tokens: 80 };
    const { of, stats } = await answered({ content: [{ type: 'text', text: SUMMARY }], usage });
    assert.equal(of('summary_answered').prompt_tokens, 9_010);
    assert.equal(of('summary_answered').completion_tokens, 80);
    assert.equal(stats.llmPromptTokens, 9_010);
  });

  it('R7.3 the usage of Gemini is read as well', async () => {
    const usageMetadata = { promptTokenCount: 700, candidatesTokenCount: 90 };
    const { of } = await answered({ candidates: [{ content: { parts: [{ text: SUMMARY }] } }], usageMetadata });
    assert.equal(of('summary_answered').prompt_tokens, 700);
    assert.equal(of('summary_answered').completion_tokens, 90);
  });

  it('R7.6 reasoning parts of the AI SDK are no part of the summary', async () => {
    const content = [
      { type: 'reasoning', text: 'I think about it.' },
      { type: 'text', text: SUMMARY },
    ];
    const { messages, of } = await answered({ content, text: SUMMARY });
    assert.ok(of('compressed') && !messages.some((message) => message.content.includes('I think about it')));
  });

  for (const [name, answer] of Object.entries({
    'calls of the AI SDK': { text: 'I look first.', toolCalls: [{ toolName: 'Read' }] },
    'a part that is a call of Gemini': { candidates: [{ content: { parts: [{ functionCall: { name: 'Read' } }] } }] },
    'an ending in the words of the AI SDK': { text: SUMMARY, finishReason: 'tool-calls' },
  })) {
    it(`R7.6 ${name} is no summary`, async () => {
      assert.equal((await answered(answer)).of('summary_refused').reason, 'tool_call');
    });
  }

  it('R0.3 of a stranger’s object nothing is touched but what is read', async () => {
    /** @type {string[]} */
    const touched = [];
    const socket = {
      get headers() {
        return touched.push('headers');
      },
    };
    const answer = {
      content: SUMMARY,
      get request() {
        return touched.push('request');
      },
      response: socket,
    };
    assert.ok((await answered(answer)).of('compressed'));
    assert.deepEqual(touched, []);
  });

  it('R0.3 answers without end are no summary, and soon', async () => {
    const endless = /** @type {any} */ (new Proxy({}, { get: () => endless }));
    const huge = new Array(2 ** 32 - 1);
    const shared = new Array(60_000).fill({ type: 'text', text: 'x' });
    const nested = { output: new Array(60_000).fill({ content: shared }) };
    for (const answer of [endless, { content: huge }, { choices: huge }, nested]) {
      const { of, tookMs, stats } = await answered(answer);
      assert.equal(of('summary_refused').reason, answer === endless ? 'tool_call' : 'not_text');
      assert.equal(stats.compressed, 0);
      assert.ok(tookMs < 10_000, `${tookMs}`);
    }
  });

  it('R0.2 half of a surrogate pair in an answer is no error', async () => {
    const { messages, of } = await answered({ content: SUMMARY.replace('x', 'cut off: \ud83d') });
    assert.ok(of('compressed'));
    assert.ok(messages.some((message) => message.content.includes('cut off: \ufffd')));
  });
});
