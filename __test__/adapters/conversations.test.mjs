// @ts-check
/** One adapter object of `palimpsest/ai-sdk` for several conversations, and the usage reports of their requests. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView } from 'palimpsest';
import { middleware, prepareStep } from 'palimpsest/ai-sdk';
import { REMOVE_AT_ONCE } from '../support/adapters/tool-loop.mjs';
import { call, outputs, reads, result, sentBy, user } from '../support/ai-sdk.mjs';

const PLACEHOLDER = '[Outdated command output removed]';

/** A conversation with `count` commands. @param {string} task @param {number} count */
function commands(task, count) {
  const command = (/** @type {number} */ at) => [
    { role: 'assistant', content: [call(`c${at}`, 'bash', { command: 'make' })] },
    { role: 'tool', content: [result(`c${at}`, 'bash', 'built '.repeat(80))] },
  ];
  return [user(task), ...Array.from({ length: count }, (_, at) => command(at)).flat()];
}

const finalMessage = () => ({ role: 'assistant', content: [{ type: 'text', text: 'Built.' }] });

/** @param {readonly any[]} messages */
const placeholdersIn = (messages) => outputs(messages).filter((text) => text === PLACEHOLDER).length;

/**
 * Sends a request as the SDK does; returns a function that reports its usage.
 * @param {any} adapter @param {readonly any[]} prompt
 */
async function requested(adapter, prompt) {
  const params = await adapter.transformParams({ type: 'generate', params: { prompt }, model: {} });
  return (/** @type {object | undefined} */ usage) =>
    adapter.wrapGenerate({ params, doGenerate: async () => ({ usage }) });
}

/** @param {any} adapter @param {readonly any[]} prompt @param {readonly any[]} parts of the response */
async function streamed(adapter, prompt, parts) {
  const params = await adapter.transformParams({ type: 'stream', params: { prompt }, model: {} });
  const doStream = async () => ({ stream: ReadableStream.from(parts), response: { headers: {} } });
  return adapter.wrapStream({ params, doStream });
}

/** The order of additions must not matter. @param {string} _key @param {unknown} value */
const rounded = (_key, value) => (typeof value === 'number' ? Math.round(value) : value);

const uncachedUsage = (/** @type {number} */ total) => ({ inputTokens: { total, cacheRead: 0 } });

