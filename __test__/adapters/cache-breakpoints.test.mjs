// @ts-check
/** `cacheControl` of adapters: breakpoints of an hour, together with those of the application, and on LangChain's messages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, jsonSchema, tool, wrapLanguageModel } from 'ai';
import { HumanMessage } from 'langchain';
import { middleware } from 'palimpsest/ai-sdk';
import { contextMiddleware } from 'palimpsest/langchain';
import { ContextProcessor } from 'palimpsest/mastra';
import * as langchain from '../support/adapters/langchain.mjs';
import * as mastra from '../support/adapters/mastra.mjs';
import { reads } from '../support/ai-sdk.mjs';

const HOUR = { type: 'ephemeral', ttl: '1h' };
const SHORT = { type: 'ephemeral' };

/** All breakpoints in a value, in their order. @param {any} value @returns {any[]} */
function breakpointsIn(value) {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, held]) =>
    key === 'cache_control' || key === 'cacheControl' ? [held] : breakpointsIn(held),
  );
}

/**
 * Sends one request through the SDK's provider for Anthropic, and returns its breakpoints.
 * @param {any} adapter
 * @param {{ onTools?: object, onMessage?: object }} [own] provider options with which the application sets breakpoints itself
 */
async function requestWith(adapter, { onTools, onMessage } = {}) {
  /** @type {any} */
  let body;
  const usage = { input_tokens: 9, cache_read_input_tokens: 0, cache_creation_input_tokens: 90, output_tokens: 9 };
  const content = [{ type: 'text', text: 'Done.' }];
  const message = { type: 'message', id: 'm', role: 'assistant', model: 'claude', stop_reason: 'end_turn' };
  const fetch = async (/** @type {any} */ _, /** @type {any} */ init) => {
    body = JSON.parse(init.body);
    return Response.json({ ...message, content, usage });
  };
  const model = wrapLanguageModel({
    model: createAnthropic({ apiKey: 'none', fetch: /** @type {any} */ (fetch) })('claude-sonnet-4-5'),
    middleware: adapter,
  });
  const [, task, ...turns] = reads(7);
  const firstMessage = onMessage === undefined ? task : { ...task, providerOptions: { anthropic: onMessage } };
  const providerOptions = onTools && { anthropic: onTools };
  const fileTool = /** @type {any} */ (tool)({
    inputSchema: jsonSchema({ type: 'object' }),
    ...(providerOptions && { providerOptions }),
  });
  const messages = /** @type {any} */ ([firstMessage, ...turns]);
  const tools = { read_file: fileTool, write_file: fileTool };
  const { warnings } = await generateText({ model, instructions: 'You are an engineer.', messages, tools });
  const all = breakpointsIn([body.tools, body.system, body.messages]);
  return { all, atEnd: breakpointsIn(body.messages.at(-1)), warnings };
}

describe('palimpsest/ai-sdk: breakpoints', () => {
  for (const spelling of ['cacheControl', 'cache_control']) {
    test(`R10.8 the application's breakpoints, spelled ${spelling}, count among the four, and one of ours is at the end`, async () => {
      const own = { onTools: { [spelling]: SHORT }, onMessage: { [spelling]: SHORT } };
      const { all, atEnd, warnings } = await requestWith(middleware({ cacheControl: true }), own);
      assert.deepEqual([all.length, atEnd.length, warnings ?? []], [4, 1, []]);
    });
  }

  test("R10.8 cacheControl: '1h' sets that lifetime on each breakpoint, and the ledger has the write price of an hour", async () => {
    const [hour, short] = [middleware({ cacheControl: '1h' }), middleware({ cacheControl: '5m' })];
    const { all } = await requestWith(hour);
    assert.ok(all.length >= 2);
    for (const breakpoint of all) assert.deepEqual(breakpoint, HOUR);
    await requestWith(short);
    const ratio = hour.ledger().cost / short.ledger().cost;
    assert.ok(ratio > 1.5 && ratio < 1.7, `${ratio}`);
  });

  test('R10.8 no breakpoint of an hour follows a shorter one of the application', async () => {
    const own = { onTools: { cacheControl: SHORT } };
    const { all } = await requestWith(middleware({ cacheControl: '1h' }), own);
    assert.ok(all.length > 2);
    for (const breakpoint of all) assert.deepEqual(breakpoint, SHORT);
  });
});

test("R10.8 in Mastra, cacheControl: '1h' sets that lifetime, and the ledger has the write price of an hour", async () => {
  const [hour, short] = [new ContextProcessor({ cacheControl: '1h' }), new ContextProcessor({ cacheControl: true })];
  const all = breakpointsIn(await mastra.sentBy(hour, mastra.promptOf(3)));
  assert.ok(all.length >= 2 && all.every(({ ttl }) => ttl === '1h'));
  await mastra.sentBy(short, mastra.promptOf(3));
  assert.ok(hour.ledger().cost > 1.5 * short.ledger().cost);
});

describe('palimpsest/langchain: breakpoints', () => {
  const READS = 12;

  /** @param {any} adapter @param {object} [agentOptions] */
  async function agentRun(adapter, agentOptions) {
    const model = new langchain.ScriptedModel(langchain.readingScript(READS));
    const agent = langchain.agentWith(model, adapter, agentOptions);
    const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] }, langchain.LONG);
    return { requests: model.requests, state: messages };
  }

  test('R10.8 at most four are sent, among them the system prompt and the end, and the state has none', async () => {
    const { requests, state } = await agentRun(contextMiddleware({ cacheControl: '1h' }));
    assert.equal(requests.length, READS + 1);
    for (const request of requests) {
      const contents = request.map(({ content }) => content);
      assert.ok(breakpointsIn(contents[0]).length === 1 && breakpointsIn(contents.at(-1)).length === 1);
      assert.ok(breakpointsIn(contents).length <= 4);
      assert.deepEqual(breakpointsIn(contents)[0], HOUR);
    }
    assert.deepEqual(breakpointsIn(state.map(({ content }) => content)), []);
  });

  test('R10.8 a breakpoint on an assistant message is set on its last call, not on the text before it', async () => {
    const { requests } = await agentRun(
      contextMiddleware({ cacheControl: true, outdatedBy: 'age', arrivalTimes: true }),
    );
    // LangChain sends calls that aren't in the content after it, where a breakpoint on the content would not include them.
    const messages = requests.flat().filter(({ type, content }) => type === 'ai' && breakpointsIn(content).length > 0);
    assert.ok(messages.length > 0, 'an assistant message directly before a pending result');
    for (const message of /** @type {any[]} */ (messages)) {
      const [{ id, name, args: input }] = message.tool_calls;
      assert.deepEqual(message.content, [{ type: 'tool_use', id, name, input, cache_control: SHORT }]);
    }
  });

  test("R10.8 one of the four is left to the application's `cache_control` for the whole request", async () => {
    const ofApplication = {
      [Symbol.for('AgentMiddleware')]: true,
      name: 'application',
      wrapModelCall: (call, handler) => handler({ ...call, modelSettings: { cache_control: SHORT } }),
    };
    const adapter = contextMiddleware({ cacheControl: true });
    const { requests } = await agentRun(adapter, { middleware: [ofApplication, adapter] });
    for (const request of requests) assert.ok(breakpointsIn(request.map(({ content }) => content)).length <= 3);
  });
});
