// @ts-check
import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { HttpLlmClient } from 'palimpsest';
import * as faults from '../support/fault-server.mjs';
import { clientOf, question, rejection, withServer } from '../support/http-llm.mjs';

/** @param {any} error @param {unknown} reason */
function assertAborted(error, reason) {
  assert.deepEqual([error.name, error.code], ['AbortError', 'ABORT_ERR']);
  assert.equal(error.cause, reason);
  assert.ok(error instanceof Error);
}

describe('R7.2 an abort signal ends a request', () => {
  const reason = new Error('the user pressed escape');

  it('before it begins, by either name of the signal: nothing is sent', async () => {
    await withServer([faults.completion('hi')], async (server) => {
      for (const name of ['signal', 'abortSignal']) {
        const error = await rejection(clientOf(server).chat({ ...question, [name]: AbortSignal.abort(reason) }));
        assertAborted(error, reason);
      }
      assert.equal(server.requests.length, 0);
    });
  });

  for (const [when, fault] of /** @type {const} */ ([
    ['while it waits for an answer', faults.hang()],
    ['inside an answer', faults.hangInBody()],
    ['inside one that drips', faults.drip(2)],
  ])) {
    it(`${when}, and its connection is closed`, async () => {
      await withServer([fault], async (server) => {
        const controller = new AbortController();
        const asked = rejection(clientOf(server).chat({ ...question, signal: controller.signal }));
        await server.received(1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        controller.abort(reason);
        assertAborted(await asked, reason);
        await server.requests[0]?.closed;
        assert.equal(server.requests.length, 1, 'asked again');
      });
    });
  }

  it('between two attempts', async () => {
    await withServer([faults.status(503)], async (server) => {
      const controller = new AbortController();
      const client = clientOf(server, { maxRetryDelayMs: 60_000 });
      const asked = rejection(client.chat({ ...question, signal: controller.signal }));
      await server.received(1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.abort(reason);
      assertAborted(await asked, reason);
      assert.equal(server.requests.length, 1);
    });
  });

  it('while it connects', async () => {
    const mute = net.createServer(() => {}).listen(0, '127.0.0.1');
    const greeted = once(mute, 'connection');
    await once(mute, 'listening');
    const { port } = /** @type {net.AddressInfo} */ (mute.address());
    const client = new HttpLlmClient({ baseUrl: `https://127.0.0.1:${port}`, proxy: false });
    const controller = new AbortController();
    const asked = rejection(client.chat({ ...question, signal: controller.signal }));
    const [socket] = await greeted;
    socket.on('error', () => {});
    controller.abort(reason);
    assertAborted(await asked, reason);
    mute.close();
    // Ends when the client lets go of the socket, since nobody else does.
    socket.resume();
    if (!socket.closed) await once(socket, 'close');
  });

  it('and a timeout’s signal says so in its cause', async () => {
    await withServer([faults.hang()], async (server) => {
      const error = await rejection(clientOf(server).chat({ ...question, signal: AbortSignal.timeout(20) }));
      assert.deepEqual([error.name, error.cause.name], ['AbortError', 'TimeoutError']);
    });
  });

  it('after the answer does nothing, and the signal is let go', async () => {
    await withServer([faults.completion('hi')], async (server) => {
      const controller = new AbortController();
      const { signal } = controller;
      await clientOf(server).chat({ ...question, signal });
      assert.equal(getEventListeners(signal, 'abort').length, 0);
      controller.abort(reason);
    });
  });

  it('of one request leaves the others alone', async () => {
    const script = (/** @type {any} */ { json }) => (json.model === 'slow' ? faults.hang() : faults.completion('hi'));
    await withServer(script, async (server) => {
      const client = clientOf(server);
      const controller = new AbortController();
      const asked = rejection(client.chat({ ...question, model: 'slow', signal: controller.signal }));
      await server.received(1);
      const other = client.chat(question);
      controller.abort(reason);
      assertAborted(await asked, reason);
      assert.equal((await other).content, 'hi');
    });
  });
});
