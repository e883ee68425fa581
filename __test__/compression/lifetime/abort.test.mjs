// @ts-check
/** The host gives up: before, while and after the model writes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  configuration,
  managerWith,
  NOW,
  OVER,
  scripted,
  session,
  summary,
  summaryIn,
  tokensOf,
  WINDOW,
  waiting,
} from '../../support/compression.mjs';

describe('R7.1 abort', () => {
  it('R7.1 before anything: nothing is asked, nothing changes', async () => {
    const { manager, calls, events } = managerWith();
    const messages = session(OVER);
    await manager.process(messages, { signal: AbortSignal.abort() });
    assert.equal(calls.length, 0);
    assert.deepEqual(messages, session(OVER));
    assert.deepEqual(events, []);
  });

  it('R7.1 while the model writes: the call is told, process ends at once, nothing changes', async () => {
    const { model, asked, calls } = waiting();
    const { manager, types } = managerWith({ model });
    const controller = new AbortController();
    const messages = session(OVER);
    const done = manager.process(messages, { signal: controller.signal });
    await asked;
    const reason = new Error('the user pressed escape');
    controller.abort(reason);
    await done;
    assert.equal(calls[0].signal.aborted, true);
    assert.equal(calls[0].signal.reason, reason);
    assert.deepEqual(messages, session(OVER), 'not even cut');
    assert.equal(manager.stats().aborted, 1);
    assert.ok(types().includes('aborted'));
  });

  it('R7.1 at the moment of the answer: nothing is applied', async () => {
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

  it('R7.1 during a repair: nothing is applied', async () => {
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

  it('R7.1 a client that rejects when it is told does no harm', async () => {
    const controller = new AbortController();
    const model = scripted(({ signal }) => {
      const told = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      controller.abort();
      return told;
    });
    const { manager } = managerWith({ model });
    const messages = session();
    await manager.process(messages, { signal: controller.signal });
    assert.deepEqual([manager.stats().aborted, manager.stats().failed], [1, 0]);
  });

  it('R7.10 what was aborted is not a failure: it can be tried again at once, however often', async () => {
    const { manager, calls } = managerWith({ model: scripted(() => new Promise(() => {})) });
    for (let round = 0; round < 5; round++) {
      const controller = new AbortController();
      const done = manager.process(session(), { signal: controller.signal, now: NOW });
      while (calls.length <= round) await turn();
      controller.abort();
      await done;
    }
    assert.equal(manager.stats().breakerOpened, 0);
    assert.equal(manager.stats().aborted, 5);
  });

  it('R7.12 compress says that it was aborted', async () => {
    const { manager } = managerWith();
    const result = await manager.compress(session(), { signal: AbortSignal.abort() });
    assert.deepEqual([result.compressed, result.reason], [false, 'aborted']);
  });

  it('R7.9 who joined a call that is aborted is still kept under the hard limit', async () => {
    const { model, asked, release } = waiting('');
    const { manager } = managerWith({ model });
    const controller = new AbortController();
    const messages = session(OVER);
    const first = manager.process(messages, { signal: controller.signal });
    await asked;
    const joined = manager.process(messages);
    controller.abort();
    release();
    await first;
    await joined;
    assert.ok(tokensOf(messages) <= WINDOW * 0.95, `${tokensOf(messages)}`);
  });

  it('R7.9 who joined a call can give up by itself, and the call goes on', async () => {
    const { model, asked, release, calls } = waiting();
    const { manager } = managerWith({ model });
    const controller = new AbortController();
    const messages = session();
    const first = manager.process(messages);
    await asked;
    let isOver = false;
    const joined = manager.process(messages, { signal: controller.signal }).then(() => {
      isOver = true;
    });
    controller.abort();
    for (let at = 0; at < 5; at++) await turn();
    const wasOver = isOver;
    release();
    await Promise.all([first, joined]);
    assert.equal(calls[0].signal.aborted, true, 'only when it is over');
    assert.ok(summaryIn(messages));
    assert.ok(wasOver, 'it waited for the call of somebody else');
  });

  it('R7.1 no listener is left on the signal', async () => {
    const { signal } = new AbortController();
    let listening = 0;
    const counted = Object.assign(Object.create(signal), {
      addEventListener: () => void listening++,
      removeEventListener: () => void listening--,
    });
    Object.defineProperty(counted, 'aborted', { value: false });
    const { manager } = managerWith({ config: configuration() });
    for (const messages of [session(), session()]) await manager.process(messages, { signal: counted });
    assert.equal(listening, 0);
  });
});
