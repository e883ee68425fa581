// @ts-check
/** An `AbortSignal` ends a request of `HttpLlmClient` in each of its phases. */
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

describe('HttpLlmClient with an abort signal', () => {
  const reason = new Error('the user pressed escape');

  it('sends nothing if `signal` or `abortSignal` is already aborted', async () => {
    await withServer([faults.completion('hi')], async (server) => {
      for (const name of ['signal', 'abortSignal']) {
        const error = await rejection(clientOf(server).chat({ ...question, [name]: AbortSignal.abort(reason) }));
        assertAborted(error, reason);
      }
      assert.equal(server.requests.length, 0);
    });
  });

  for (const [when, fault] of /** @type {const} */ ([
    ['while it waits for the response', faults.hang()],
    ['while the response body stalls', faults.hangInBody()],
    ['while the response body arrives slowly', faults.drip(2)],
  ])) {
    it(`rejects when aborted ${when}, and closes the connection`, async () => {
      await withServer([fault], async (server) => {
        const controller = new AbortController();
        const rejected = rejection(clientOf(server).chat({ ...question, signal: controller.signal }));
        await server.received(1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        controller.abort(reason);
        assertAborted(await rejected, reason);
        await server.requests[0]?.closed;
        assert.equal(server.requests.length, 1, 'the request was repeated');
      });
    });
  }

  it('rejects when aborted between two attempts', async () => {
    await withServer([faults.status(503)], async (server) => {
      const controller = new AbortController();
      const client = clientOf(server, { maxRetryDelayMs: 60_000 });
      const rejected = rejection(client.chat({ ...question, signal: controller.signal }));
      await server.received(1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.abort(reason);
      assertAborted(await rejected, reason);
      assert.equal(server.requests.length, 1);
    });
  });

  it('rejects when aborted while it connects, and closes the socket', async () => {
    const mute = net.createServer(() => {}).listen(0, '127.0.0.1');
    const connected = once(mute, 'connection');
    await once(mute, 'listening');
    const { port } = /** @type {net.AddressInfo} */ (mute.address());
    const client = new HttpLlmClient({ baseUrl: `https://127.0.0.1:${port}`, proxy: false });
    const controller = new AbortController();
    const rejected = rejection(client.chat({ ...question, signal: controller.signal }));
    const [socket] = await connected;
    socket.on('error', () => {});
    controller.abort(reason);
    assertAborted(await rejected, reason);
    mute.close();
    // Only the client closes this socket.
    socket.resume();
    if (!socket.closed) await once(socket, 'close');
  });

  it('rejects with the TimeoutError of AbortSignal.timeout as its cause', async () => {
    await withServer([faults.hang()], async (server) => {
      const error = await rejection(clientOf(server).chat({ ...question, signal: AbortSignal.timeout(20) }));
      assert.deepEqual([error.name, error.cause.name], ['AbortError', 'TimeoutError']);
    });
  });

  it('removes its listener from the signal after the response', async () => {
    await withServer([faults.completion('hi')], async (server) => {
      const controller = new AbortController();
      const { signal } = controller;
      await clientOf(server).chat({ ...question, signal });
      assert.equal(getEventListeners(signal, 'abort').length, 0);
      controller.abort(reason);
    });
  });

  it('aborts only the request that has the signal', async () => {
    const script = (/** @type {any} */ { json }) => (json.model === 'slow' ? faults.hang() : faults.completion('hi'));
    await withServer(script, async (server) => {
      const client = clientOf(server);
      const controller = new AbortController();
      const rejected = rejection(client.chat({ ...question, model: 'slow', signal: controller.signal }));
      await server.received(1);
      const otherReply = client.chat(question);
      controller.abort(reason);
      assertAborted(await rejected, reason);
      assert.equal((await otherReply).content, 'hi');
    });
  });
});