describe('palimpsest/ai-sdk: one adapter, many conversations', () => {
  test('ADAPTERS 3 each interleaved conversation is sent what it would be sent alone', async () => {
    const tasks = ['One.', 'Two.', 'Three.'];
    const shared = middleware({ price: 'openai-older' });
    const alone = new Map(tasks.map((task) => [task, middleware({ price: 'openai-older' })]));
    for (let count = 0; count < 24; count++) {
      for (const [at, task] of tasks.entries()) {
        const prompt = reads(count + at, task);
        assert.deepEqual(await sentBy(shared, prompt), await sentBy(alone.get(task), prompt), `${task} ${count}`);
      }
    }
  });

  test('R10.7 the ledger sums up all conversations, also forgotten ones, and counts the common requests of a fork once', async () => {
    const tasks = ['One.', 'Two.', 'Three.'];
    const counts = Array.from({ length: 12 }, (_, at) => at);
    const ages = { fileRead: 5 };
    const adapter = middleware({ price: 'none', maxViews: 1, ages });
    const expected = { requests: 0, cost: 0, costLeftAlone: 0 };
    for (const task of tasks) {
      const alone = new ContextView({ price: 'none', ages });
      for (const count of counts) {
        await sentBy(adapter, reads(count, task));
        alone.project(reads(count, task));
      }
      const { requests, cost, costLeftAlone } = alone.ledger();
      expected.requests += requests;
      expected.cost += cost;
      expected.costLeftAlone += costLeftAlone;
    }
    const { requests, cost, costLeftAlone } = adapter.ledger();
    assert.equal(requests, expected.requests);
    assert.ok(Math.abs(cost - expected.cost) < 1e-6 && Math.abs(costLeftAlone - expected.costLeftAlone) < 1e-6);
    assert.ok(cost < costLeftAlone);

    const forked = middleware({ price: 'none' });
    for (const way of ['left', 'right', 'left']) await sentBy(forked, [...commands('Go.', 8), user(way)]);
    assert.equal(forked.ledger().requests, 8 + 3, 'eight common requests, and three of the branches');
  });

  test("R10.6 the provider's usage report corrects the ledger of the adapter", async () => {
    const adapter = middleware({ price: 'anthropic' });
    await (await requested(adapter, commands('Go.', 30)))(uncachedUsage(9_000));
    const report = await requested(adapter, commands('Go.', 31));
    const before = adapter.ledger();
    await report(uncachedUsage(9_000));
    assert.ok(adapter.ledger().cost > before.cost, 'nothing was read from the cache');
    assert.equal(adapter.ledger().requests, 32, 'with the 30 before the first one that the adapter saw');
  });

  test('ADAPTERS 3 both branches of a forked conversation keep the ages of their common results', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
    const adapter = middleware(REMOVE_AT_ONCE);
    await sentBy(adapter, commands('Go.', 8));
    t.mock.timers.tick(16 * 60_000);
    for (const way of ['left', 'right', 'left']) {
      assert.equal(placeholdersIn(await sentBy(adapter, [...commands('Go.', 8), finalMessage(), user(way)])), 3, way);
    }
  });

  test('ADAPTERS 3 beyond maxViews the least recently used conversation is forgotten', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
    const adapter = middleware({ ...REMOVE_AT_ONCE, maxViews: 2 });
    for (const task of ['A', 'B', 'C']) await sentBy(adapter, commands(task, 8));
    t.mock.timers.tick(16 * 60_000);
    const placeholderCounts = [];
    for (const task of ['C', 'B', 'A']) {
      const sent = await sentBy(adapter, [...commands(task, 8), finalMessage(), user('On.')]);
      placeholderCounts.push(placeholdersIn(sent));
    }
    assert.deepEqual(placeholderCounts, [3, 3, 0]);
  });

  test('ADAPTERS 3 a system prompt with the current time starts no new conversation, and causes no additional summary', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
    const adapter = middleware(REMOVE_AT_ONCE);
    /** @param {string} name that is recorded with each summary */
    const compressing = (name) => {
      const config = { maxContextTokens: 3000, autoCompressionSummaryModel: 's', autoCompressionThreshold: 0.6 };
      const llmClient = async () => `## Goal\nTo read.\n## Done\nSummary ${summaries.push(name)}.`;
      return middleware({ price: 'none', fileReads: false, compression: { config, llmClient } });
    };
    /** @type {string[]} */
    const summaries = [];
    const [withTime, withoutTime] = [compressing('with time'), compressing('without time')];
    let placeholderCount = 0;
    for (let count = 1; count <= 24; count++) {
      const system = { role: 'system', content: `It is ${count} o'clock.` };
      const sent = await sentBy(adapter, [system, ...commands('Go.', count)]);
      const compressed = await sentBy(withTime, [system, ...reads(count).slice(1)]);
      await sentBy(withoutTime, reads(count));
      assert.deepEqual([sent[0], compressed[0]], [system, system]);
      placeholderCount = placeholdersIn(sent);
      t.mock.timers.tick(6 * 60_000);
    }
    // All results older than 15 minutes, except the newest five.
    assert.equal(placeholderCount, 24 - 5);
    const expected = summaries.filter((name) => name === 'without time').length;
    assert.ok(expected > 0 && summaries.length === 2 * expected, summaries.join());
  });

  test('ADAPTERS 3 the same first message with a different system prompt is a different conversation', async () => {
    const adapter = middleware(REMOVE_AT_ONCE);
    const withSystem = (/** @type {string} */ prompt, /** @type {number} */ count) => [
      { role: 'system', content: prompt },
      ...reads(count).slice(1),
    ];
    await sentBy(adapter, withSystem('You write.', 7));
    assert.equal(outputs(await sentBy(adapter, withSystem('You review.', 0))).length, 0);
    const texts = outputs(await sentBy(adapter, withSystem('You write.', 8)));
    assert.equal(texts.filter((text) => text.length < 100).length, 3);
  });

  test('R13.3 a usage report counts for its own request and conversation, however late it arrives', async () => {
    const ledgers = [];
    for (const isLate of [false, true]) {
      const adapter = middleware({ price: 'anthropic' });
      /** @type {(() => Promise<unknown>)[]} */
      const lateReports = [];
      for (const count of [30, 31, 32]) {
        for (const task of ['A', 'B']) {
          const report = await requested(adapter, reads(count, task));
          // Nothing of conversation A is read from the cache, nearly everything of B.
          const usage = { inputTokens: { total: 9_000, cacheRead: task === 'A' ? 0 : 8_900 } };
          if (isLate) lateReports.push(() => report(usage));
          else await report(usage);
        }
      }
      for (const report of lateReports.reverse()) await report();
      ledgers.push([...adapter.views].map((view) => JSON.stringify(view.ledger(), rounded)));
    }
    assert.deepEqual(ledgers[1], ledgers[0]);
    const [uncached, cached] = (ledgers[0] ?? []).map((text) => JSON.parse(text));
    assert.ok(uncached.cost > 1.5 * cached.cost, `${uncached.cost} and ${cached.cost}`);
  });

  test('R13.3 a missing usage report and a second one for the same request change nothing', async () => {
    const adapter = middleware({ price: 'anthropic' });
    await (await requested(adapter, reads(30)))(uncachedUsage(9_000));
    const report = await requested(adapter, reads(31));
    const before = adapter.ledger();
    await report(undefined);
    assert.deepEqual(adapter.ledger(), before);
    await report(uncachedUsage(9_000));
    const after = adapter.ledger();
    assert.notDeepEqual(after, before);
    await report(uncachedUsage(90_000));
    assert.deepEqual(adapter.ledger(), after);
  });

  test("R13.3 a stream's usage report counts at its end, and an abandoned stream has none", async () => {
    const adapter = middleware({ price: 'anthropic' });
    const parts = [
      { type: 'text-delta', delta: 'Yes.' },
      { type: 'finish', usage: uncachedUsage(9_000) },
    ];
    await sentBy(adapter, reads(30));
    const abandoned = await streamed(adapter, reads(31), parts);
    assert.deepEqual(abandoned.response, { headers: {} });
    const before = adapter.ledger();
    await abandoned.stream.cancel();
    assert.deepEqual(adapter.ledger(), before);
    const read = [];
    const { stream } = await streamed(adapter, reads(32), parts);
    const { cost } = adapter.ledger();
    for await (const part of stream) read.push(part);
    assert.deepEqual(read, parts);
    assert.ok(adapter.ledger().cost > cost, 'nothing was read from the cache');
  });

  test("R13 the caller receives the provider's error object unchanged", async () => {
    const adapter = middleware({ price: 'none' });
    const params = await adapter.transformParams?.(/** @type {any} */ ({ params: { prompt: reads(1) } }));
    const error = new Error('overloaded');
    const doGenerate = () => Promise.reject(error);
    await assert.rejects(async () => adapter.wrapGenerate?.(/** @type {any} */ ({ params, doGenerate })), error);
  });

  test('R13.4 a request that was aborted before it began rejects with the reason, and changes nothing', async () => {
    const adapter = /** @type {any} */ (middleware({ price: 'none' }));
    const abortSignal = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(adapter.transformParams({ params: { prompt: reads(7), abortSignal } }), /stopped/);
    assert.equal((await sentBy(adapter, reads(2))).length, reads(2).length);
  });
});

