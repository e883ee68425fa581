// @ts-check
/** Streamed responses: slow, broken and aborted ones end as they would without the gateway. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { KINDS, send, startGateway, startUpstream } from '../support/gateway.mjs';

const body = JSON.stringify(KINDS.anthropic.body(1));

/** Sends a request whose errors are ignored. @param {string} url */
function startRequest(url) {
  const request = http.request(url, { method: 'POST', agent: false });
  request.on('error', () => {});
  request.end(body);
  return request;
}

/** Sends a request, and resolves when its response begins. @param {string} url */
async function startResponse(url) {
  const request = startRequest(url);
  const [answer] = /** @type {[http.IncomingMessage]} */ (await once(request, 'response'));
  return { request, answer };
}

describe('streams through the gateway', () => {
  test('a stream arrives chunk by chunk, with its headers before the first chunk', async (t) => {
    /** @type {http.ServerResponse | undefined} */ let sending;
    const upstream = await startUpstream(t, (_, response) => {
      sending = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const { answer } = await startResponse(`${urls.anthropic}/v1/messages`);
    assert.equal(answer.headers['content-type'], 'text/event-stream');
    for (const event of ['event: ping\ndata: {}\n\n', 'data: half', ' a line\n\n']) {
      sending?.write(event);
      const [chunk] = await once(answer, 'data');
      assert.equal(String(chunk), event);
    }
    sending?.end();
    await once(answer, 'end');
    assert.ok(answer.complete);
  });

  test('a stream that the client aborts is aborted upstream within 50 ms', async (t) => {
    const closedAtMs = withResolvers();
    const upstream = await startUpstream(t, (_, response) => {
      response.once('close', () => closedAtMs.resolve(performance.now()));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\n\n');
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const { request, answer } = await startResponse(`${urls.anthropic}/v1/messages`);
    await once(answer, 'data');
    const startMs = performance.now();
    request.destroy();
    assert.ok(Number(await closedAtMs.promise) - startMs < 50);
  });

  test('a request that the client aborts before the response is aborted upstream', async (t) => {
    const closed = withResolvers();
    const upstream = await startUpstream(t, (_, response) => {
      closed.resolve(once(response, 'close'));
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const request = startRequest(`${urls.anthropic}/v1/messages`);
    while (upstream.received.length === 0) await sleep(5);
    request.destroy();
    await closed.promise;
  });

  test('a stream that breaks upstream breaks for the client, and is never complete', async (t) => {
    const upstream = await startUpstream(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\n\n');
      setTimeout(() => response.destroy(), 20);
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const { answer } = await startResponse(`${urls.anthropic}/v1/messages`);
    const [error] = await Promise.race([once(answer.resume(), 'error'), once(answer, 'end').then(() => [undefined])]);
    assert.match(String(error), /aborted|ECONNRESET/);
    assert.equal(answer.complete, false);
  });

  test('a response that takes 300 ms to begin arrives', async (t) => {
    const upstream = await startUpstream(t, async (_, response) => {
      await sleep(300);
      response.end('late');
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    assert.equal(String((await send(`${urls.anthropic}/v1/messages`, { body })).body), 'late');
  });
});

describe('an unreachable upstream', () => {
  test('the response is 502 with the error’s code, and without content of the request', async (t) => {
    const closedServer = net.createServer().listen(0, '127.0.0.1');
    await once(closedServer, 'listening');
    const { port } = /** @type {net.AddressInfo} */ (closedServer.address());
    closedServer.close();
    const { urls } = await startGateway(t, { upstream: `http://127.0.0.1:${port}` });
    const answer = await send(`${urls.anthropic}/v1/messages`, { body, headers: { 'x-api-key': 'sk-secret' } });
    assert.equal(answer.status, 502);
    assert.match(String(answer.body), /ECONNREFUSED/);
    assert.doesNotMatch(String(answer.body), /secret|Make the checks/);
  });

  test('no request fails when the upstream closes kept connections', async (t) => {
    let isFirst = true;
    const upstream = await startUpstream(t, (request, response) => {
      if (isFirst) setTimeout(() => request.socket.destroy(), 30);
      isFirst = false;
      response.end('{}');
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    await send(`${urls.anthropic}/v1/messages`, { body });
    await sleep(29);
    for (let again = 0; again < 5; again++) {
      assert.equal((await send(`${urls.anthropic}/v1/messages`, { body })).status, 200);
    }
  });
});

/** `Promise.withResolvers`, which the oldest supported Node.js lacks. */
function withResolvers() {
  /** @type {(value?: unknown) => void} */ let resolve = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
