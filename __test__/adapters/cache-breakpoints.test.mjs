// @ts-check
/** Marks for Anthropic's cache that adapters set: for an hour, among those that the host has set, on LangChain's messages. */
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

/** All marks in a request, in their order. @param {any} value @returns {any[]} */
function marksIn(value) {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, held]) =>
    key === 'cache_control' || key === 'cacheControl' ? [held] : marksIn(held),
  );
}

/**
 * One request through the SDK's own provider for Anthropic.
 * @param {any} ours
 * @param {{ toolMark?: object, messageMark?: object }} [host] what the application marks by itself, as provider's options
 */
async function bodyOf(ours, { toolMark, messageMark } = {}) {
  /** @type {any} */
  let body;
  const usage = { input_tokens: 9, cache_read_input_tokens: 0, cache_creation_input_tokens: 90, output_tokens: 9 };
  const text = [{ type: 'text', text: 'Done.' }];
  const answer = {
    type: 'message',
    id: 'm',
    role: 'assistant',
    model: 'claude',
    content: text,
    stop_reason: 'end_turn',
    usage,
  };
  const fetch = async (/** @type {any} */ _, /** @type {any} */ init) => {
    body = JSON.parse(init.body);
    return Response.json(answer);
  };
  const model = wrapLanguageModel({
    model: createAnthropic({ apiKey: 'none', fetch: /** @type {any} */ (fetch) })('claude-sonnet-4-5'),
    middleware: ours,
  });
  const [, asked, ...turns] = reads(7);
  const marked = messageMark === undefined ? asked : { ...asked, providerOptions: { anthropic: messageMark } };
  const providerOptions = toolMark && { anthropic: toolMark };
  const one = /** @type {any} */ (tool)({
    inputSchema: jsonSchema({ type: 'object' }),
    ...(providerOptions && { providerOptions }),
  });
  const messages = /** @type {any} */ ([marked, ...turns]);
  const tools = { read_file: one, write_file: one };
  const { warnings } = await generateText({ model, instructions: 'You are an engineer.', messages, tools });
  return { marks: marksIn([body.tools, body.system, body.messages]), end: marksIn(body.messages.at(-1)), warnings };
}

describe('breakpoints of palimpsest/ai-sdk', () => {
  for (const spelling of ['cacheControl', 'cache_control']) {
    test(`R10.8 the application's breakpoints, spelled ${spelling}, count among the four, and one of ours is at the end`, async () => {
      const host = { toolMark: { [spelling]: SHORT }, messageMark: { [spelling]: SHORT } };
      const { marks, end, warnings } = await bodyOf(middleware({ cacheControl: true }), host);
      assert.deepEqual([marks.length, end.length, warnings ?? []], [4, 1, []]);
    });
  }

  test("R10.8 cacheControl: '1h' sets that lifetime on each breakpoint, and the ledger has the write price of an hour", async () => {
    const [hour, short] = [middleware({ cacheControl: '1h' }), middleware({ cacheControl: '5m' })];
    const { marks } = await bodyOf(hour);
    assert.ok(marks.length >= 2);
    for (const mark of marks) assert.deepEqual(mark, HOUR);
    await bodyOf(short);
    const [dear, cheap] = [hour.ledger().cost, short.ledger().cost];
    assert.ok(dear > 1.5 * cheap && dear < 1.7 * cheap, `${dear} and ${cheap}`);
  });

  test('R10.8 no breakpoint of an hour follows a shorter one of the application', async () => {
    const { marks } = await bodyOf(middleware({ cacheControl: '1h' }), { toolMark: { cacheControl: SHORT } });
    assert.ok(marks.length > 2);
    for (const mark of marks) assert.deepEqual(mark, SHORT);
  });
});

test("R10.8 in Mastra, cacheControl: '1h' sets that lifetime, and the ledger has the write price of an hour", async () => {
  const [hour, short] = [new ContextProcessor({ cacheControl: '1h' }), new ContextProcessor({ cacheControl: true })];
  const marks = marksIn(await mastra.sentBy(hour, mastra.promptOf(3)));
  assert.ok(marks.length >= 2 && marks.every(({ ttl }) => ttl === '1h'));
  await mastra.sentBy(short, mastra.promptOf(3));
  assert.ok(hour.ledger().cost > 1.5 * short.ledger().cost);
});

describe('breakpoints of palimpsest/langchain', () => {
  const READS = 12;

  /** @param {any} ours @param {object} [more] of the agent */
  async function agentRun(ours, more) {
    const model = new langchain.ScriptedModel(langchain.readingScript(READS));
    const agent = langchain.agentWith(model, ours, more);
    const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] }, langchain.LONG);
    return { requests: model.requests, kept: messages };
  }

  test('R10.8 at most four are sent, among them the system prompt and the end, and the state has none', async () => {
    const { requests, kept } = await agentRun(contextMiddleware({ cacheControl: '1h' }));
    assert.equal(requests.length, READS + 1);
    for (const request of requests) {
      const contents = request.map(({ content }) => content);
      assert.ok(marksIn(contents[0]).length === 1 && marksIn(contents.at(-1)).length === 1);
      assert.ok(marksIn(contents).length <= 4);
      assert.deepEqual(marksIn(contents)[0], HOUR);
    }
    assert.deepEqual(marksIn(kept.map(({ content }) => content)), []);
  });

  test('R10.8 a breakpoint on an assistant message is set on its last call, not on the text before it', async () => {
    const { requests } = await agentRun(
      contextMiddleware({ cacheControl: true, outdatedBy: 'age', arrivalTimes: true }),
    );
    const marked = requests.flat().filter(({ type, content }) => type === 'ai' && marksIn(content).length > 0);
    assert.ok(marked.length > 0, 'ahead of a pending result stands an answer');
    for (const answer of /** @type {any[]} */ (marked)) {
      const [{ id, name, args: input }] = answer.tool_calls;
      assert.deepEqual(answer.content, [{ type: 'tool_use', id, name, input, cache_control: SHORT }]);
    }
  });

  test("R10.8 one of the four is left to the application's `cache_control` for the whole request", async () => {
    const byHost = {
      name: 'host',
      wrapModelCall: (call, handler) => handler({ ...call, modelSettings: { cache_control: SHORT } }),
    };
    const brand = { [Symbol.for('AgentMiddleware')]: true };
    const ours = contextMiddleware({ cacheControl: true });
    const { requests } = await agentRun(ours, { middleware: [{ ...brand, ...byHost }, ours] });
    for (const request of requests) assert.ok(marksIn(request.map(({ content }) => content)).length <= 3);
  });
});
