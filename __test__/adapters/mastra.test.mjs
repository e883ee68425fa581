// @ts-check
/** `ContextProcessor` in Mastra's agents, with a model that rejects invalid requests: what is sent, and what the memory keeps. */
import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { Mastra } from '@mastra/core';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { ContextProcessor } from 'palimpsest/mastra';
import { z } from 'zod';
import {
  agentWith,
  bytesOf,
  LONG,
  placeholdersIn,
  promptOf,
  readingScript,
  readTool,
  scriptedModel,
  sentBy,
  WARM,
} from '../support/adapters/mastra.mjs';
import {
  assertBatches,
  assertLedger,
  compressionAt,
  REMOVE_AT_ONCE,
  sharedPrefix,
} from '../support/adapters/tool-loop.mjs';

describe('palimpsest/mastra: requests', () => {
  test('ADAPTERS 1 results stay removed, and with a prompt cache the prefix changes at most 12 times instead of 35', async () => {
    const requestsWith = async (/** @type {'none' | 'anthropic'} */ price) => {
      const { model, requests } = scriptedModel(readingScript(40, WARM));
      const processor = new ContextProcessor({ ...REMOVE_AT_ONCE, price, maxExtraCost: 1 });
      await agentWith(model, processor).generate('go', LONG);
      return requests;
    };
    await assertBatches(requestsWith, placeholdersIn, bytesOf);
  });

  for (const version of /** @type {const} */ (['v2', 'v3', 'v4'])) {
    test(`R13.1 a model with the AI SDK's interface ${version} is sent placeholders by generate and by stream`, async () => {
      for (const isStreamed of [false, true]) {
        const { model, requests } = scriptedModel(readingScript(9), version);
        const agent = agentWith(model, new ContextProcessor(REMOVE_AT_ONCE));
        const { text } = await (isStreamed ? agent.stream('go', LONG) : agent.generate('go', LONG));
        assert.equal(await text, 'done');
        assert.equal(placeholdersIn(/** @type {any[]} */ (requests.at(-1))).length, 4);
      }
    });
  }

  test('R10.7 the ledger has the cost of the requests and of the unmodified history', async () => {
    const [{ model, requests: sent }, processor] = [
      scriptedModel(readingScript(12)),
      new ContextProcessor(REMOVE_AT_ONCE),
    ];
    await agentWith(model, processor).generate('go', LONG);
    assertLedger(processor.ledger(), sent.length);
  });

  test('ADAPTERS 2 a new result is not removed because another conversation has used its call id', async () => {
    const processor = new ContextProcessor(REMOVE_AT_ONCE);
    for (let round = 0; round < 2; round++) {
      assert.equal(placeholdersIn(await sentBy(processor, promptOf(9, 'Old.'))).length, 4);
      assert.deepEqual(await sentBy(processor, promptOf(3, 'New.')), promptOf(3, 'New.'));
    }
  });

  test('ADAPTERS 5 an unanswered call gets an error result; its message and the results of its other calls stay', async () => {
    const prompt = promptOf(1);
    prompt[2].content.unshift({ type: 'text', text: 'I look at both.' });
    prompt[2].content.push({ type: 'tool-call', toolCallId: 'b', toolName: 'read_file', input: { path: 'b.js' } });
    prompt.push({ role: 'user', content: [{ type: 'text', text: 'never mind' }] });
    const before = structuredClone(prompt);
    const sent = await sentBy(new ContextProcessor(), prompt);
    assert.deepEqual(prompt, before);
    assert.deepEqual(sent[2], prompt[2]);
    const results = sent.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
    assert.deepEqual(results[0], prompt[3].content[0]);
    assert.deepEqual([results[1].toolCallId, results[1].output.type], ['b', 'error-text']);
    assert.deepEqual(sent.at(-1), prompt.at(-1));
  });

  test('ADAPTERS 6 calls that the provider runs, with their results in the same message, are sent unchanged', async () => {
    const prompt = promptOf(1);
    const ids = { toolCallId: 'srv', toolName: 'web_search' };
    prompt[2].content.unshift(
      { type: 'tool-call', ...ids, input: {}, providerExecuted: true },
      { type: 'tool-result', ...ids, output: { type: 'json', value: [{ url: 'u' }] } },
    );
    prompt.push({ role: 'user', content: [{ type: 'text', text: 'and now?' }] });
    assert.deepEqual(await sentBy(new ContextProcessor(REMOVE_AT_ONCE), prompt), prompt);
  });

  test('ADAPTERS 6 a call that awaits approval gets its real result after the approval, also if the user wrote before it', async () => {
    const calls = ['a', 'b'].map((id) => ({ id, name: id === 'b' ? 'erase' : 'read_file', input: { path: id } }));
    const { model, requests } = scriptedModel((_prompt, nth) =>
      nth === 0 ? { text: 'Both.', calls } : { text: 'done' },
    );
    const erase = createTool({
      ...{ id: 'erase', description: '', inputSchema: z.object({ path: z.string() }), requireApproval: true },
      execute: async ({ path }) => `${path} is erased`,
    });
    const memory = new MockMemory({ options: { lastMessages: 1000 } });
    const agent = agentWith(model, new ContextProcessor(), { memory, tools: { read_file: readTool(), erase } });
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const thread = { ...LONG, memory: { thread: 't', resource: 'r' } };
    const { finishReason, runId } = await agent.generate('go', thread);
    assert.equal(finishReason, 'suspended');
    assert.equal((await agent.generate('and what of this?', thread)).text, 'done');
    await agent.approveToolCallGenerate({ runId: `${runId}`, toolCallId: 'b' });
    const results = requests.at(-1)?.flatMap(({ role, content }) => (role === 'tool' ? content : []));
    assert.deepEqual(
      results?.map(({ toolCallId }) => toolCallId),
      ['a', 'b'],
    );
    assert.equal(results?.[1].output.value, 'b is erased');
  });

  test('ADAPTERS 7 error outputs of each type are never replaced, and are not counted among the newest five', async () => {
    const prompt = promptOf(12);
    prompt[3].content[0].output = { type: 'error-text', value: 'no such file '.repeat(100) };
    prompt[5].content[0].output = { type: 'error-json', value: { code: 'ENOENT', why: 'gone '.repeat(100) } };
    prompt[7].content[0].output = { type: 'execution-denied', reason: 'no' };
    const sent = await sentBy(new ContextProcessor(REMOVE_AT_ONCE), prompt);
    for (const index of [3, 5, 7]) assert.deepEqual(sent[index], prompt[index]);
    assert.equal(placeholdersIn(sent).length, 4);
  });

  test('ADAPTERS 7 the result of a tool that threw in a real agent is never replaced', async () => {
    const { model, requests } = scriptedModel(readingScript(9));
    let reads = 0;
    const read = readTool((path) => {
      if (reads++ === 0) throw new Error(`no ${path} ${'here '.repeat(100)}`);
      return 'const line = 1;\n'.repeat(100);
    });
    const processor = new ContextProcessor(REMOVE_AT_ONCE);
    await agentWith(model, processor, { tools: { read_file: read } }).generate('go', LONG);
    const last = /** @type {any[]} */ (requests.at(-1));
    assert.equal(placeholdersIn(last).length, 3);
    const [first] = last.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
    assert.match(first.output.type, /^error-/);
  });

  test('ADAPTERS 8 a result of text and an image is replaced as a whole, and one shorter than the placeholder stays', async () => {
    const prompt = promptOf(9);
    const image = { type: 'media', mediaType: 'image/png', data: 'A'.repeat(5000) };
    prompt[3].content[0].output = { type: 'content', value: [{ type: 'text', text: 'a screenshot' }, image] };
    prompt[5].content[0].output = { type: 'text', value: 'ok' };
    const sent = await sentBy(new ContextProcessor(REMOVE_AT_ONCE), prompt);
    assert.equal(sent[3].content[0].output.type, 'text');
    assert.ok(sent[3].content[0].output.value.length < 100);
    assert.deepEqual(sent[5], prompt[5]);
  });

  test('ADAPTERS 9 a replaced result differs only in its output, and all other messages are the same objects', async () => {
    const prompt = promptOf(9);
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } }, mastra: { createdAt: 1 } };
    prompt[3].content[0].providerOptions = providerOptions;
    prompt[3].providerOptions = providerOptions;
    prompt[4].content.unshift({ type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } });
    const before = structuredClone(prompt);
    const sent = await sentBy(new ContextProcessor(REMOVE_AT_ONCE), prompt);
    assert.deepEqual(prompt, before);
    const replaced = placeholdersIn(sent);
    assert.equal(replaced.length, 4);
    for (const [index, message] of sent.entries()) {
      if (message.role !== 'tool' || !replaced.includes(message.content[0])) {
        assert.equal(message, prompt[index]);
        continue;
      }
      const [{ output: _, ...part }] = message.content;
      const [{ output: __, ...original }] = prompt[index].content;
      assert.deepEqual(part, original);
      assert.deepEqual({ ...message, content: 0 }, { ...prompt[index], content: 0 });
    }
  });

  test('ADAPTERS 12 a result without a time ages from the first request that contains it', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    try {
      const prompt = promptOf(9);
      for (const { content } of prompt) {
        if (Array.isArray(content)) for (const part of content) if (part.toolName) part.toolName = 'bash';
      }
      const processor = new ContextProcessor(REMOVE_AT_ONCE);
      const replacedInNextRequest = async () => {
        const textParts = (/** @type {string} */ text) => [{ type: 'text', text }];
        prompt.push({ role: 'assistant', content: textParts('Read.') }, { role: 'user', content: textParts('Go on.') });
        const sent = await sentBy(processor, structuredClone(prompt));
        return sent.filter((message, index) => bytesOf([message])[0] !== bytesOf([prompt[index]])[0]).length;
      };
      assert.equal(await replacedInNextRequest(), 0);
      // The nine requests before the first one that the processor saw are taken as half a minute apart.
      mock.timers.tick(9 * 60_000);
      assert.equal(await replacedInNextRequest(), 0);
      mock.timers.tick(7 * 60_000);
      assert.equal(await replacedInNextRequest(), 4);
    } finally {
      mock.timers.reset();
    }
  });

  test('R10.8 cacheControl sets two to four breakpoints, the last at the end, and none on stored messages', async () => {
    const prompt = promptOf(20);
    const before = structuredClone(prompt);
    const sent = await sentBy(new ContextProcessor({ cacheControl: true }), prompt);
    const withBreakpoint = sent.filter(
      ({ providerOptions }) => providerOptions?.anthropic?.cacheControl?.type === 'ephemeral',
    );
    assert.ok(withBreakpoint.length >= 2 && withBreakpoint.length <= 4);
    assert.equal(withBreakpoint.at(-1), sent.at(-1));
    assert.deepEqual(prompt, before);
  });
});

