// @ts-check
/** What clients, loggers and listeners do wrong: `process` never rejects, and the array stays as it was. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AutoCompressionManager,
  configuration,
  expandHistory,
  hostileProxy,
  listener,
  managerWith,
  NOW,
  noticeIn,
  OVER,
  processed,
  scripted,
  session,
  summary,
  summaryIn,
  tokensOf,
  WINDOW,
} from '../../support/compression.mjs';

describe('R7.1 process never rejects: clients', () => {
  /** @type {[string, (parameters: any) => any, string][]} */
  const clients = [
    [
      'throws at once',
      () => {
        throw new Error('at once');
      },
      'failed.Error',
    ],
    [
      'throws nothing',
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
    ['gives undefined', () => undefined, 'refused.not_text'],
    ['gives null', () => null, 'refused.not_text'],
    ['gives a number', () => 42, 'refused.not_text'],
    ['gives true', () => true, 'refused.not_text'],
    ['gives an empty object', () => ({}), 'refused.not_text'],
    ['gives an empty completion', () => ({ choices: [] }), 'refused.not_text'],
    ['gives a proxy that throws', hostileProxy, 'failed.Error'],
    [
      'gives a thenable that throws',
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested
        get then() {
          throw new Error('then');
        },
      }),
      'failed.Error',
    ],
    ['gives content of another type', () => ({ content: { text: 'x' } }), 'refused.not_text'],
  ];
  for (const [name, client, figure] of clients) {
    it(`R7.1 a client that ${name} is counted as ${figure} and changes nothing`, async () => {
      const model = Object.assign(client, { calls: [] });
      const { manager, messages, before } = await processed(session(), { model });
      assert.equal(manager.stats()[figure], 1, JSON.stringify(manager.stats()));
      assert.deepEqual(messages, before);
    });
  }

  it('R7.1 a client that never answers is given up after the timeout, and told so', async () => {
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

  it('R7.1 an answer after the timeout is not used', async () => {
    /** @type {(answer: string) => void} */
    let late = () => {};
    const model = scripted(
      () =>
        new Promise((resolve) => {
          late = resolve;
        }),
    );
    const config = configuration({ autoCompressionSummaryTimeoutMs: 60 });
    const { messages, before } = await processed(session(), { config, model });
    late(summary());
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(messages, before);
  });

  it('R7.1 a client that is none is refused when the manager is made', () => {
    for (const client of [undefined, null, {}, { chat: 7 }, 'x']) {
      assert.throws(() => new AutoCompressionManager(configuration(), client), { code: 'ERR_INVALID_ARG_TYPE' });
    }
    class OpenAI {}
    assert.throws(() => new AutoCompressionManager(configuration(), OpenAI), /got a class: is `new` missing\?$/);
  });
});

describe('R7.1 process never rejects: loggers and listeners', () => {
  const fail = () => {
    throw new Error('the log is full');
  };

  it('R7.1 a logger that throws changes nothing about the compression', async () => {
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const { messages, before } = await processed(session(), { logger });
    assert.ok(summaryIn(messages));
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.1 a logger without methods, or with getters that throw, does no harm', async () => {
    for (const logger of [{}, () => {}, hostileProxy()]) {
      assert.ok(summaryIn((await processed(session(), { logger })).messages));
    }
  });

  it('R7.1 a listener that throws keeps neither the others nor the log from hearing', async () => {
    const log = listener();
    const { manager, events } = managerWith({ logger: log });
    manager.onEvent(fail);
    /** @type {any[]} */
    const last = [];
    manager.onEvent((/** @type {any} */ event) => last.push(event));
    await manager.process(session(), { now: NOW });
    assert.deepEqual(last, events);
    assert.equal(log.heard.length, events.length);
  });

  it('R7.1 a pin that throws pins nothing', async () => {
    const { messages } = await processed(session(), { options: { pin: fail } });
    assert.ok(summaryIn(messages));
  });

  it('R7.1 tools that throw when asked for are not counted', async () => {
    const { messages } = await processed(session(), { options: { tools: fail } });
    assert.ok(summaryIn(messages));
  });

  it('R7.1 whatever fails, the hard limit holds', async () => {
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const options = { pin: fail, tools: fail, onEvent: fail };
    const { messages } = await processed(session(OVER), { model: scripted(fail), logger, options });
    assert.ok(noticeIn(messages));
    assert.ok(tokensOf(messages) <= WINDOW * 0.95);
  });
});
