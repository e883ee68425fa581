// @ts-check
/** One adapter object and many conversations at once. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView } from 'palimpsest';
import { middleware, prepareStep } from 'palimpsest/ai-sdk';
import { REMOVE_AT_ONCE } from '../support/adapters/tool-loop.mjs';
import { call, outputs, reads, result, sentBy, user } from '../support/ai-sdk.mjs';

const OLD = '[Outdated command output removed]';

/** @param {string} task @param {number} count of commands */
function commands(task, count) {
  const ran = (/** @type {number} */ at) => [
    { role: 'assistant', content: [call(`c${at}`, 'bash', { command: 'make' })] },
    { role: 'tool', content: [result(`c${at}`, 'bash', 'built '.repeat(80))] },
  ];
  return [user(task), ...Array.from({ length: count }, (_, at) => ran(at)).flat()];
}

const done = () => ({ role: 'assistant', content: [{ type: 'text', text: 'Built.' }] });

/** @param {readonly any[]} messages */
const oldIn = (messages) => outputs(messages).filter((text) => text === OLD).length;

/**
 * A request as the SDK makes it, to be answered later.
 * @param {any} ours @param {readonly any[]} prompt
 */
async function asked(ours, prompt) {
  const params = await ours.transformParams({ type: 'generate', params: { prompt }, model: {} });
  return (/** @type {object | undefined} */ usage) =>
    ours.wrapGenerate({ params, doGenerate: async () => ({ usage }) });
}

/** @param {any} ours @param {readonly any[]} prompt @param {readonly any[]} parts */
async function streamed(ours, prompt, parts) {
  const params = await ours.transformParams({ type: 'stream', params: { prompt }, model: {} });
  const doStream = async () => ({ stream: ReadableStream.from(parts), response: { headers: {} } });
  return ours.wrapStream({ params, doStream });
}

/** Sums of the same numbers in another order. @param {string} _key @param {unknown} value */
const rounded = (_key, value) => (typeof value === 'number' ? Math.round(value) : value);

const usage = (/** @type {number} */ total) => ({ inputTokens: { total, cacheRead: 0 } });

