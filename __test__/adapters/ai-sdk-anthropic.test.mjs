// @ts-check
/** `cacheControl` of `palimpsest/ai-sdk`, as the SDK's own provider for Anthropic sends it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, isStepCount, jsonSchema, tool, wrapLanguageModel } from 'ai';
import { middleware } from 'palimpsest/ai-sdk';
import { problemsIn } from '../support/providers/anthropic.mjs';

const STEPS = 12;

/** @param {any[]} bodies gets those of all requests @returns {typeof globalThis.fetch} */
const answering = (bodies) => async (_, init) => {
  const step = bodies.push(JSON.parse(String(init?.body)));
  const call = { type: 'tool_use', id: `toolu_${step}`, name: 'read_file', input: { path: 'src/a.js' } };
  const isLast = step > STEPS;
  const content = isLast ? [{ type: 'text', text: 'Read.' }] : [call];
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 400 * step,
    cache_creation_input_tokens: 400,
    output_tokens: 9,
  };
  const [id, stop_reason] = [`msg_${step}`, isLast ? 'end_turn' : 'tool_use'];
  return Response.json({ type: 'message', id, role: 'assistant', model: 'claude', content, stop_reason, usage });
};

/** @param {any} body @returns {string[]} where it has marks */
function marksIn({ system, messages }) {
  const marked = (/** @type {any[]} */ blocks) => blocks.some((block) => block.cache_control?.type === 'ephemeral');
  const places = messages.flatMap((/** @type {any} */ { content }, /** @type {number} */ at) =>
    marked(content) ? [at] : [],
  );
  return [...(marked(system) ? ['system'] : []), ...places.map((at) => (at === messages.length - 1 ? 'end' : `${at}`))];
}

test('R10.8 cacheControl sets at most four breakpoints, among them the system prompt and the last block, in a valid request', async () => {
  /** @type {any[]} */
  const bodies = [];
  const plain = createAnthropic({ apiKey: 'none', fetch: answering(bodies) })('claude-sonnet-4-5');
  const text = 'what the file says, line by line. '.repeat(60);
  const { text: said } = await generateText({
    model: wrapLanguageModel({ model: plain, middleware: middleware({ cacheControl: true }) }),
    instructions: 'You are an engineer.',
    prompt: 'Go.',
    tools: { read_file: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => text }) },
    stopWhen: isStepCount(STEPS + 1),
  });
  assert.equal(said, 'Read.');
  assert.equal(bodies.length, STEPS + 1);
  for (const body of bodies) {
    const marks = marksIn(body);
    assert.ok(marks.includes('system') && marks.includes('end') && marks.length <= 4, marks.join());
    assert.deepEqual(problemsIn(body.messages), []);
  }
});
