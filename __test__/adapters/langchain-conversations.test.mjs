// @ts-check
/** One `contextMiddleware` for many conversations of LangChain's agents: interleaved, aborted, retried, forgotten; and their usage reports. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, test } from 'node:test';
import { load } from '@langchain/core/load';
import { MemorySaver } from '@langchain/langgraph';
import { AIMessage, createAgent, HumanMessage, modelRetryMiddleware, tool } from 'langchain';
import { ContextView, ContextViews } from 'palimpsest';
import { contextMiddleware } from 'palimpsest/langchain';
import { z } from 'zod';
import {
  agentWith,
  bytesOf,
  history,
  LONG,
  placeholdersIn,
  readingScript,
  readTool,
  ScriptedModel,
  sentBy,
  system,
} from '../support/adapters/langchain.mjs';
import { compressionAt, isCollected, REMOVE_AT_ONCE } from '../support/adapters/tool-loop.mjs';

/** @typedef {import('@langchain/core/messages').BaseMessage} BaseMessage */

/** Reads become outdated within the tests' conversations. */
const AGES = { fileRead: 5 };

describe('palimpsest/langchain: one middleware, many conversations', () => {
  test('ADAPTERS 3 interleaved runs, some with the same first message, each send what they would send alone', async () => {
    const options = { price: /** @type {const} */ ('anthropic'), maxExtraCost: 1, ages: AGES };
    const shared = contextMiddleware(options);
    const run = async (/** @type {any} */ middleware, /** @type {number} */ nth) => {
      const model = new ScriptedModel(readingScript(26 + nth));
      const read = readTool((path) => [`${nth >> 1} ${path} `.repeat(400), null]);
      const agent = agentWith(model, middleware, { tools: [read] });
      const { messages } = await agent.invoke({ messages: [new HumanMessage(`go ${nth % 2}`)] }, LONG);
      assert.equal(placeholdersIn(messages).length, 0);
      assert.ok(placeholdersIn(/** @type {BaseMessage[]} */ (model.requests.at(-1))).length > 0);
      return model.requests.map(bytesOf);
    };
    const interleaved = await Promise.all([0, 1, 2, 3].map((nth) => run(shared, nth)));
    for (const [nth, requests] of interleaved.entries()) {
      assert.deepEqual(requests, await run(contextMiddleware(options), nth));
    }
  });

  test('ADAPTERS 3 an agent used as a tool has its own conversation in the middleware that it shares with the other agent', async () => {
    const requestsWith = async (/** @type {() => any} */ middleware) => {
      const inner = new ScriptedModel(readingScript(9));
      const helper = agentWith(inner, middleware());
      const outer = new ScriptedModel((messages, nth) =>
        nth < 3
          ? {
              content: '',
              tool_calls: [{ id: `call_${nth}`, name: 'ask', args: { what: `${nth}` }, type: 'tool_call' }],
            }
          : { content: `${messages.length}` },
      );
      const ask = tool(
        async ({ what }) => (await helper.invoke({ messages: [new HumanMessage(`go ${what}`)] }, LONG)).messages.length,
        { name: 'ask', description: 'Asks another agent.', schema: z.object({ what: z.string() }) },
      );
      await agentWith(outer, middleware(), { tools: [ask] }).invoke({ messages: [new HumanMessage('go')] }, LONG);
      return [...outer.requests, ...inner.requests].map(bytesOf);
    };
    const shared = contextMiddleware(REMOVE_AT_ONCE);
    assert.deepEqual(await requestsWith(() => shared), await requestsWith(() => contextMiddleware(REMOVE_AT_ONCE)));
  });

  test('ADAPTERS 3 messages of a forgotten conversation are garbage-collected', async () => {
    const middleware = contextMiddleware({ maxViews: 2 });
    const weakMessageOf = async (/** @type {string} */ name) => {
      const messages = history(9, name);
      await sentBy(middleware, messages);
      return new WeakRef(/** @type {object} */ (messages[2]));
    };
    const [first, second, third] = [await weakMessageOf('x'), await weakMessageOf('y'), await weakMessageOf('z')];
    assert.ok(await isCollected(first));
    assert.ok(second.deref() !== undefined && third.deref() !== undefined);
  });

  test('R10.14 a thread loaded from a checkpointer is sent with the same bytes as before', async () => {
    const model = new ScriptedModel(readingScript(26));
    const middleware = contextMiddleware({ price: 'anthropic', maxExtraCost: 1, ages: AGES });
    const agent = agentWith(model, middleware, { checkpointer: new MemorySaver() });
    const thread = { ...LONG, configurable: { thread_id: '1' } };
    await agent.invoke({ messages: [new HumanMessage('go')] }, thread);
    const last = /** @type {BaseMessage[]} */ (model.requests.at(-1));
    assert.ok(placeholdersIn(last).length > 0);
    await agent.invoke({ messages: [new HumanMessage('and now?')] }, thread);
    const next = bytesOf(/** @type {BaseMessage[]} */ (model.requests.at(-1)));
    assert.deepEqual(next.slice(0, last.length), bytesOf(last));
    const { messages } = /** @type {any} */ (await agent.getState(thread)).values;
    assert.equal(placeholdersIn(messages).length, 0);
  });
});