describe('conversations of one adapter', () => {
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
    const ours = middleware({ price: 'none', maxViews: 1, ages });
    const expected = { requests: 0, cost: 0, costLeftAlone: 0 };
    for (const task of tasks) {
      const alone = new ContextView({ price: 'none', ages });
      for (const count of counts) {
        await sentBy(ours, reads(count, task));
        alone.project(reads(count, task));
      }
      const { requests, cost, costLeftAlone } = alone.ledger();
      expected.requests += requests;
      expected.cost += cost;
      expected.costLeftAlone += costLeftAlone;
    }
    const { requests, cost, costLeftAlone } = ours.ledger();
    assert.equal(requests, expected.requests);
    assert.ok(Math.abs(cost - expected.cost) < 1e-6 && Math.abs(costLeftAlone - expected.costLeftAlone) < 1e-6);
    assert.ok(cost < costLeftAlone);

    const forked = middleware({ price: 'none' });
    for (const way of ['left', 'right', 'left']) await sentBy(forked, [...commands('Go.', 8), user(way)]);
    assert.equal(forked.ledger().requests, 8 + 3, 'eight that were answered, and these');
  });

  test("R10.6 the provider's usage report corrects the ledger of the adapter", async () => {
    const ours = middleware({ price: 'anthropic' });
    await (await asked(ours, commands('Go.', 30)))(usage(9_000));
    const answer = await asked(ours, commands('Go.', 31));
    const before = ours.ledger();
    await answer(usage(9_000));
    assert.ok(ours.ledger().cost > before.cost, 'nothing came from the cache');
    assert.equal(ours.ledger().requests, 32, 'those that were answered before, too');
  });

  test('ADAPTERS 3 both branches of a forked conversation keep the ages of their common results', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
    const ours = middleware(REMOVE_AT_ONCE);
    await sentBy(ours, commands('Go.', 8));
    t.mock.timers.tick(16 * 60_000);
    for (const way of ['left', 'right', 'left']) {
      assert.equal(oldIn(await sentBy(ours, [...commands('Go.', 8), done(), user(way)])), 3, way);
    }
  });

  test('ADAPTERS 3 beyond maxViews the least recently used conversation is forgotten', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
    const ours = middleware({ ...REMOVE_AT_ONCE, maxViews: 2 });
    for (const task of ['A', 'B', 'C']) await sentBy(ours, commands(task, 8));
    t.mock.timers.tick(16 * 60_000);
    const old = [];
    for (const task of ['C', 'B', 'A'])
      old.push(oldIn(await sentBy(ours, [...commands(task, 8), done(), user('On.')])));
    assert.deepEqual(old, [3, 3, 0]);
  });

  test('ADAPTERS 3 a system prompt with the current time starts no new conversation, and causes no additional summary', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 });
    const ours = middleware(REMOVE_AT_ONCE);
    /** @param {string} name of the conversation that is summarised */
    const compressing = (name) => {
      const config = { maxContextTokens: 3000, autoCompressionSummaryModel: 's', autoCompressionThreshold: 0.6 };
      const llmClient = async () => `## Goal\nTo read.\n## Done\nSummary ${summaries.push(name)}.`;
      return middleware({ price: 'none', fileReads: false, compression: { config, llmClient } });
    };
    /** @type {string[]} */
    const summaries = [];
    const [dated, plain] = [compressing('dated'), compressing('plain')];
    let last = 0;
    for (let count = 1; count <= 24; count++) {
      const system = { role: 'system', content: `It is ${count} o'clock.` };
      const sent = await sentBy(ours, [system, ...commands('Go.', count)]);
      const compressed = await sentBy(dated, [system, ...reads(count).slice(1)]);
      await sentBy(plain, reads(count));
      assert.deepEqual([sent[0], compressed[0]], [system, system]);
      last = oldIn(sent);
      t.mock.timers.tick(6 * 60_000);
    }
    // What is older than fifteen minutes, but for the newest five.
    assert.equal(last, 24 - 5);
    const [ofDated, ofPlain] = ['dated', 'plain'].map((name) => summaries.filter((each) => each === name).length);
    assert.ok(ofPlain && ofDated === ofPlain, `${ofDated} summaries instead of ${ofPlain}`);
  });

  test('ADAPTERS 3 the same first message with a different system prompt is a different conversation', async () => {
    const ours = middleware(REMOVE_AT_ONCE);
    const under = (/** @type {string} */ prompt, /** @type {number} */ count) => [
      { role: 'system', content: prompt },
      ...reads(count).slice(1),
    ];
    await sentBy(ours, under('You write.', 7));
    assert.equal(outputs(await sentBy(ours, under('You review.', 0))).length, 0);
    const placeholders = outputs(await sentBy(ours, under('You write.', 8))).filter((text) => text.length < 100);
    assert.equal(placeholders.length, 3);
  });

  test('R13.3 a usage report counts for its own request and conversation, however late it arrives', async () => {
    const ledgers = [];
    for (const isLate of [false, true]) {
      const ours = middleware({ price: 'anthropic' });
      /** @type {(() => Promise<unknown>)[]} */
      const waiting = [];
      for (const count of [30, 31, 32]) {
        for (const task of ['A', 'B']) {
          const answer = await asked(ours, reads(count, task));
          // Of one conversation nothing comes from the cache, of the other all.
          const report = { inputTokens: { total: 9_000, cacheRead: task === 'A' ? 0 : 8_900 } };
          if (isLate) waiting.push(() => answer(report));
          else await answer(report);
        }
      }
      for (const tell of waiting.reverse()) await tell();
      ledgers.push([...ours.views].map((view) => JSON.stringify(view.ledger(), rounded)));
    }
    assert.deepEqual(ledgers[1], ledgers[0]);
    const [lost, kept] = (ledgers[0] ?? []).map((text) => JSON.parse(text));
    assert.ok(lost.cost > 1.5 * kept.cost, `${lost.cost} and ${kept.cost}`);
  });

  test('R13.3 a missing usage report and a second one for the same request change nothing', async () => {
    const ours = middleware({ price: 'anthropic' });
    await (await asked(ours, reads(30)))(usage(9_000));
    const answer = await asked(ours, reads(31));
    const before = ours.ledger();
    await answer(undefined);
    assert.deepEqual(ours.ledger(), before);
    await answer(usage(9_000));
    const after = ours.ledger();
    assert.notDeepEqual(after, before);
    await answer(usage(90_000));
    assert.deepEqual(ours.ledger(), after);
  });

  test("R13.3 a stream's usage report counts at its end, and an abandoned stream has none", async () => {
    const ours = middleware({ price: 'anthropic' });
    const parts = [
      { type: 'text-delta', delta: 'Yes.' },
      { type: 'finish', usage: usage(9_000) },
    ];
    await sentBy(ours, reads(30));
    const given = await streamed(ours, reads(31), parts);
    assert.deepEqual(given.response, { headers: {} });
    const before = ours.ledger();
    await given.stream.cancel();
    assert.deepEqual(ours.ledger(), before);
    const read = [];
    const { stream } = await streamed(ours, reads(32), parts);
    const { cost } = ours.ledger();
    for await (const part of stream) read.push(part);
    assert.deepEqual(read, parts);
    assert.ok(ours.ledger().cost > cost, 'nothing came from the cache');
  });

  test("R13 the caller receives the provider's error object unchanged", async () => {
    const ours = middleware({ price: 'none' });
    const params = await ours.transformParams?.(/** @type {any} */ ({ params: { prompt: reads(1) } }));
    const error = new Error('overloaded');
    const doGenerate = () => Promise.reject(error);
    await assert.rejects(async () => ours.wrapGenerate?.(/** @type {any} */ ({ params, doGenerate })), error);
  });

  test('R13.4 a request that was aborted before it began rejects with the reason, and changes nothing', async () => {
    const ours = /** @type {any} */ (middleware({ price: 'none' }));
    const abortSignal = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(ours.transformParams({ params: { prompt: reads(7), abortSignal } }), /stopped/);
    assert.equal((await sentBy(ours, reads(2))).length, reads(2).length);
  });
});

