// @ts-check
/** LangChain's own agents, with a model that refuses what providers refuse. */
import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { load } from '@langchain/core/load';
import { MemorySaver } from '@langchain/langgraph';
import {
  AIMessage,
  createAgent,
  HumanMessage,
  modelRetryMiddleware,
  SystemMessage,
  ToolMessage,
  tool,
} from 'langchain';
import { ContextViews } from 'palimpsest';
import { contextMiddleware } from 'palimpsest/langchain';
import { z } from 'zod';
import {
  bytesOf,
  contentsOf,
  placeholdersIn,
  readCall,
  readingScript,
  readTool,
  ScriptedModel,
} from '../support/adapters/langchain.mjs';

/** @typedef {import('@langchain/core/messages').BaseMessage} BaseMessage */

const LONG = { recursionLimit: 1000 };
const system = new SystemMessage('You read files.');

/** @param {ScriptedModel} model @param {import('palimpsest/langchain').ContextMiddleware} middleware @param {object} [more] */
const agentWith = (model, middleware, more) =>
  createAgent({ model, tools: [readTool()], systemPrompt: 'You read files.', middleware: [middleware], ...more });

/**
 * One request of an agent that isn't there.
 * @param {any} middleware
 * @param {BaseMessage[]} messages
 * @param {any} [answer]
 * @returns {Promise<BaseMessage[]>} what the model is sent behind the system prompt
 */
async function sentBy(middleware, messages, answer = new AIMessage('ok')) {
  /** @type {any} */
  let sent;
  const request = { messages, systemMessage: system, systemPrompt: system.text, state: { messages }, runtime: {} };
  const given = await middleware.wrapModelCall(request, async (/** @type {any} */ passed) => {
    sent = passed;
    return answer;
  });
  assert.equal(given, answer);
  assert.equal(sent.systemMessage, system);
  return sent.messages;
}

/** A conversation in which a file was read `reads` times. @param {number} reads @param {string} [name] */
function history(reads, name = 'Begin.') {
  /** @type {BaseMessage[]} */
  const messages = [new HumanMessage(name)];
  for (let nth = 0; nth < reads; nth++) {
    messages.push(new AIMessage({ content: '', tool_calls: [readCall(`call_${nth}`, 'a.js')] }));
    messages.push(
      new ToolMessage({ content: `${name} ${nth} `.repeat(500), tool_call_id: `call_${nth}`, name: 'read_file' }),
    );
  }
  return messages;
}

/** How often a request is not the one before it with more behind it. @param {readonly BaseMessage[][]} requests */
function prefixChanges(requests) {
  let changes = 0;
  requests.slice(1).forEach((request, at) => {
    const [now, before] = [bytesOf(request), bytesOf(/** @type {BaseMessage[]} */ (requests[at]))];
    if (before.some((bytes, index) => bytes !== now[index])) changes++;
  });
  return changes;
}

