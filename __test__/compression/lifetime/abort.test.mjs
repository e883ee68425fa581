// @ts-check
/** The option `signal` of process and compress, aborted before, during and after the request for a summary. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  configuration,
  managerWith,
  NOW,
  OVER,
  pendingModel,
  scripted,
  session,
  summary,
  summaryIn,
  tokensOf,
  WINDOW,
} from '../../support/compression.mjs';

describe('R7.1 abort', () => {
  it('R7.1 process with an aborted signal calls no model, changes nothing and has no events', async () => {
    const { manager, calls, events } = managerWith();
    const messages = session(OVER);
    await manager.process(messages, { signal: AbortSignal.abort() });
    assert.equal(calls.length, 0);
    assert.deepEqual(messages, session(OVER));
    assert.deepEqual(events, []);
  });

  it('R7.1 an abort during the request reaches its signal, and process resolves without a change or a cut', async () => {
    const { model, requested, calls } = pendingModel();
    const { manager, types } = managerWith({ model });
    const controller = new AbortController();
    const messages = session(OVER);
    const done = manager.process(messages, { signal: controller.signal });
    await requested;
    const reason = new Error('the user pressed escape');
    controller.abort(reason);
    await done;
    assert.equal(calls[0].signal.aborted, true);
    assert.equal(calls[0].signal.reason, reason);
    assert.deepEqual(messages, session(OVER), 'not even cut');
    assert.equal(manager.stats().aborted, 1);
    assert.ok(types().includes('aborted'));
  });

  it('R7.1 an answer is ignored if the signal is aborted when it arrives', async () => {
    const controller = new AbortController();
    const model = scripted(() => {
      controller.abort();
      return summary();
    });
    const { manager } = managerWith({ model });
    const messages = session(OVER);
    await manager.process(messages, { signal: controller.signal });
    assert.deepEqual(messages, session(OVER));
  });

  it('R7.1 an abort during the request for missing sections changes nothing', async () => {
    const controller = new AbortController();
    const model = scripted('## Goal\nfix it', () => {
      controller.abort();
      return new Promise(() => {});
    });
    const { manager, calls } = managerWith({ model });
    const messages = session();
    await manager.process(messages, { signal: controller.signal });
    assert.equal(calls.length, 2);
    assert.deepEqual(messages, session());
  });

  it('R7.1 a client that rejects because of the abort counts as aborted, not as failed', async () => {
    const controller = new AbortController();
    const model = scripted(({ signal }) => {
      const rejected = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      controller.abort();
      return rejected;
    });
    const { manager } = managerWith({ model });
    const messages = session();
    await manager.process(messages, { signal: controller.signal });
    assert.deepEqual([manager.stats().aborted, manager.stats().failed], [1, 0]);
  });

  it("R7.10 five aborted compressions don't open the breaker", async () => {
    const { manager, calls } = managerWith({ model: scripted(() => new Promise(() => {})) });
    for (let round = 0; round < 5; round++) {
      const controller = new AbortController();
      const done = manager.process(session(), { signal: controller.signal, now: NOW });
      while (calls.length <= round) await nextTick();
      controller.abort();
      await done;
    }
    assert.equal(manager.stats().breakerOpened, 0);
    assert.equal(manager.stats().aborted, 5);
  });

  it('R7.12 compress with an aborted signal returns the reason aborted', async () => {
    const { manager } = managerWith();
    const result = await manager.compress(session(), { signal: AbortSignal.abort() });
    assert.deepEqual([result.compressed, result.reason], [false, 'aborted']);
  });

  it('R7.9 if the first of two process calls is aborted, the second still cuts below the hard limit', async () => {
    const { model, requested, release } = pendingModel('');
    const { manager } = managerWith({ model });
    const controller = new AbortController();
    const messages = session(OVER);
    const first = manager.process(messages, { signal: controller.signal });
    await requested;
    const second = manager.process(messages);
    controller.abort();
    release();
    await first;
    await second;
    assert.ok(tokensOf(messages) <= WINDOW * 0.95, `${tokensOf(messages)}`);
  });

  it('R7.9 if the second of two process calls is aborted, it resolves at once and the first completes', async () => {
    const { model, requested, release, calls } = pendingModel();
    const { manager } = managerWith({ model });
    const controller = new AbortController();
    const messages = session();
    const first = manager.process(messages);
    await requested;
    let isResolved = false;
    const second = manager.process(messages, { signal: controller.signal }).then(() => {
      isResolved = true;
    });
    controller.abort();
    for (let at = 0; at < 5; at++) await nextTick();
    const wasResolved = isResolved;
    release();
    await Promise.all([first, second]);
    assert.equal(calls[0].signal.aborted, true);
    assert.ok(summaryIn(messages));
    assert.ok(wasResolved, 'the aborted call waited for the first one');
  });

  it('R7.1 process removes its listeners from the signal', async () => {
    const { signal } = new AbortController();
    let listenerCount = 0;
    const counted = Object.assign(Object.create(signal), {
      addEventListener: () => void listenerCount++,
      removeEventListener: () => void listenerCount--,
    });
    Object.defineProperty(counted, 'aborted', { value: false });
    const { manager } = managerWith({ config: configuration() });
    for (const messages of [session(), session()]) await manager.process(messages, { signal: counted });
    assert.equal(listenerCount, 0);
  });
});
