// @ts-check
/** One `ContextProcessor` for many conversations of Mastra's agents: interleaved, aborted, retried, forgotten; and their usage reports. */
import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { MockMemory } from '@mastra/core/memory';
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
import { compressionAt, isCollected, prefixChanges } from '../support/adapters/tool-loop.mjs';

describe('palimpsest/mastra: one processor, many conversations', () => {
  /** Reads become outdated within the tests' conversations. */
  const options = { price: /** @type {const} */ ('anthropic'), maxExtraCost: 1, ages: { fileRead: 5 } };
  const run = async (
    /** @type {ContextProcessor} */ processor,
    /** @type {number} */ nth,
    /** @type {string} */ task,
  ) => {
    const { model, requests } = scriptedModel(readingScript(26 + nth, WARM));
    const read = readTool((path) => `${nth} ${path} `.repeat(400));
    await agentWith(model, processor, { tools: { read_file: read } }).generate(task, LONG);
    assert.ok(placeholdersIn(/** @type {any[]} */ (requests.at(-1))).length > 0);
    return requests;
  };

  test('ADAPTERS 3 interleaved runs each send what they would send alone', async () => {
    const shared = new ContextProcessor(options);
    const interleaved = await Promise.all([0, 1, 2].map((nth) => run(shared, nth, `go ${nth}`)));
    for (const [nth, requests] of interleaved.entries()) {
      const alone = (await run(new ContextProcessor(options), nth, `go ${nth}`)).map(bytesOf);
      assert.ok(JSON.stringify(requests.map(bytesOf)) === JSON.stringify(alone), `run ${nth} differs`);
    }
  });

  test('ADAPTERS 3 concurrent runs with the same first message are sent only their own results, and keep their newest five', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    try {
      const shared = new ContextProcessor({ ...options, outdatedBy: 'age', arrivalTimes: true });
      const concurrent = await Promise.all([0, 1, 2].map((nth) => run(shared, nth, 'go')));
      for (const [nth, requests] of concurrent.entries()) {
        let replaced = 0;
        for (const request of requests) {
          const placeholders = placeholdersIn(request);
          const results = request.flatMap(({ role, content }) => (role === 'tool' ? content : []));
          assert.ok(placeholders.length >= replaced, 'a removed result is sent in full again');
          replaced = placeholders.length;
          assert.ok(
            results.every((result) => placeholders.includes(result) || result.output.value.startsWith(`${nth} `)),
          );
          assert.ok(results.slice(-5).every((result) => !placeholders.includes(result)));
        }
        assert.ok(prefixChanges(requests.map(bytesOf)) <= 12);
      }
    } finally {
      mock.timers.reset();
    }
  });

  test('ADAPTERS 3 an agent used as a tool has its own conversation in the processor that it shares with the other agent', async () => {
    const requestsWith = async (/** @type {() => ContextProcessor} */ processor) => {
      const inner = scriptedModel(readingScript(9));
      const helper = agentWith(inner.model, processor(), { id: 'helper', name: 'helper' });
      const outer = scriptedModel((_prompt, nth) =>
        nth < 2 ? { calls: [{ id: `call_${nth}`, name: 'ask', input: { what: `${nth}` } }] } : { text: 'done' },
      );
      const ask = createTool({
        ...{ id: 'ask', description: 'Asks another agent.', inputSchema: z.object({ what: z.string() }) },
        execute: async ({ what }) => (await helper.generate(`go ${what}`, LONG)).text,
      });
      await agentWith(outer.model, processor(), { tools: { ask } }).generate('go', LONG);
      return [...outer.requests, ...inner.requests].map(bytesOf);
    };
    const shared = new ContextProcessor({ price: 'none' });
    assert.deepEqual(
      await requestsWith(() => shared),
      await requestsWith(() => new ContextProcessor({ price: 'none' })),
    );
  });

  test('ADAPTERS 3 messages of a forgotten conversation are garbage-collected', async () => {
    const processor = new ContextProcessor({ maxViews: 2 });
    const weakMessageOf = async (/** @type {string} */ name) => {
      const prompt = promptOf(9, name);
      await sentBy(processor, prompt);
      return new WeakRef(prompt[3]);
    };
    const [first, second, third] = [await weakMessageOf('x'), await weakMessageOf('y'), await weakMessageOf('z')];
    assert.ok(await isCollected(first));
    assert.ok(second.deref() !== undefined && third.deref() !== undefined);
  });
});