describe('options of palimpsest/ai-sdk', () => {
  for (const make of [middleware, prepareStep]) {
    test(`R0.3 ${make.name} throws for invalid options, and accepts undefined, null and an empty object`, () => {
      /** @type {[any, string][]} */
      const wrong = [
        [{ cacheControl: 7 }, 'ERR_INVALID_ARG_TYPE'],
        [{ cacheControl: '2h' }, 'ERR_OUT_OF_RANGE'],
        [{ price: 'cheap' }, 'ERR_OUT_OF_RANGE'],
        [{ maxViews: 0 }, 'ERR_OUT_OF_RANGE'],
        [{ compression: 'on' }, 'ERR_INVALID_ARG_TYPE'],
        ['anthropic', 'ERR_INVALID_ARG_TYPE'],
      ];
      for (const [options, code] of wrong) assert.throws(() => make(options), { code }, JSON.stringify(options));
      for (const options of [undefined, null, {}]) make(/** @type {any} */ (options));
    });
  }
});

describe("breakpoints for Anthropic's cache", () => {
  const isMarked = (/** @type {any} */ message) =>
    message.providerOptions?.anthropic?.cacheControl?.type === 'ephemeral';
  const marksOf = (/** @type {readonly any[]} */ sent) =>
    sent.flatMap((message, at) => (isMarked(message) ? [at] : []));

  test('R10.8 cacheControl sets at most four breakpoints, among them the system prompt and the end, and none on stored messages', async () => {
    const ours = middleware({ cacheControl: true });
    const prompt = reads(7);
    const sent = await sentBy(ours, prompt);
    const marks = marksOf(sent);
    assert.ok(marks.length >= 2 && marks.length <= 4, String(marks));
    assert.ok(marks.includes(0) && marks.includes(prompt.length - 1), String(marks));
    assert.deepEqual(marksOf(await sentBy(middleware(), prompt)), []);
    assert.deepEqual(marksOf(prompt), []);
  });

  test("R10.8 the application's breakpoints stay unchanged and count among the four", async () => {
    const marks = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } }, openai: { store: false } };
    const prompt = reads(7).map((message, at) => (at > 0 && at < 4 ? { ...message, providerOptions: marks } : message));
    const sent = await sentBy(middleware({ cacheControl: true }), prompt);
    assert.ok(sent.slice(1, 4).every(({ providerOptions }) => providerOptions === marks));
    // The system prompt goes without: behind the end stands what is new at the next request.
    assert.deepEqual(marksOf(sent), [1, 2, 3, prompt.length - 1]);
  });

  test('R10.8 prepareStep sets breakpoints, too', async () => {
    const given = await prepareStep({ cacheControl: true })(/** @type {any} */ ({ messages: reads(7), steps: [] }));
    assert.ok(marksOf(/** @type {any} */ (given).messages).length >= 2);
  });
});