describe('what is sent', () => {
  test('ADAPTERS 1 decisions are made in batches, and stay: the prefix changes far less often than the rule would have it', async () => {
    const changes = async (/** @type {'anthropic' | 'none'} */ price) => {
      const model = new ScriptedModel(readingScript(40));
      await agentWith(model, contextMiddleware({ price, maxExtraCost: 1 })).invoke(
        { messages: [new HumanMessage('go')] },
        LONG,
      );
      let replaced = 0;
      for (const request of model.requests) {
        assert.ok(placeholdersIn(request).length >= replaced, 'what was replaced came back');
        replaced = placeholdersIn(request).length;
      }
      assert.ok(replaced > 20, `only ${replaced} were replaced`);
      return prefixChanges(model.requests);
    };
    assert.equal(await changes('none'), 35);
    const batched = await changes('anthropic');
    assert.ok(batched > 0 && batched <= 12, `${batched} changes`);
  });

  test('ADAPTERS 2 of two conversations with the same call ids a new result stays, whatever became of the other one', async () => {
    const middleware = contextMiddleware({ price: 'none' });
    const old = history(9, 'Old.');
    const fresh = history(3, 'New.');
    for (let round = 0; round < 2; round++) {
      assert.equal(placeholdersIn(await sentBy(middleware, old)).length, 4);
      assert.deepEqual(await sentBy(middleware, fresh), fresh);
    }
  });

  test('ADAPTERS 5 an interrupted call is answered with an error; its turn and the results of its other calls stay', async () => {
    const model = new ScriptedModel(() => ({ content: 'done' }));
    const messages = [
      new HumanMessage('go'),
      new AIMessage({ content: 'I look at both.', tool_calls: [readCall('a', 'a.js'), readCall('b', 'b.js')] }),
      new ToolMessage({ content: 'const a = 1;', tool_call_id: 'a', name: 'read_file' }),
      new HumanMessage('never mind'),
    ];
    const { messages: state } = await agentWith(model, contextMiddleware()).invoke({ messages }, LONG);
    assert.equal(state.length, messages.length + 1, 'the state has the answer of the model and nothing else');
    const [, , asked, good, made] = /** @type {any[]} */ (model.requests[0]);
    assert.equal(asked.text, 'I look at both.');
    assert.equal(good.content, 'const a = 1;');
    assert.ok(made instanceof ToolMessage);
    assert.deepEqual([made.tool_call_id, made.status], ['b', 'error']);
  });

  test("ADAPTERS 6 a server's tools have their results in the model's own message, which stays the same object", async () => {
    const content = [
      { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [{ type: 'web_search_result', url: 'u' }] },
      { type: 'text', text: 'found' },
    ];
    const messages = [new HumanMessage('go'), new AIMessage({ content }), new HumanMessage('and now?')];
    const sent = await sentBy(contextMiddleware({ price: 'none' }), messages);
    assert.ok(sent.length === 3 && sent.every((message, index) => message === messages[index]));
  });

  test("ADAPTERS 7 results with the status 'error' stay, however old, and don't use up what is kept", async () => {
    const messages = history(9);
    /** @type {any} */ (messages[2]).status = 'error';
    const sent = await sentBy(contextMiddleware({ price: 'none' }), messages);
    assert.equal(sent[2], messages[2]);
    assert.equal(placeholdersIn(sent).length, 3);
  });

  test('ADAPTERS 8 a result of several parts with an image goes as a whole; nothing is replaced by something longer', async () => {
    const messages = history(9);
    const parts = [
      { type: 'text', text: 'a screenshot '.repeat(100) },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(5000)}` } },
    ];
    /** @type {any} */ (messages[2]).content = parts;
    /** @type {any} */ (messages[4]).content = 'ok';
    const sent = await sentBy(contextMiddleware({ price: 'none' }), messages);
    assert.equal(typeof sent[2]?.content, 'string');
    assert.ok(String(sent[2]?.content).length < 100);
    assert.equal(/** @type {any} */ (messages[2]).content, parts);
    assert.equal(sent[4], messages[4]);
  });

  test('ADAPTERS 9 of a replaced result only the content is another; all other messages are the same objects', async () => {
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
    const sent = await sentBy(contextMiddleware({ price: 'none' }), messages);
    const replaced = placeholdersIn(sent);
    assert.equal(replaced.length, 4);
    for (const [index, message] of sent.entries()) {
      const original = /** @type {any} */ (messages[index]);
      if (!replaced.includes(message)) {
        assert.equal(message, original);
        continue;
      }
      const { content, lc_kwargs: written, ...rest } = /** @type {any} */ (message);
      const { content: _, lc_kwargs: given, ...others } = original;
      assert.ok(message instanceof ToolMessage && ToolMessage.isInstance(message));
      assert.deepEqual(rest, others);
      assert.deepEqual({ ...written, content: '' }, { ...given, content: '' });
      for (const field of ['artifact', 'additional_kwargs', 'response_metadata'])
        assert.equal(rest[field], others[field]);
    }
    assert.deepEqual(contentsOf(messages), before);
  });

  test('ADAPTERS 10 results stand right behind their call in every request, which the model checks', async () => {
    const calls = [readCall('a', 'a.js'), readCall('b', 'b.js')];
    const script = (/** @type {BaseMessage[]} */ _messages, /** @type {number} */ nth) =>
      nth < 12
        ? { content: 'both', tool_calls: calls.map((call) => ({ ...call, id: `${call.id}${nth}` })) }
        : { content: 'done' };
    const model = new ScriptedModel(script);
    await agentWith(model, contextMiddleware({ price: 'none' })).invoke({ messages: [new HumanMessage('go')] }, LONG);
    assert.equal(model.requests.length, 13);
    assert.equal(placeholdersIn(/** @type {BaseMessage[]} */ (model.requests.at(-1))).length, 14);
  });

  test('ADAPTERS 12 without times a result is as old as it is since the conversation was first seen with it', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    try {
      const messages = history(9).map((message) => {
        for (const call of /** @type {any} */ (message).tool_calls ?? []) call.name = 'bash';
        return message;
      });
      const middleware = contextMiddleware({ price: 'none' });
      assert.equal(placeholdersIn(await sentBy(middleware, messages)).length, 0);
      const replaced = async () => (await sentBy(middleware, messages)).filter((each, at) => each !== messages[at]);
      mock.timers.tick(14 * 60_000);
      assert.equal((await replaced()).length, 0);
      mock.timers.tick(2 * 60_000);
      assert.equal((await replaced()).length, 4);
    } finally {
      mock.timers.reset();
    }
  });

  test('an empty system prompt is none, and one that is there is counted and passed on as it was', async () => {
    for (const systemMessage of [new SystemMessage(''), system]) {
      const messages = history(9);
      const model = new ScriptedModel(() => ({ content: 'done' }));
      const agent = agentWith(model, contextMiddleware({ price: 'none' }), { systemPrompt: systemMessage });
      await agent.invoke({ messages }, LONG);
      const [request] = /** @type {[BaseMessage[]]} */ (model.requests);
      assert.equal(request[0]?.type, systemMessage.text === '' ? 'human' : 'system');
      assert.equal(placeholdersIn(request).length, 4);
    }
  });
});

describe('one object, many conversations', () => {
  test('ADAPTERS 3 interleaved runs, some with one beginning, each send what they would send alone', async () => {
    const options = { price: /** @type {const} */ ('anthropic'), maxExtraCost: 1 };
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
    const numbers = [0, 1, 2, 3];
    const together = await Promise.all(numbers.map((nth) => run(shared, nth)));
    for (const nth of numbers) {
      assert.deepEqual(together[nth], await run(contextMiddleware(options), nth));
    }
  });

  test('ADAPTERS 3 an agent that is a tool of another has its own conversation, with the same object', async () => {
    const run = async (/** @type {() => any} */ middleware) => {
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
    const one = contextMiddleware({ price: 'none' });
    assert.deepEqual(await run(() => one), await run(() => contextMiddleware({ price: 'none' })));
  });

  test('ADAPTERS 3 messages of a forgotten conversation are collected', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    const middleware = contextMiddleware({ maxViews: 2 });
    const converse = async (/** @type {string} */ name) => {
      const messages = history(9, name);
      await sentBy(middleware, messages);
      return new WeakRef(/** @type {object} */ (messages[2]));
    };
    const [first, second, third] = [await converse('x'), await converse('y'), await converse('z')];
    for (let turn = 0; turn < 20 && first?.deref() !== undefined; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      collect();
    }
    assert.equal(first?.deref(), undefined);
    assert.ok(second?.deref() !== undefined && third?.deref() !== undefined);
  });

  test('ADAPTERS 3 a thread that a checkpointer wrote and read goes on with the bytes that were sent', async () => {
    const model = new ScriptedModel(readingScript(26));
    const middleware = contextMiddleware({ price: 'anthropic', maxExtraCost: 1 });
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

test('R10.1 messages read from where a thread is kept are the conversation that was seen before it was kept', async () => {
  const views = new ContextViews({ price: 'anthropic' });
  const messages = history(9);
  // OpenAI's model gives its message fields without a value, and sets some that it had not told the constructor.
  const answer = new AIMessage({ content: 'done', additional_kwargs: { function_call: undefined } });
  answer.response_metadata = { tokenUsage: { promptTokens: 100, cached: undefined } };
  messages.push(answer, new HumanMessage('and now?'));
  const view = views.viewFor(messages);
  view.project(messages);
  const kept = await Promise.all(messages.map((message) => load(JSON.stringify(message))));
  assert.notEqual(kept[2], messages[2]);
  assert.equal(views.viewFor([.../** @type {BaseMessage[]} */ (kept), new HumanMessage('go on')]), view);
  assert.equal(views.size, 1);
});

describe('the state', () => {
  test('ADAPTERS 0 it holds after a whole run what it holds without the middleware', async () => {
    const run = async (/** @type {any[]} */ middleware) => {
      const model = new ScriptedModel(readingScript(30));
      const agent = createAgent({ model, tools: [readTool()], middleware });
      const { messages } = await agent.invoke({ messages: [new HumanMessage({ content: 'go', id: '0' })] }, LONG);
      return messages.map((message) => ({ ...structuredClone({ ...message }), id: '', lc_kwargs: null }));
    };
    assert.deepEqual(await run([contextMiddleware({ price: 'none' })]), await run([]));
  });

  test('R10.10 with compression the model reads a summary, the state keeps every message', async () => {
    const model = new ScriptedModel(readingScript(30));
    const middleware = contextMiddleware({
      fileReads: false,
      compression: {
        config: { autoCompressionSummaryModel: 'small', maxContextTokens: 12_000, autoCompressionKeepRecentCount: 4 },
        llmClient: async () => 'Goal: read a.js. Done: read it often. Open: nothing.',
      },
    });
    const { messages } = await agentWith(model, middleware).invoke({ messages: [new HumanMessage('go')] }, LONG);
    assert.equal(messages.length, 62);
    const last = /** @type {BaseMessage[]} */ (model.requests.at(-1));
    assert.ok(last.length < 40, `${last.length} messages were sent`);
    const summary = last.find((message) => String(message.content).startsWith('[压缩摘要]'));
    assert.ok(summary instanceof HumanMessage);
    assert.equal(last[0]?.type, 'system');
  });
});

describe('what goes wrong', () => {
  test('ADAPTERS 4 the same request twice, as after an error, is sent with the same bytes', async () => {
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
      const [failed, again] = model.requests.slice(nth, nth + 2).map(bytesOf);
      assert.deepEqual(again, failed);
    }
  });

  test('ADAPTERS 3 an aborted stream leaves its conversation usable, and the others too', async () => {
    const middleware = contextMiddleware({ price: 'none' });
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
    const other = history(3, 'Other.');
    assert.deepEqual(await sentBy(middleware, other), other);
    await agent.invoke({ messages: [new HumanMessage('go on')] }, thread);
    const resumed = /** @type {BaseMessage[]} */ (model.requests[8]);
    assert.deepEqual(bytesOf(resumed).slice(0, aborted.length - 1), bytesOf(aborted).slice(0, -1));
    assert.equal(placeholdersIn(/** @type {BaseMessage[]} */ (model.requests.at(-1))).length, 6);
  });

  test('a summary that is being written stops when the run does', async () => {
    const controller = new AbortController();
    const middleware = contextMiddleware({
      compression: {
        config: { autoCompressionSummaryModel: 'small', maxContextTokens: 4000, autoCompressionKeepRecentCount: 2 },
        llmClient: () => {
          controller.abort();
          return new Promise(() => {});
        },
      },
    });
    const request = { messages: history(20), systemMessage: system, runtime: { signal: controller.signal } };
    const handler = async () => assert.fail('a request was sent');
    await assert.rejects(/** @type {any} */ (middleware).wrapModelCall(request, handler), { name: 'AbortError' });
  });

  test('wrong options are told when the middleware is made', () => {
    // @ts-expect-error no such price list
    assert.throws(() => contextMiddleware({ price: 'nobody' }), { code: 'ERR_OUT_OF_RANGE' });
    // @ts-expect-error no number
    assert.throws(() => contextMiddleware({ maxViews: '3' }), { code: 'ERR_INVALID_ARG_TYPE' });
  });
});

describe('usage', () => {
  const answerWith = (/** @type {number | undefined} */ read) => {
    const details = read === undefined ? {} : { input_token_details: { cache_read: read } };
    return new AIMessage({
      content: 'ok',
      usage_metadata: { input_tokens: 20_000, output_tokens: 5, total_tokens: 20_005, ...details },
    });
  };
  /** How many results are replaced in the end where answers are as `answer` makes them, and the state doesn't hold them. */
  const replaced = async (/** @type {() => any} */ answer) => {
    const middleware = contextMiddleware({ price: 'anthropic' });
    const messages = history(12);
    let sent = messages;
    for (let end = 3; end <= messages.length; end += 2)
      sent = await sentBy(middleware, messages.slice(0, end), answer());
    return placeholdersIn(sent).length;
  };

  test('R10.6 what the provider reports on the answer is read back: where nothing comes from a cache, nothing is waited for', async () => {
    const warm = await replaced(() => answerWith(19_000));
    const cold = await replaced(() => answerWith(0));
    assert.equal(cold, 6);
    assert.ok(warm < cold, `${warm} with a warm cache`);
  });

  test('R10.6 it is read with structured output, too, and an answer without any is no error', async () => {
    const structured = () => ({ structuredResponse: {}, messages: [answerWith(0), new AIMessage('done')] });
    assert.equal(await replaced(structured), 6);
    const silent = await replaced(() => new AIMessage('ok'));
    assert.equal(await replaced(() => new AIMessage('ok')), silent);
  });
});
