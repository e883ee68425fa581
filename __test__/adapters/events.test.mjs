// @ts-check
/** Events of adapters (`onEvent`): outcomes of compression, overflow errors, and requests that bypass the adapter. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { Agent } from '@mastra/core/agent';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import { createAgent, HumanMessage } from 'langchain';
import { ContextView, ContextViews, setLogger } from 'palimpsest';
import { middleware as aiSdk } from 'palimpsest/ai-sdk';
import { middleware as anthropic, prepareParams } from 'palimpsest/anthropic';
import { contextMiddleware } from 'palimpsest/langchain';
import { ContextProcessor } from 'palimpsest/mastra';
import { modelInputFilter } from 'palimpsest/openai-agents';
import { startProvider } from '../../examples/provider/provider.mjs';
import * as langchain from '../support/adapters/langchain.mjs';
import { outputOf, replacedIn, runnerWith, scripted } from '../support/adapters/openai-agents.mjs';
import { REMOVE_AT_ONCE } from '../support/adapters/tool-loop.mjs';

process.env.MASTRA_TELEMETRY_DISABLED = '1';

const WINDOW = 900;
const LONG_TEXT = 'Read this first, and then that. '.repeat(300);
const LONG_MESSAGE = { role: /** @type {const} */ ('user'), content: LONG_TEXT };
const MODEL = 'model-that-no-table-knows';
/** The summary model is never called: the conversation is the newest request alone. */
const compression = { llmClient: async () => 'none', config: { autoCompressionSummaryModel: 'small' } };

/** By SDK: makes an adapter, and sends a request through it to the provider at `url`. @type {Record<string, { make: (options: any) => any, send: (adapter: any, url: string) => PromiseLike<unknown> }>} */
const SDKS = {
  'AI SDK': { make: aiSdk, send: (adapter, url) => generateText({ ...aiSdkOptions(adapter, url), maxRetries: 0 }) },
  'AI SDK, streamed': {
    make: aiSdk,
    async send(adapter, url) {
      const { text } = streamText({ ...aiSdkOptions(adapter, url), maxRetries: 0, onError() {} });
      return text;
    },
  },
  Anthropic: {
    make: anthropic,
    send(adapter, url) {
      const client = new Anthropic({
        baseURL: url,
        apiKey: 'none',
        maxRetries: 0,
        middleware: [adapter],
        logLevel: 'off',
      });
      return client.messages.create({ model: MODEL, max_tokens: 9, messages: [LONG_MESSAGE] });
    },
  },
  LangChain: {
    make: contextMiddleware,
    send(adapter, url) {
      const configuration = { baseURL: `${url}/v1` };
      const model = new ChatOpenAI({ model: MODEL, apiKey: 'none', maxRetries: 0, configuration });
      return createAgent({ model, tools: [], middleware: [adapter] }).invoke({ messages: [LONG_MESSAGE] });
    },
  },
  Mastra: {
    make: (options) => new ContextProcessor(options),
    send(adapter, url) {
      const processors = { inputProcessors: [adapter], errorProcessors: [adapter], maxProcessorRetries: 0 };
      const model = /** @type {const} */ ({ id: `mock/${MODEL}`, url: `${url}/v1`, apiKey: 'none' });
      const settings = { id: 'agent', name: 'agent', instructions: 'You read.', maxRetries: 0 };
      return new Agent({ ...settings, ...processors, model }).generate([LONG_MESSAGE]);
    },
  },
};

/** @param {any} adapter @param {string} url */
function aiSdkOptions(adapter, url) {
  const plain = createOpenAICompatible({ name: 'mock', baseURL: `${url}/v1` })(MODEL);
  return { model: wrapLanguageModel({ model: plain, middleware: adapter }), messages: [LONG_MESSAGE] };
}

for (const [sdk, { make, send }] of Object.entries(SDKS)) {
  describe(`events of the adapter for ${sdk}`, () => {
    test('R7.3 a window size named by an overflow error applies to the next request; onEvent gets the error and each compression', async () => {
      const provider = await startProvider({ script: () => undefined, windowTokens: WINDOW });
      /** @type {any[]} */
      const events = [];
      const adapter = make({ compression, onEvent: (/** @type {any} */ event) => events.push(event) });
      try {
        await assert.rejects(async () => send(adapter, provider.url));
        await send(adapter, provider.url);
      } finally {
        provider.close();
      }
      assert.deepEqual(
        events.map(({ type }) => type),
        ['compression', 'overflow', 'compression'],
      );
      const [before, overflow, after] = events;
      assert.deepEqual([before.did, before.windowSource, before.windowTokens], ['nothing', 'guess', 128_000]);
      assert.deepEqual([overflow.windowTokens, overflow.error.maxTokens], [WINDOW, WINDOW]);
      assert.deepEqual([after.did, after.windowSource, after.windowTokens], ['cut', 'provider', WINDOW]);
      assert.ok([...adapter.views].includes(after.view));
    });

    test('R7.12 a throwing onEvent changes no request, and without compression a successful request has no event', async () => {
      const provider = await startProvider({ script: () => undefined });
      /** @type {any[]} */
      const eventTypes = [];
      const onEvent = (/** @type {any} */ { type }) => {
        eventTypes.push(type);
        throw new Error('the listener failed');
      };
      try {
        const assertAnswered = async (/** @type {any} */ adapter) => {
          await Promise.resolve(send(adapter, provider.url)).catch((error) => assert.equal(error, undefined));
        };
        await assertAnswered(make({ onEvent }));
        await assertAnswered(make({ compression, onEvent }));
      } finally {
        provider.close();
      }
      assert.deepEqual(eventTypes, ['compression']);
      assert.throws(() => make({ onEvent: 'log' }), { code: 'ERR_INVALID_ARG_TYPE' });
    });
  });
}

