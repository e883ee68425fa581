// @ts-check
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { runWithProgress, setLogger, simplifyToolResults } from 'palimpsest';
import { AutoCompressionManager, configuration, NOW, scripted, session, summary } from '../support/compression.mjs';

/** @type {unknown[]} */
const unhandled = [];
const hear = (/** @type {unknown} */ reason) => void unhandled.push(reason);
before(() => process.on('unhandledRejection', hear));
after(() => process.off('unhandledRejection', hear));

const failing = async () => {
  throw new Error('the host’s own function failed');
};

/** What is left unhandled by `work`, which is told of when the microtasks have run. @param {() => unknown} work */
async function leaves(work) {
  unhandled.length = 0;
  await work();
  await setImmediate();
  return unhandled.length;
}

const logger = { debug: failing, info: failing, warn: failing, error: failing };

/** @param {Record<string, unknown>} options @param {unknown} [own] a logger */
const processed =
  (options, own = null) =>
  async () => {
    const messages = session();
    const { length } = messages;
    const any = /** @type {any} */ (own);
    const manager = new AutoCompressionManager(configuration(), scripted(summary()), any, /** @type {any} */ (options));
    await manager.process(messages, { now: NOW });
    assert.ok(messages.length < length, 'it was compressed');
  };

describe('R9 an asynchronous function where nobody waits does not end the host’s process', () => {
  it('a manager’s logger, and who listens to it', async () => {
    assert.equal(await leaves(processed({}, logger)), 0);
    assert.equal(await leaves(processed({ onEvent: failing })), 0);
  });

  it('the package’s logger', async () => {
    setLogger(logger);
    try {
      assert.equal(await leaves(processed({})), 0);
      const rule = { name: 'r', tools: ['t'], placeholder: 'p', keepRecent: 0, maxAgeMs: 0 };
      assert.equal(await leaves(() => simplifyToolResults([], [rule], { now: NOW })), 0);
    } finally {
      setLogger(null);
    }
  });

  it('a display of progress, and work that aborts its own signal and throws', async () => {
    const stages = [{ stage: 's', progress: 5, message: 'm' }];
    const shown = () => runWithProgress({ tool: 't', emit: failing, stages }, async () => 1);
    assert.equal(await leaves(shown), 0);
    const controller = new AbortController();
    const stopped = () =>
      assert.rejects(
        runWithProgress({ tool: 't', emit() {}, stages, signal: controller.signal }, () => {
          controller.abort(new Error('stop'));
          throw new Error('stopped');
        }),
        { message: 'stopped' },
      );
    assert.equal(await leaves(stopped), 0);
  });

  it('a function of tools, or of what to pin, that gives a promise has given nothing', async () => {
    assert.equal(await leaves(processed({ tools: () => failing() })), 0);
    assert.equal(await leaves(processed({ pin: () => failing() })), 0);
  });

  it('one that is declared async is a wrong argument', () => {
    for (const options of [{ pin: failing }, { tools: failing }]) {
      const make = () => new AutoCompressionManager(configuration(), scripted(), null, /** @type {any} */ (options));
      assert.throws(make, { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
    }
  });
});
