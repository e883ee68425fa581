// @ts-check
/** Functions of the application that reject or are async where the package expects a synchronous one. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { runWithProgress, setLogger, simplifyToolResults } from 'palimpsest';
import { AutoCompressionManager, configuration, NOW, scripted, session, summary } from '../support/compression.mjs';

/** @type {unknown[]} */
const unhandled = [];
const collect = (/** @type {unknown} */ reason) => void unhandled.push(reason);
before(() => process.on('unhandledRejection', collect));
after(() => process.off('unhandledRejection', collect));

const failing = async () => {
  throw new Error('the application’s function failed');
};

/** Counts unhandled rejections of `work`, once the microtasks have run. @param {() => unknown} work */
async function unhandledRejectionsOf(work) {
  unhandled.length = 0;
  await work();
  await setImmediate();
  return unhandled.length;
}

const logger = { debug: failing, info: failing, warn: failing, error: failing };

/** @param {any} options @param {any} [managerLogger] */
const compressWith =
  (options, managerLogger = null) =>
  async () => {
    const messages = session();
    const { length } = messages;
    const manager = new AutoCompressionManager(configuration(), scripted(summary()), managerLogger, options);
    await manager.process(messages, { now: NOW });
    assert.ok(messages.length < length, 'the messages were compressed');
  };

describe('R0.3 a rejecting callback whose promise nobody awaits does not end the process', () => {
  it('the logger and the onEvent listener of a manager may reject', async () => {
    assert.equal(await unhandledRejectionsOf(compressWith({}, logger)), 0);
    assert.equal(await unhandledRejectionsOf(compressWith({ onEvent: failing })), 0);
  });

  it('the logger of setLogger may reject', async () => {
    setLogger(logger);
    try {
      assert.equal(await unhandledRejectionsOf(compressWith({})), 0);
      const rule = { name: 'r', tools: ['t'], placeholder: 'p', keepRecent: 0, maxAgeMs: 0 };
      assert.equal(await unhandledRejectionsOf(() => simplifyToolResults([], [rule], { now: NOW })), 0);
    } finally {
      setLogger(null);
    }
  });

  it('in runWithProgress, emit may reject, and the work may abort its own signal and throw', async () => {
    const stages = [{ stage: 's', progress: 5, message: 'm' }];
    const emitRejects = () => runWithProgress({ tool: 't', emit: failing, stages }, async () => 1);
    assert.equal(await unhandledRejectionsOf(emitRejects), 0);
    const controller = new AbortController();
    const workAborts = () =>
      assert.rejects(
        runWithProgress({ tool: 't', emit() {}, stages, signal: controller.signal }, () => {
          controller.abort(new Error('stop'));
          throw new Error('stopped');
        }),
        { message: 'stopped' },
      );
    assert.equal(await unhandledRejectionsOf(workAborts), 0);
  });

  it('a promise that the options tools or pin return is ignored, even if it rejects', async () => {
    assert.equal(await unhandledRejectionsOf(compressWith({ tools: () => failing() })), 0);
    assert.equal(await unhandledRejectionsOf(compressWith({ pin: () => failing() })), 0);
  });

  it('an async function as pin or tools is refused with a TypeError', () => {
    for (const options of [{ pin: failing }, { tools: failing }]) {
      const make = () => new AutoCompressionManager(configuration(), scripted(), null, /** @type {any} */ (options));
      assert.throws(make, { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
    }
  });
});