test('R7.3 an overflow error without a model name counts for the model of the last request', async () => {
  const view = new ContextView({ compression });
  const options = /** @type {any} */ ({ model: MODEL });
  await view.prepare([LONG_MESSAGE], options);
  view.noteOverflow(new Error(`This model's maximum context length is ${WINDOW} tokens.`));
  const { windowTokens } = (await view.prepare([LONG_MESSAGE], options)).compression;
  assert.equal(windowTokens, WINDOW);
});

test('R7.12 prepareParams calls onEvent with the outcome of compression if its view compresses', async () => {
  /** @type {any[]} */
  const events = [];
  const view = new ContextView({ compression });
  const params = { model: MODEL, messages: [LONG_MESSAGE] };
  await prepareParams(params, { view, onEvent: (event) => events.push(event) });
  assert.deepEqual([events.length, events[0].type, events[0].reason], [1, 'compression', 'below_threshold']);
  assert.equal(events[0].view, view);
  await prepareParams(params, { onEvent: (event) => events.push(event) });
  assert.equal(events.length, 1);
});

describe('requests that bypass an adapter', () => {
  /** Runs a writer with a researcher as its tool; returns the researcher's requests. @param {any} filter @param {object} [toolOptions] */
  async function runNested(filter, toolOptions) {
    const researcher = scripted('inner', { steps: 20 });
    const tool = researcher.agent.asTool({
      toolName: 'research',
      toolDescription: 'Looks it up.',
      runOptions: { maxTurns: 50 },
      ...toolOptions,
    });
    const writer = scripted('outer', { steps: 0 });
    let step = 0;
    const call = { ...outputOf('outer', 0)[1], name: 'research', arguments: JSON.stringify({ input: 'Look.' }) };
    /** @type {any} */ (writer.agent.model).getResponse = async () => {
      const isFirst = step++ === 0;
      const text = [{ type: 'output_text', text: 'Written.' }];
      const finalMessage = { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: text };
      const { Usage } = await import('@openai/agents');
      return { usage: new Usage(), output: [isFirst ? call : finalMessage], responseId: `r${step}` };
    };
    const agent = writer.agent.clone({ tools: [tool] });
    const { finalOutput } = await runnerWith({ callModelInputFilter: filter }).run(agent, 'Write.', { maxTurns: 50 });
    assert.equal(finalOutput, 'Written.');
    return researcher.inputs;
  }

  test('OpenAI Agents: an agent used as a tool bypasses the filter; onEvent and a warning say once how to change that', async () => {
    /** @type {any[]} */
    const [events, warnings] = [[], []];
    setLogger({ warn: (/** @type {string} */ text) => warnings.push(text), info() {}, debug() {}, error() {} });
    const filter = modelInputFilter({ ...REMOVE_AT_ONCE, onEvent: (event) => events.push(event) });
    try {
      for (let run = 0; run < 2; run++) await runNested(filter);
    } finally {
      setLogger(null);
    }
    assert.deepEqual(
      events.map(({ type }) => type),
      ['unseen'],
    );
    assert.match(events[0].message, /research.*runConfig: \{ callModelInputFilter/);
    assert.equal(warnings.filter((text) => text.includes('callModelInputFilter')).length, 1);
  });

  test('OpenAI Agents: with the filter in its runConfig, an agent used as a tool has its outdated results removed, without an event', async () => {
    /** @type {any[]} */
    const events = [];
    const filter = modelInputFilter({ ...REMOVE_AT_ONCE, onEvent: (event) => events.push(event) });
    const bypassed = await runNested(modelInputFilter(REMOVE_AT_ONCE));
    const filtered = await runNested(filter, { runConfig: { callModelInputFilter: filter } });
    assert.equal(bypassed.length, filtered.length);
    assert.deepEqual([replacedIn(bypassed.at(-1)).length, replacedIn(filtered.at(-1)).length > 0], [0, true]);
    assert.deepEqual(events, []);
    assert.equal(filter.views.size, 2);
  });
});

test('LangGraph: preModelHook of createReactAgent sends placeholders, and the state keeps the originals', async () => {
  const views = new ContextViews({ ...REMOVE_AT_ONCE, repeated: false });
  const preModelHook = async (/** @type {any} */ { messages }) => ({
    llmInputMessages: /** @type {any[]} */ ((await views.prepare(messages)).messages),
  });
  const model = new langchain.ScriptedModel(langchain.readingScript(12));
  const agent = createReactAgent({
    llm: model,
    tools: [langchain.readTool()],
    prompt: 'You read files.',
    preModelHook,
  });
  const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] }, langchain.LONG);
  assert.equal(langchain.placeholdersIn(messages).length, 0);
  assert.equal(langchain.placeholdersIn(model.requests.at(-1) ?? []).length, 7);
  assert.deepEqual([views.size, views.ledger().requests], [1, 13]);
});