describe('palimpsest/ai-sdk: options', () => {
  for (const make of [middleware, prepareStep]) {
    test(`R0.3 ${make.name} throws for invalid options, and accepts undefined, null and an empty object`, () => {
      /** @type {[any, string][]} */
      const invalid = [
        [{ cacheControl: 7 }, 'ERR_INVALID_ARG_TYPE'],
        [{ cacheControl: '2h' }, 'ERR_OUT_OF_RANGE'],
        [{ price: 'cheap' }, 'ERR_OUT_OF_RANGE'],
        [{ maxViews: 0 }, 'ERR_OUT_OF_RANGE'],
        [{ compression: 'on' }, 'ERR_INVALID_ARG_TYPE'],
        ['anthropic', 'ERR_INVALID_ARG_TYPE'],
      ];
      for (const [options, code] of invalid) assert.throws(() => make(options), { code }, JSON.stringify(options));
      for (const options of [undefined, null, {}]) make(/** @type {any} */ (options));
    });
  }
});

describe("palimpsest/ai-sdk: breakpoints for Anthropic's cache", () => {
  const hasBreakpoint = (/** @type {any} */ message) =>
    message.providerOptions?.anthropic?.cacheControl?.type === 'ephemeral';
  const breakpointsOf = (/** @type {readonly any[]} */ sent) =>
    sent.flatMap((message, at) => (hasBreakpoint(message) ? [at] : []));

  test('R10.8 cacheControl sets at most four breakpoints, among them the system prompt and the end, and none on stored messages', async () => {
    const adapter = middleware({ cacheControl: true });
    const prompt = reads(7);
    const sent = await sentBy(adapter, prompt);
    const places = breakpointsOf(sent);
    assert.ok(places.length >= 2 && places.length <= 4, String(places));
    assert.ok(places.includes(0) && places.includes(prompt.length - 1), String(places));
    assert.deepEqual(breakpointsOf(await sentBy(middleware(), prompt)), []);
    assert.deepEqual(breakpointsOf(prompt), []);
  });

  test("R10.8 the application's breakpoints stay unchanged and count among the four", async () => {
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } }, openai: { store: false } };
    const prompt = reads(7).map((message, at) => (at > 0 && at < 4 ? { ...message, providerOptions } : message));
    const sent = await sentBy(middleware({ cacheControl: true }), prompt);
    assert.ok(sent.slice(1, 4).every((message) => message.providerOptions === providerOptions));
    // The system prompt has none: the end is more useful, because the next request begins with all of this one.
    assert.deepEqual(breakpointsOf(sent), [1, 2, 3, prompt.length - 1]);
  });

  test('R10.8 prepareStep sets breakpoints, too', async () => {
    const prepared = await prepareStep({ cacheControl: true })(/** @type {any} */ ({ messages: reads(7), steps: [] }));
    assert.ok(breakpointsOf(/** @type {any} */ (prepared).messages).length >= 2);
  });
});