describe('palimpsest/mastra: memory', () => {
  /** Requests and stored messages of two runs of one thread. @param {ContextProcessor | null} processor */
  async function twoRunsWith(processor) {
    const script = readingScript(9);
    const { model, requests } = scriptedModel((prompt, nth) => script(prompt, nth % 10));
    const memory = new MockMemory({ options: { lastMessages: 1000 } });
    const agent = agentWith(model, processor, { memory });
    const thread = { ...LONG, memory: { thread: 't', resource: 'r' } };
    await agent.generate('go', thread);
    await agent.generate('and again', thread);
    const { messages } = await memory.recall({ threadId: 't', resourceId: 'r', perPage: false });
    return { requests, messages };
  }

  test('ADAPTERS 0 after two runs the memory is the same as without the processor', async () => {
    const withoutIdsAndTimes = (/** @type {any[]} */ messages) =>
      JSON.stringify(messages, (key, value) => (/^(id|createdAt|updatedAt|startedAt|endedAt)$/.test(key) ? 0 : value));
    const { messages, requests } = await twoRunsWith(new ContextProcessor(REMOVE_AT_ONCE));
    assert.ok(placeholdersIn(/** @type {any[]} */ (requests.at(-1))).length > 0);
    assert.equal(withoutIdsAndTimes(messages), withoutIdsAndTimes((await twoRunsWith(null)).messages));
  });

  test('R10.14 a thread continued in another run is sent with the same bytes as before', async () => {
    const { requests } = await twoRunsWith(new ContextProcessor(REMOVE_AT_ONCE));
    const plainRequests = (await twoRunsWith(null)).requests;
    const lastAndNext = (/** @type {any[][]} */ prompts) => prompts.slice(9, 11).map(bytesOf);
    const [last = [], next = []] = lastAndNext(requests);
    const [plainLast = [], plainNext = []] = lastAndNext(plainRequests);
    // Mastra itself builds the same prompt from its memory only up to here.
    const shared = sharedPrefix(plainLast, plainNext);
    assert.ok(shared > 1, `Mastra keeps ${shared} messages`);
    assert.ok(last.some((bytes, index) => index < shared && bytes !== plainLast[index]));
    assert.deepEqual(next.slice(0, shared), last.slice(0, shared));
  });

  test('R10.10 with compression the model is sent a summary, and the memory keeps every message', async () => {
    const { model, requests } = scriptedModel(readingScript(30));
    const processor = new ContextProcessor({ fileReads: false, compression: compressionAt(12_000) });
    const memory = new MockMemory({ options: { lastMessages: 1000 } });
    await agentWith(model, processor, { memory }).generate('go', { ...LONG, memory: { thread: 't', resource: 'r' } });
    const last = /** @type {any[]} */ (requests.at(-1));
    assert.ok(last.length < 40, `${last.length} messages were sent`);
    const summary = last.find(({ role, content }) => role === 'user' && content[0].text.startsWith('[压缩摘要]'));
    assert.ok(summary !== undefined);
    const { messages } = await memory.recall({ threadId: 't', resourceId: 'r', perPage: false });
    const stored = JSON.stringify(messages);
    assert.ok(!stored.includes('压缩摘要'));
    for (let nth = 0; nth < 30; nth++) assert.ok(stored.includes(`"call_${nth}"`));
  });
});