describe('palimpsest/mastra: retries, aborts and invalid options', () => {
  test('R13.4 a repeated request has the same bytes', async () => {
    const processor = new ContextProcessor({ price: 'anthropic', maxExtraCost: 1 });
    for (let reads = 1; reads < 30; reads++) {
      const first = await sentBy(processor, promptOf(reads));
      assert.deepEqual(await sentBy(processor, promptOf(reads)), first);
    }
  });

  test('R13.4 an aborted stream changes no other conversation, and its own one continues', async () => {
    const processor = new ContextProcessor({ price: 'none' });
    const controller = new AbortController();
    const script = readingScript(12);
    const { model, requests } = scriptedModel((prompt, nth) => {
      if (nth === 7) controller.abort();
      return script(prompt, nth);
    });
    const memory = new MockMemory({ options: { lastMessages: 1000 } });
    const agent = agentWith(model, processor, { memory });
    const thread = { ...LONG, memory: { thread: 't', resource: 'r' } };
    const stream = await agent.stream('go', { ...thread, abortSignal: controller.signal });
    await stream.consumeStream();
    assert.equal(requests.length, 8);
    const alone = await sentBy(new ContextProcessor({ price: 'none' }), promptOf(3, 'Other.'));
    assert.deepEqual(await sentBy(processor, promptOf(3, 'Other.')), alone);
    const { text } = await agent.generate('go on', thread);
    assert.equal(text, 'done');
  });

  test('aborting the run ends a summary in progress', async () => {
    const controller = new AbortController();
    const processor = new ContextProcessor({
      compression: compressionAt(4000, () => {
        controller.abort();
        return new Promise(() => {});
      }),
    });
    const request = { prompt: promptOf(20), steps: [], state: {}, abortSignal: controller.signal };
    await assert.rejects(processor.processLLMRequest(request), { name: 'AbortError' });
  });

  test('R0.3 the ContextProcessor constructor throws for invalid options', () => {
    // @ts-expect-error no such price list
    assert.throws(() => new ContextProcessor({ price: 'nobody' }), { code: 'ERR_OUT_OF_RANGE' });
    // @ts-expect-error no such lifetime
    assert.throws(() => new ContextProcessor({ cacheControl: 7 }), { code: 'ERR_INVALID_ARG_TYPE' });
  });
});

describe('palimpsest/mastra: usage', () => {
  /** The ledger's cost if `cached` tokens of each request are reported as read from the cache; the last request has no report. */
  const costWith = async (/** @type {number} */ cached, /** @type {boolean} */ isRunPerRequest) => {
    const processor = new ContextProcessor({ price: 'anthropic', arrivalTimes: true });
    const steps = [];
    let state = {};
    for (let reads = 1; reads <= 12; reads++) {
      if (isRunPerRequest) {
        processor.processOutputResult({ result: { steps }, state, messageList: null });
        state = {};
        steps.length = 0;
      }
      await sentBy(processor, promptOf(reads), { state, steps: [...steps] });
      steps.push({ usage: { inputTokens: 20_000, outputTokens: 5, cachedInputTokens: cached } });
    }
    return processor.ledger().cost;
  };

  const COLD_COST = 11 * 1.25 * 20_000;
  const WARM_COST = 11 * (1.25 * 1_000 + 0.1 * 19_000);
  const assertNear = (/** @type {number} */ cost, /** @type {number} */ expected) =>
    assert.ok(cost > expected && cost < expected + 1.25 * 20_000, `${cost}, expected ${expected} and the last request`);

  test('R10.6 the usage of each step corrects the ledger', async () => {
    assertNear(await costWith(0, false), COLD_COST);
    assertNear(await costWith(19_000, false), WARM_COST);
  });

  test('R10.6 as an output processor it also reads the usage of the last step of a run', async () => {
    assertNear(await costWith(0, true), COLD_COST);
    assertNear(await costWith(19_000, true), WARM_COST);
  });

  test("R10.6 the usage of a real agent's steps corrects the ledger", async () => {
    const costOfRun = async (
      /** @type {number} */ cached,
      /** @type {import('../support/adapters/mastra.mjs').Version} */ version,
    ) => {
      const script = readingScript(12);
      const usage = { input: 20_000, cached };
      const { model } = scriptedModel((prompt, nth) => ({ ...script(prompt, nth), usage }), version);
      const processor = new ContextProcessor({ price: 'anthropic', arrivalTimes: true });
      const { text } = await agentWith(model, processor, { outputProcessors: [processor] }).generate('go', LONG);
      assert.equal(text, 'done');
      return processor.ledger().cost;
    };
    for (const version of /** @type {const} */ (['v2', 'v3'])) {
      const cold = await costOfRun(0, version);
      const warm = await costOfRun(19_000, version);
      assert.ok(warm < cold / 3, `${version}: ${cold} and ${warm}`);
    }
  });
});
