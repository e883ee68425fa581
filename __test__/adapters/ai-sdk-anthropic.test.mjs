// @ts-check
/** `cacheControl` of `palimpsest/ai-sdk`: where the requests of the SDK's provider for Anthropic have breakpoints. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, isStepCount, jsonSchema, tool, wrapLanguageModel } from 'ai';
import { middleware } from 'palimpsest/ai-sdk';
import { problemsIn } from '../support/providers/anthropic.mjs';

const STEPS = 12;

/** A mock API that calls `read_file` in each response but the last. @param {any[]} bodies gets the body of each request @returns {typeof globalThis.fetch} */
const fetchInto = (bodies) => async (_, init) => {
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

/** Places with a breakpoint: `system`, `end` or the message's index. @param {any} body @returns {string[]} */
function breakpointsIn({ system, messages }) {
  const hasBreakpoint = (/** @type {any[]} */ blocks) =>
    blocks.some((block) => block.cache_control?.type === 'ephemeral');
  const indices = messages.flatMap((/** @type {any} */ { content }, /** @type {number} */ at) =>
    hasBreakpoint(content) ? [at] : [],
  );
  return [
    ...(hasBreakpoint(system) ? ['system'] : []),
    ...indices.map((at) => (at === messages.length - 1 ? 'end' : `${at}`)),
  ];
}

test('R10.8 cacheControl sets at most four breakpoints, among them the system prompt and the last block, in a valid request', async () => {
  /** @type {any[]} */
  const bodies = [];
  const model = createAnthropic({ apiKey: 'none', fetch: fetchInto(bodies) })('claude-sonnet-4-5');
  const fileText = 'what the file says, line by line. '.repeat(60);
  const { text: finalText } = await generateText({
    model: wrapLanguageModel({ model, middleware: middleware({ cacheControl: true }) }),
    instructions: 'You are an engineer.',
    prompt: 'Go.',
    tools: { read_file: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => fileText }) },
    stopWhen: isStepCount(STEPS + 1),
  });
  assert.equal(finalText, 'Read.');
  assert.equal(bodies.length, STEPS + 1);
  for (const body of bodies) {
    const places = breakpointsIn(body);
    assert.ok(places.includes('system') && places.includes('end') && places.length <= 4, places.join());
    assert.deepEqual(problemsIn(body.messages), []);
  }
});
