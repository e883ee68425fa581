// @ts-check
/** Requests and responses that the gateway doesn't change arrive byte for byte as they were sent. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { HEADERS, KINDS, send, startGateway, startUpstream } from '../support/gateway.mjs';

/** @param {readonly string[]} raw @param {readonly string[]} names */
function without(raw, names) {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1]]] : []));
  return pairs.filter(([name]) => !names.includes(`${name}`.toLowerCase()));
}

describe('requests through the gateway', () => {
  test('requests of every dialect arrive with the same bytes and headers if nothing is outdated', async (t) => {
    const upstream = await startUpstream(t);
    const { urls, gateway } = await startGateway(t, { upstream: upstream.url });
    for (const { provider, path, body } of Object.values(KINDS)) {
      const text = JSON.stringify(body(2), null, 1).replace('"Make', '"\\u004dake');
      await send(`${urls[provider]}${path}`, { body: text, headers: { ...HEADERS, 'X-Odd': ['a', 'b'] } });
      const received = upstream.received.at(-1);
      assert.equal(received?.body.toString(), text);
      assert.equal(received?.url, `${provider === 'openai' ? '/v1' : ''}${path}`);
      const sent = [...Object.entries(HEADERS), ['X-Odd', 'a'], ['X-Odd', 'b'], ['Content-Length', `${text.length}`]];
      assert.deepEqual(without(received?.rawHeaders ?? [], ['host', 'connection']), sent);
      assert.equal(received?.headers.host, `127.0.0.1:${upstream.port}`);
    }
    assert.equal(gateway.counts.requests, 4);
    assert.equal(gateway.counts.changed, 0);
    assert.equal(gateway.counts.passed.size, 0);
  });

  test('bodies with invalid JSON, deep nesting, a repeated key or no messages are sent unchanged, and counted by reason', async (t) => {
    const upstream = await startUpstream(t);
    const { urls, gateway } = await startGateway(t, { upstream: upstream.url });
    const whole = JSON.stringify(KINDS.anthropic.body(3));
    const invalidBodies = [
      Buffer.from('no JSON'),
      Buffer.from(''),
      Buffer.from(whole.slice(0, -7)),
      Buffer.from(`${whole}}`),
      Buffer.from(whole.replace('"model"', '"messages":[],"model"')),
      Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
      Buffer.from(`\uFEFF${whole}`),
      Buffer.from(`{"messages":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
      Buffer.from('{"messages":[1,null,"a",{"role":7},{"role":"user","content":1e400}],"max_tokens":1e400}'),
      Buffer.from('{"messages":"none"}'),
      Buffer.from('{"messages":[]}'),
      Buffer.from('[]'),
    ];
    for (const body of invalidBodies) {
      await send(`${urls.anthropic}/v1/messages`, { body, headers: HEADERS });
      assert.deepEqual(upstream.received.at(-1)?.body, body);
    }
    const { requests, passed } = gateway.counts;
    assert.equal(requests, invalidBodies.length);
    assert.ok((passed.get('not JSON') ?? 0) >= 5, `${[...passed]}`);
    assert.equal(passed.get('a key came twice'), 1);
    assert.ok((passed.get('without a list of messages') ?? 0) >= 1);
  });

  test('random messages are sent byte for byte', async (t) => {
    const upstream = await startUpstream(t);
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const lists = fc.record({
      model: fc.anything({ maxDepth: 1 }),
      messages: fc.array(
        fc.record(
          { role: fc.constantFrom('user', 'assistant', 'system', 7), content: fc.jsonValue() },
          { requiredKeys: [] },
        ),
      ),
    });
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom(...Object.values(KINDS)), async (body, { provider, path, list }) => {
        const text = JSON.stringify({ ...body, [list]: body.messages }, (_, value) =>
          typeof value === 'bigint' ? 0 : value,
        );
        await send(`${urls[provider]}${path}`, { body: text });
        assert.equal(upstream.received.at(-1)?.body.toString(), text);
      }),
      { numRuns: 150 },
    );
  });

  test('a body longer than maxBytes is sent unchanged', async (t) => {
    const upstream = await startUpstream(t);
    const { urls, gateway } = await startGateway(t, { upstream: upstream.url, maxBytes: 100_000 });
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(3_000_000) }] });
    await send(`${urls.anthropic}/v1/messages`, { body });
    assert.ok(upstream.received[0]?.body.equals(Buffer.from(body)));
    assert.equal(gateway.counts.passed.get('too long'), 1);
  });

  test('compressed bodies are sent unchanged, also if they are invalid or larger than maxBytes when decoded', async (t) => {
    const upstream = await startUpstream(t);
    const { urls, gateway } = await startGateway(t, { upstream: upstream.url, maxBytes: 1_000_000 });
    const plain = JSON.stringify(KINDS.responses.body(2));
    const bodies = [
      ['gzip', gzipSync(plain)],
      ['br', brotliCompressSync(plain)],
      ['gzip', gzipSync(Buffer.alloc(50_000_000))],
      ['gzip', Buffer.from('not compressed')],
      ['made-up', Buffer.from(plain)],
    ];
    for (const [encoding, body] of /** @type {[string, Buffer][]} */ (bodies)) {
      await send(`${urls.openai}/responses`, { body, headers: { 'content-encoding': encoding } });
      assert.ok(upstream.received.at(-1)?.body.equals(body));
    }
    assert.equal(gateway.counts.passed.get('in an encoding that is not read'), 3);
    assert.equal(gunzipSync(upstream.received[0].body).toString(), plain);
  });

  test('requests with other paths and methods are forwarded, and not counted', async (t) => {
    const upstream = await startUpstream(t, (request, response) => response.end(request.method));
    const { urls, gateway } = await startGateway(t, { upstream: upstream.url });
    const otherRequests = [
      ['POST', '/anthropic', '/v1/messages/count_tokens', 'a'],
      ['GET', '/anthropic', '/v1/models?limit=2', ''],
      ['HEAD', '/anthropic', '', ''],
      ['PUT', '/openai', '/files/1%2F2?x=%20', '\0\x01'],
      ['DELETE', '/gemini', '/v1beta/cachedContents/../x', ''],
    ];
    for (const [method, mount, path, body] of otherRequests) {
      const base = urls[/** @type {'anthropic'} */ (mount.slice(1))];
      await send(`${base}${path}`, { method, ...(body !== '' && { body }) });
      const received = upstream.received.at(-1);
      assert.equal(received?.method, method);
      assert.equal(received?.body.toString(), body);
    }
    assert.deepEqual(
      upstream.received.map(({ url }) => url),
      ['/v1/messages/count_tokens', '/v1/models?limit=2', '/', '/v1/files/1%2F2?x=%20', '/v1beta/x'],
    );
    assert.equal(gateway.counts.requests, 0);
  });
});

describe('responses through the gateway', () => {
  test('the status, status message, headers and bytes of a response are unchanged', async (t) => {
    const bytes = gzipSync('{"usage":{"input_tokens":3}}');
    const headers = ['Content-Encoding', 'gzip', 'X-Odd', 'a', 'x-odd', 'b', 'Set-Cookie', 'c=1', 'Set-Cookie', 'd=2'];
    const upstream = await startUpstream(t, (_, response) => {
      response.sendDate = false;
      response.writeHead(529, 'Quite Overloaded', [...headers, 'Content-Length', String(bytes.length)]).end(bytes);
    });
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const answer = await send(`${urls.anthropic}/v1/messages`, { body: JSON.stringify(KINDS.anthropic.body(1)) });
    assert.equal(answer.status, 529);
    assert.equal(answer.message, 'Quite Overloaded');
    assert.deepEqual(answer.body, bytes);
    assert.deepEqual(without(answer.rawHeaders, ['connection', 'keep-alive', 'content-length']), without(headers, []));
  });

  test('a redirect is passed to the client, and not followed', async (t) => {
    const redirected = await startUpstream(t);
    const upstream = await startUpstream(t, (_, response) =>
      response.writeHead(307, { location: redirected.url }).end(),
    );
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const answer = await send(`${urls.anthropic}/v1/messages`, { body: '{"messages":[]}', headers: HEADERS });
    assert.equal(answer.status, 307);
    assert.equal(answer.headers.location, redirected.url);
    assert.equal(redirected.received.length, 0);
  });

  test('a WebSocket upgrade is refused with status 426', async (t) => {
    const upstream = await startUpstream(t);
    const { urls } = await startGateway(t, { upstream: upstream.url });
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const answer = await send(`${urls.openai}/responses`, { method: 'GET', headers });
    assert.equal(answer.status, 426);
    assert.equal(upstream.received.length, 0);
  });
});
