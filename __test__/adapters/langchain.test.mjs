// @ts-check
/** `contextMiddleware` in LangChain's agents, with a model that rejects invalid requests: what is sent, and what the state keeps. */
import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { Command, MemorySaver } from '@langchain/langgraph';
import { AIMessage, createAgent, HumanMessage, humanInTheLoopMiddleware, SystemMessage, ToolMessage } from 'langchain';
import { contextMiddleware } from 'palimpsest/langchain';
import {
  agentWith,
  bytesOf,
  contentsOf,
  history,
  LONG,
  placeholdersIn,
  readCall,
  readingScript,
  readTool,
  ScriptedModel,
  sentBy,
  system,
} from '../support/adapters/langchain.mjs';
import { assertBatches, assertLedger, compressionAt, REMOVE_AT_ONCE } from '../support/adapters/tool-loop.mjs';

/** @typedef {import('@langchain/core/messages').BaseMessage} BaseMessage */

describe('palimpsest/langchain: requests', () => {
  test('ADAPTERS 1 results stay removed, and with a prompt cache the prefix changes at most 12 times instead of 35', async () => {
    const requestsWith = async (/** @type {'none' | 'anthropic'} */ price) => {
      const model = new ScriptedModel(readingScript(40));
      const middleware = contextMiddleware({ ...REMOVE_AT_ONCE, price, maxExtraCost: 1 });
      await agentWith(model, middleware).invoke({ messages: [new HumanMessage('go')] }, LONG);
      return model.requests;
    };
    await assertBatches(requestsWith, placeholdersIn, bytesOf);
  });

  test('R10.7 the ledger has the cost of the requests and of the unmodified history', async () => {
    const [model, middleware] = [new ScriptedModel(readingScript(12)), contextMiddleware(REMOVE_AT_ONCE)];
    await agentWith(model, middleware).invoke({ messages: [new HumanMessage('go')] }, LONG);
    assertLedger(middleware.ledger(), model.requests.length);
  });

  test('ADAPTERS 2 a new result is not removed because another conversation has used its call id', async () => {
    const middleware = contextMiddleware(REMOVE_AT_ONCE);
    const longHistory = history(9, 'Old.');
    const newHistory = history(3, 'New.');
    for (let round = 0; round < 2; round++) {
      assert.equal(placeholdersIn(await sentBy(middleware, longHistory)).length, 4);
      assert.deepEqual(await sentBy(middleware, newHistory), newHistory);
    }
  });

  test('ADAPTERS 5 an unanswered call gets an error result; its message and the results of its other calls stay', async () => {
    const model = new ScriptedModel(() => ({ content: 'done' }));
    const messages = [
      new HumanMessage('go'),
      new AIMessage({ content: 'I look at both.', tool_calls: [readCall('a', 'a.js'), readCall('b', 'b.js')] }),
      new ToolMessage({ content: 'const a = 1;', tool_call_id: 'a', name: 'read_file' }),
      new HumanMessage('never mind'),
    ];
    const { messages: state } = await agentWith(model, contextMiddleware()).invoke({ messages }, LONG);
    assert.equal(state.length, messages.length + 1, 'the response is all that is added to the state');
    const [, , assistant, real, added] = /** @type {any[]} */ (model.requests[0]);
    assert.equal(assistant.text, 'I look at both.');
    assert.equal(real.content, 'const a = 1;');
    assert.ok(added instanceof ToolMessage);
    assert.deepEqual([added.tool_call_id, added.status], ['b', 'error']);
  });

  test('ADAPTERS 6 an assistant message with server tool calls and their results is sent as the same object', async () => {
    const content = [
      { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [{ type: 'web_search_result', url: 'u' }] },
      { type: 'text', text: 'found' },
    ];
    const messages = [new HumanMessage('go'), new AIMessage({ content }), new HumanMessage('and now?')];
    const sent = await sentBy(contextMiddleware(REMOVE_AT_ONCE), messages);
    assert.ok(sent.length === 3 && sent.every((message, index) => message === messages[index]));
  });

  test('ADAPTERS 6 a call that awaits approval gets its real result after the approval', async () => {
    const model = new ScriptedModel((_messages, nth) =>
      nth === 0
        ? { content: 'Both.', tool_calls: [readCall('a', 'a.js'), readCall('b', 'b.js')] }
        : { content: 'done' },
    );
    const approval = humanInTheLoopMiddleware({ interruptOn: { read_file: true } });
    const middleware = [approval, contextMiddleware(REMOVE_AT_ONCE)];
    const agent = createAgent({ model, tools: [readTool()], middleware, checkpointer: new MemorySaver() });
    const thread = { ...LONG, configurable: { thread_id: '1' } };
    const suspended = await agent.invoke({ messages: [new HumanMessage('go')] }, thread);
    assert.ok('__interrupt__' in suspended);
    const decisions = [{ type: 'approve' }, { type: 'approve' }];
    const { messages } = await agent.invoke(new Command({ resume: { decisions } }), thread);
    assert.equal(messages.at(-1)?.text, 'done');
    const results = model.requests[1]?.filter(({ type }) => type === 'tool') ?? [];
    assert.equal(results.filter(({ text }) => text.includes('const line')).length, 2);
  });

  test("ADAPTERS 7 a result with the status 'error' is never replaced, and is not counted among the newest five", async () => {
    const messages = history(9);
    /** @type {any} */ (messages[2]).status = 'error';
    const sent = await sentBy(contextMiddleware(REMOVE_AT_ONCE), messages);
    assert.equal(sent[2], messages[2]);
    assert.equal(placeholdersIn(sent).length, 3);
  });

  test('ADAPTERS 8 a result of text and an image is replaced as a whole, and one shorter than the placeholder stays', async () => {
    const messages = history(9);
    const parts = [
      { type: 'text', text: 'a screenshot '.repeat(100) },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(5000)}` } },
    ];
    /** @type {any} */ (messages[2]).content = parts;
    /** @type {any} */ (messages[4]).content = 'ok';
    const sent = await sentBy(contextMiddleware(REMOVE_AT_ONCE), messages);
    assert.equal(typeof sent[2]?.content, 'string');
    assert.ok(String(sent[2]?.content).length < 100);
    assert.equal(/** @type {any} */ (messages[2]).content, parts);
    assert.equal(sent[4], messages[4]);
  });

  test('ADAPTERS 9 a replaced result differs only in its content, and all other messages are the same objects', async () => {
    const messages = history(9);
    messages[2] = new ToolMessage({
      content: 'old '.repeat(500),
      tool_call_id: 'call_0',
      name: 'read_file',
      id: 'message-7',
      status: 'success',
      artifact: { rows: [1, 2, 3] },
      additional_kwargs: { cache_control: { type: 'ephemeral' } },
      response_metadata: { took: 12 },
    });
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' };
    messages[3] = new AIMessage({ content: [thinking], tool_calls: [readCall('call_1', 'a.js')] });
    const before = contentsOf(messages);
    const sent = await sentBy(contextMiddleware(REMOVE_AT_ONCE), messages);
    const replaced = placeholdersIn(sent);
    assert.equal(replaced.length, 4);
    for (const [index, message] of sent.entries()) {
      const original = /** @type {any} */ (messages[index]);
      if (!replaced.includes(message)) {
        assert.equal(message, original);
        continue;
      }
      const { content, lc_kwargs: kwargs, ...fields } = /** @type {any} */ (message);
      const { content: _, lc_kwargs: originalKwargs, ...originalFields } = original;
      assert.ok(message instanceof ToolMessage && ToolMessage.isInstance(message));
      assert.deepEqual(fields, originalFields);
      assert.deepEqual({ ...kwargs, content: '' }, { ...originalKwargs, content: '' });
      for (const field of ['artifact', 'additional_kwargs', 'response_metadata'])
        assert.equal(fields[field], originalFields[field]);
    }
    assert.deepEqual(contentsOf(messages), before);
  });

  test('ADAPTERS 10 results directly follow their call in every request', async () => {
    const calls = [readCall('a', 'a.js'), readCall('b', 'b.js')];
    const script = (/** @type {BaseMessage[]} */ _messages, /** @type {number} */ nth) =>
      nth < 12
        ? { content: 'both', tool_calls: calls.map((call) => ({ ...call, id: `${call.id}${nth}` })) }
        : { content: 'done' };
    const model = new ScriptedModel(script);
    await agentWith(model, contextMiddleware(REMOVE_AT_ONCE)).invoke({ messages: [new HumanMessage('go')] }, LONG);
    assert.equal(model.requests.length, 13);
    assert.equal(placeholdersIn(/** @type {BaseMessage[]} */ (model.requests.at(-1))).length, 14);
  });

  test('ADAPTERS 12 a result without a time ages from the first request that contains it', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    try {
      const messages = history(9).map((message) => {
        for (const call of /** @type {any} */ (message).tool_calls ?? []) call.name = 'bash';
        return message;
      });
      const middleware = contextMiddleware(REMOVE_AT_ONCE);
      assert.equal(placeholdersIn(await sentBy(middleware, messages)).length, 0);
      const replacedInNextRequest = async () => {
        messages.push(new AIMessage('Read.'), new HumanMessage('Go on.'));
        return (await sentBy(middleware, messages)).filter((message, at) => message !== messages[at]);
      };
      // The nine requests before the first one that the middleware saw are taken as half a minute apart.
      mock.timers.tick(9 * 60_000);
      assert.equal((await replacedInNextRequest()).length, 0);
      mock.timers.tick(7 * 60_000);
      assert.equal((await replacedInNextRequest()).length, 4);
    } finally {
      mock.timers.reset();
    }
  });

  test('an empty system prompt is not sent, and any other is sent before the messages', async () => {
    for (const systemMessage of [new SystemMessage(''), system]) {
      const messages = history(9);
      const model = new ScriptedModel(() => ({ content: 'done' }));
      const agent = agentWith(model, contextMiddleware(REMOVE_AT_ONCE), { systemPrompt: systemMessage });
      await agent.invoke({ messages }, LONG);
      const [request] = /** @type {[BaseMessage[]]} */ (model.requests);
      assert.equal(request[0]?.type, systemMessage.text === '' ? 'human' : 'system');
      assert.equal(placeholdersIn(request).length, 4);
    }
  });
});

describe('palimpsest/langchain: the state', () => {
  test('ADAPTERS 0 after a run the state is the same as without the middleware', async () => {
    const stateAfterRun = async (/** @type {any[]} */ middleware) => {
      const model = new ScriptedModel(readingScript(30));
      const agent = createAgent({ model, tools: [readTool()], middleware });
      const { messages } = await agent.invoke({ messages: [new HumanMessage({ content: 'go', id: '0' })] }, LONG);
      return messages.map((message) => ({ ...structuredClone({ ...message }), id: '', lc_kwargs: null }));
    };
    assert.deepEqual(await stateAfterRun([contextMiddleware(REMOVE_AT_ONCE)]), await stateAfterRun([]));
  });

  test('R10.10 with compression the model is sent a summary, and the state keeps every message', async () => {
    const model = new ScriptedModel(readingScript(30));
    const middleware = contextMiddleware({ fileReads: false, compression: compressionAt(12_000) });
    const { messages } = await agentWith(model, middleware).invoke({ messages: [new HumanMessage('go')] }, LONG);
    assert.equal(messages.length, 62);
    const last = /** @type {BaseMessage[]} */ (model.requests.at(-1));
    assert.ok(last.length < 40, `${last.length} messages were sent`);
    const summary = last.find((message) => String(message.content).startsWith('[压缩摘要]'));
    assert.ok(summary instanceof HumanMessage);
    assert.equal(last[0]?.type, 'system');
  });
});