test('R10.14 messages loaded from storage belong to the conversation that was seen before they were stored', async () => {
  const views = new ContextViews({ price: 'anthropic' });
  const messages = history(9);
  // ChatOpenAI sets fields to undefined, and adds fields after the constructor.
  const assistant = new AIMessage({ content: 'done', additional_kwargs: { function_call: undefined } });
  assistant.response_metadata = { tokenUsage: { promptTokens: 100, cached: undefined } };
  messages.push(assistant, new HumanMessage('and now?'));
  const view = views.viewFor(messages);
  view.project(messages);
  const loaded = await Promise.all(messages.map((message) => load(JSON.stringify(message))));
  assert.notEqual(loaded[2], messages[2]);
  assert.equal(views.viewFor([.../** @type {BaseMessage[]} */ (loaded), new HumanMessage('go on')]), view);
  assert.equal(views.size, 1);
});

test('R10.8 a system message gets a breakpoint, and does not identify a conversation', () => {
  const view = new ContextView();
  view.project([system, ...history(9)]);
  assert.equal(view.breakpoints()[0], 0);
  const views = new ContextViews();
  for (const name of ['One.', 'Two.', 'Three.']) {
    const messages = [system, ...history(3, name)];
    views.viewFor(messages).project(messages);
    assert.equal(views.viewFor([system, new HumanMessage(`After ${name}`)]).ledger().requests, 0);
  }
});

test("R13 the model call keeps the application's AsyncLocalStorage context, also after a compression", async () => {
  const context = new AsyncLocalStorage();
  const middleware = contextMiddleware({ compression: compressionAt(4000) });
  const contexts = await Promise.all(
    ['a', 'b'].map((name) =>
      context.run(name, async () => {
        const request = { messages: history(20, name), systemMessage: system, runtime: {} };
        return /** @type {any} */ (middleware).wrapModelCall(request, async (/** @type {any} */ passed) => {
          assert.ok(passed.messages.length < request.messages.length);
          return context.getStore();
        });
      }),
    ),
  );
  assert.deepEqual(contexts, ['a', 'b']);
});

