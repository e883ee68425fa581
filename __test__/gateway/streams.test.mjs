// @ts-check
/** Streams, and ends of streams: slow, broken and aborted ones end as they would without the gateway. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { KINDS, send, startGateway, startUpstream } from '../support/gateway.mjs';

const body = JSON.stringify(KINDS.anthropic.body(1));

/** Asks, and gives the answer as soon as it begins. @param {string} url */
async function begun(url) {
  const asked = http.request(url, { method: 'POST', agent: false });
  asked.on('error', () => {});
  asked.end(body);
  const [answer] = /** @type {[http.IncomingMessage]} */ (await once(asked, 'response'));
  return { asked, answer };
}

describe('streams', () => {
  test('arrive chunk by chunk, the headers before the first of them', async (t) => {
    /** @type {http.ServerResponse | undefined} */ let sending;
    const upstream = await startUpstream(t, (_, response) => {
      sending = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const { answer } = await begun(`${urls.anthropic}/v1/messages`);
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

  test('that the client aborts are aborted upstream within 50 ms', async (t) => {
    /** @type {(atMs: number) => void} */ let closed = () => {};
    const closing = new Promise((resolve) => {
      closed = resolve;
    });
    const upstream = await startUpstream(t, (_, response) => {
      response.once('close', () => closed(performance.now()));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\n\n');
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const { asked, answer } = await begun(`${urls.anthropic}/v1/messages`);
    await once(answer, 'data');
    const startMs = performance.now();
    asked.destroy();
    assert.ok((await closing) - startMs < 50);
  });

  test('that the client aborts before there is an answer are aborted upstream, too', async (t) => {
    const waiting = withResolvers();
    const upstream = await startUpstream(t, (_, response) => {
      waiting.resolve(once(response, 'close'));
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const asked = http.request(`${urls.anthropic}/v1/messages`, { method: 'POST', agent: false });
    asked.on('error', () => {});
    asked.end(body);
    while (upstream.received.length === 0) await sleep(5);
    asked.destroy();
    await waiting.promise;
  });

  test('that break upstream are broken for the client: they never look whole', async (t) => {
    const upstream = await startUpstream(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\n\n');
      setTimeout(() => response.destroy(), 20);
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const { answer } = await begun(`${urls.anthropic}/v1/messages`);
    const [error] = await Promise.race([once(answer.resume(), 'error'), once(answer, 'end').then(() => [undefined])]);
    assert.match(String(error), /aborted|ECONNRESET/);
    assert.equal(answer.complete, false);
  });

  test('of a slow upstream wait as long as it does', async (t) => {
    const upstream = await startUpstream(t, async (_, response) => {
      await sleep(300);
      response.end('late');
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    assert.equal(String((await send(`${urls.anthropic}/v1/messages`, { body })).body), 'late');
  });
});

describe('an upstream that is not there', () => {
  test('is said with its error’s code, and nothing of the request', async (t) => {
    const gone = net.createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = /** @type {net.AddressInfo} */ (gone.address());
    gone.close();
    const { urls } = await startGateway(t, { upstream: `http://127.0.0.1:${port}` });
    const answer = await send(`${urls.anthropic}/v1/messages`, { body, headers: { 'x-api-key': 'sk-secret' } });
    assert.equal(answer.status, 502);
    assert.match(String(answer.body), /ECONNREFUSED/);
    assert.doesNotMatch(String(answer.body), /secret|Make the checks/);
  });

  test('that closes kept connections costs no request', async (t) => {
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

/** `Promise.withResolvers` of later versions. */
function withResolvers() {
  /** @type {(value?: unknown) => void} */ let resolve = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
