// @ts-check
/** Clients, loggers, listeners and functions among the options that fail: `process` never rejects. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AutoCompressionManager,
  configuration,
  expandHistory,
  hostileProxy,
  managerWith,
  NOW,
  noticeIn,
  OVER,
  processed,
  recordingLogger,
  scripted,
  session,
  summary,
  summaryIn,
  tokensOf,
  WINDOW,
} from '../../support/compression.mjs';

describe('R7.1 process with a client that fails', () => {
  /** @type {[string, (parameters: any) => any, string][]} */
  const clients = [
    [
      'throws synchronously',
      () => {
        throw new Error('at once');
      },
      'failed.Error',
    ],
    [
      'throws undefined',
      () => {
        throw undefined;
      },
      'failed.error',
    ],
    [
      'throws a proxy',
      () => {
        throw hostileProxy();
      },
      'failed.error',
    ],
    ['rejects', () => Promise.reject(new TypeError('later')), 'failed.TypeError'],
    [
      'rejects with a code',
      () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNRESET' })),
      'failed.ECONNRESET',
    ],
    ['returns undefined', () => undefined, 'refused.not_text'],
    ['returns null', () => null, 'refused.not_text'],
    ['returns a number', () => 42, 'refused.not_text'],
    ['returns true', () => true, 'refused.not_text'],
    ['returns an empty object', () => ({}), 'refused.not_text'],
    ['returns an empty completion', () => ({ choices: [] }), 'refused.not_text'],
    ['returns a proxy that throws', hostileProxy, 'failed.Error'],
    [
      'returns a thenable that throws',
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested
        get then() {
          throw new Error('then');
        },
      }),
      'failed.Error',
    ],
    ['returns content of another type', () => ({ content: { text: 'x' } }), 'refused.not_text'],
  ];
  for (const [name, client, figure] of clients) {
    it(`R7.1 a client that ${name} is counted in stats as ${figure}, and the array is unchanged`, async () => {
      const model = Object.assign(client, { calls: [] });
      const { manager, messages, before } = await processed(session(), { model });
      assert.equal(manager.stats()[figure], 1, JSON.stringify(manager.stats()));
      assert.deepEqual(messages, before);
    });
  }

  it('R7.1 after autoCompressionSummaryTimeoutMs the signal of a pending call is aborted, and the array is unchanged', async () => {
    /** @type {AbortSignal | undefined} */
    let signal;
    const model = scripted((/** @type {any} */ parameters) => {
      signal = parameters.signal;
      return new Promise(() => {});
    });
    const config = configuration({ autoCompressionSummaryTimeoutMs: 80 });
    const { manager, messages, before } = await processed(session(), { config, model });
    assert.equal(manager.stats()['failed.timeout'], 1);
    assert.equal(signal?.aborted, true);
    assert.deepEqual(messages, before);
  });

  it('R7.1 an answer after the timeout is ignored', async () => {
    /** @type {(answer: string) => void} */
    let answer = () => {};
    const model = scripted(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const config = configuration({ autoCompressionSummaryTimeoutMs: 60 });
    const { messages, before } = await processed(session(), { config, model });
    answer(summary());
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(messages, before);
  });

  it('R0.3 the constructor refuses a client that is no function and has neither chat nor call', () => {
    for (const client of [undefined, null, {}, { chat: 7 }, 'x']) {
      assert.throws(() => new AutoCompressionManager(configuration(), client), { code: 'ERR_INVALID_ARG_TYPE' });
    }
    class OpenAI {}
    assert.throws(() => new AutoCompressionManager(configuration(), OpenAI), /got a class: is `new` missing\?$/);
  });
});

describe('R7.1 process with loggers, listeners and options that fail', () => {
  const fail = () => {
    throw new Error('the log is full');
  };

  it("R7.1 a logger that throws doesn't prevent the compression", async () => {
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const { messages, before } = await processed(session(), { logger });
    assert.ok(summaryIn(messages));
    assert.deepEqual(expandHistory(messages), before);
  });

  it("R7.1 a logger without methods or with getters that throw doesn't prevent the compression", async () => {
    for (const logger of [{}, () => {}, hostileProxy()]) {
      assert.ok(summaryIn((await processed(session(), { logger })).messages));
    }
  });

  it('R7.1 if a listener throws, the other listeners and the logger still get each event', async () => {
    const log = recordingLogger();
    const { manager, events } = managerWith({ logger: log });
    manager.onEvent(fail);
    /** @type {any[]} */
    const eventsOfLast = [];
    manager.onEvent((/** @type {any} */ event) => eventsOfLast.push(event));
    await manager.process(session(), { now: NOW });
    assert.deepEqual(eventsOfLast, events);
    assert.equal(log.entries.length, events.length);
  });

  it("R7.1 an option pin that throws doesn't prevent the compression", async () => {
    const { messages } = await processed(session(), { options: { pin: fail } });
    assert.ok(summaryIn(messages));
  });

  it("R7.1 an option tools that throws doesn't prevent the compression", async () => {
    const { messages } = await processed(session(), { options: { tools: fail } });
    assert.ok(summaryIn(messages));
  });

  it('R7.11 history is cut below the hard limit even if model, logger, pin, tools and onEvent all throw', async () => {
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const options = { pin: fail, tools: fail, onEvent: fail };
    const { messages } = await processed(session(OVER), { model: scripted(fail), logger, options });
    assert.ok(noticeIn(messages));
    assert.ok(tokensOf(messages) <= WINDOW * 0.95);
  });
});