describe('palimpsest/langchain: retries, aborts and invalid options', () => {
  test('R13.4 a retried request has the same bytes', async () => {
    const script = readingScript(12);
    let failures = 0;
    const model = new ScriptedModel((messages, nth) =>
      nth % 4 === 3 && failures++ < 99 ? new Error('503') : script(messages, nth - failures),
    );
    const retry = modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 1, jitter: false });
    const agent = createAgent({
      model,
      tools: [readTool()],
      middleware: [retry, contextMiddleware({ price: 'anthropic' })],
    });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] }, LONG);
    assert.equal(messages.at(-1)?.text, 'done');
    assert.ok(failures >= 4);
    for (let nth = 3; nth + 1 < model.requests.length; nth += 4) {
      const [failed, retried] = model.requests.slice(nth, nth + 2).map(bytesOf);
      assert.deepEqual(retried, failed);
    }
  });

  test('R13.4 an aborted stream changes neither its own conversation nor another one', async () => {
    const middleware = contextMiddleware(REMOVE_AT_ONCE);
    const model = new ScriptedModel(readingScript(12));
    const agent = agentWith(model, middleware, { checkpointer: new MemorySaver() });
    const thread = { ...LONG, configurable: { thread_id: '1' } };
    const controller = new AbortController();
    const options = { ...thread, signal: controller.signal, streamMode: /** @type {const} */ ('messages') };
    await assert.rejects(async () => {
      for await (const _ of await agent.stream({ messages: [new HumanMessage('go')] }, options)) {
        if (model.requests.length === 8) controller.abort();
      }
    });
    assert.equal(model.requests.length, 8);
    const aborted = /** @type {BaseMessage[]} */ (model.requests.at(-1));
    const otherConversation = history(3, 'Other.');
    assert.deepEqual(await sentBy(middleware, otherConversation), otherConversation);
    await agent.invoke({ messages: [new HumanMessage('go on')] }, thread);
    const resumed = /** @type {BaseMessage[]} */ (model.requests[8]);
    assert.deepEqual(bytesOf(resumed).slice(0, aborted.length - 1), bytesOf(aborted).slice(0, -1));
    assert.equal(placeholdersIn(/** @type {BaseMessage[]} */ (model.requests.at(-1))).length, 6);
  });

  test('aborting the run ends a summary in progress, and no request is sent', async () => {
    const controller = new AbortController();
    const middleware = contextMiddleware({
      compression: compressionAt(4000, () => {
        controller.abort();
        return new Promise(() => {});
      }),
    });
    const request = { messages: history(20), systemMessage: system, runtime: { signal: controller.signal } };
    const handler = async () => assert.fail('a request was sent');
    await assert.rejects(/** @type {any} */ (middleware).wrapModelCall(request, handler), { name: 'AbortError' });
  });

  test('R0.3 contextMiddleware throws for invalid options', () => {
    // @ts-expect-error no such price list
    assert.throws(() => contextMiddleware({ price: 'nobody' }), { code: 'ERR_OUT_OF_RANGE' });
    // @ts-expect-error a number
    assert.throws(() => contextMiddleware({ maxViews: '3' }), { code: 'ERR_INVALID_ARG_TYPE' });
  });
});

describe('palimpsest/langchain: usage', () => {
  const messageWithUsage = (/** @type {number} */ cached) =>
    new AIMessage({
      content: 'ok',
      usage_metadata: {
        input_tokens: 20_000,
        output_tokens: 5,
        total_tokens: 20_005,
        input_token_details: { cache_read: cached },
      },
    });
  /** The ledger of twelve requests with these responses, and of a short one before the first that the middleware saw. */
  const ledgerWith = async (/** @type {() => any} */ response) => {
    const middleware = contextMiddleware({ price: 'anthropic', outdatedBy: 'age', arrivalTimes: true });
    const messages = history(12);
    for (let end = 3; end <= messages.length; end += 2) await sentBy(middleware, messages.slice(0, end), response());
    return middleware.ledger();
  };

  const assertNear = (/** @type {number} */ cost, /** @type {number} */ expected) =>
    assert.ok(cost > expected && cost < expected + 100, `${cost}, expected ${expected} and the short first request`);

  test('R10.6 the usage of an assistant message corrects the ledger', async () => {
    const warm = await ledgerWith(() => messageWithUsage(19_000));
    const cold = await ledgerWith(() => messageWithUsage(0));
    assert.deepEqual([cold.requests, warm.requests], [13, 13]);
    assertNear(cold.cost, 12 * 1.25 * 20_000);
    assertNear(warm.cost, 12 * (1.25 * 1_000 + 0.1 * 19_000));
  });

  test('R10.6 usage is also read with structured output, and an assistant message without usage is accepted', async () => {
    const structured = () => ({ structuredResponse: {}, messages: [messageWithUsage(0), new AIMessage('done')] });
    assertNear((await ledgerWith(structured)).cost, 12 * 1.25 * 20_000);
    const unreported = await ledgerWith(() => new AIMessage('ok'));
    assert.ok(unreported.cost > 0 && unreported.range.cost[1] > unreported.cost, 'the cache reads are unknown');
  });
});
