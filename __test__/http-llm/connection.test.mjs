// @ts-check
/** Redirects, certificates and proxies of `HttpLlmClient`. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { describe, it } from 'node:test';
import * as faults from '../support/fault-server.mjs';
import { clientOf, failedRequest, question, rejection, withServer } from '../support/http-llm.mjs';

/** @typedef {Awaited<ReturnType<typeof faults.startFaultServer>>} Server */

const { completion } = faults;

describe('redirects of HttpLlmClient', () => {
  it('follows a redirect within the origin, with key and body', async () => {
    const moved = faults.raw('', { status: 307, headers: { location: '/v2/chat/completions' } });
    await withServer([moved, completion('hi')], async (server) => {
      assert.equal((await clientOf(server).chat(question)).content, 'hi');
      const [first, second] = server.requests;
      assert.equal(second?.path, '/v2/chat/completions');
      assert.equal(second?.method, 'POST');
      assert.deepEqual([second?.text, second?.headers.authorization], [first?.text, first?.headers.authorization]);
      assert.equal(second?.headers.referer, undefined);
    });
  });

  it('rejects a redirect to another origin, which gets neither key nor history', async () => {
    await withServer([completion('stolen')], async (thief) => {
      for (const code of [301, 302, 303, 307, 308]) {
        const location = `${thief.url}/chat/completions`;
        const { error } = await failedRequest([faults.raw('', { status: code, headers: { location } })]);
        assert.deepEqual([error.code, error.status], ['LLM_REDIRECT', code]);
      }
      assert.equal(thief.requests.length, 0);
    });
  });

  it('rejects a redirect that would turn the POST into a GET', async () => {
    for (const code of [301, 302, 303]) {
      const moved = faults.raw('', { status: code, headers: { location: '/v2' } });
      const { error, attempts } = await failedRequest([moved, completion('hi')]);
      assert.deepEqual([error.code, attempts], ['LLM_REDIRECT', 1]);
    }
  });

  it('rejects circular redirects after at most five requests', async () => {
    const { error, attempts } = await failedRequest([faults.raw('', { status: 308, headers: { location: '/again' } })]);
    assert.equal(error.code, 'LLM_REDIRECT');
    assert.ok(attempts <= 5, String(attempts));
  });
});

describe('certificates of HttpLlmClient', () => {
  it('rejects an unknown certificate before it sends anything', async () => {
    const use = async (/** @type {Server} */ server) => {
      const error = await rejection(clientOf(server).chat(question));
      assert.equal(error.code, 'LLM_TLS');
      assert.match(error.cause.message, /certificate/);
      assert.equal(server.requests.length, 0, 'the key was sent');
    };
    await withServer([completion('hi')], use, { tls: true });
  });

  it('accepts a certificate in `caCertificates`', async () => {
    const use = async (/** @type {Server} */ server) => {
      const trusted = { caCertificates: [faults.certificate] };
      assert.equal((await clientOf(server, trusted).chat(question)).content, 'hi');
    };
    await withServer([completion('hi')], use, { tls: true });
  });
});

describe('proxies of HttpLlmClient', () => {
  /** A proxy that forwards and tunnels, and records its requests. @param {import('node:test').TestContext} t closes it */
  async function startProxy(t) {
    /** @type {{ target: string, authorization: string | undefined }[]} */
    const seen = [];
    /** @type {Set<import('node:stream').Duplex>} */
    const tunnels = new Set();
    const proxy = http.createServer((request, response) => {
      seen.push({ target: `${request.url}`, authorization: request.headers['proxy-authorization'] });
      const { 'proxy-authorization': _, ...headers } = request.headers;
      const onward = http.request(`${request.url}`, { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
    proxy.on('connect', (request, socket, head) => {
      seen.push({ target: `${request.url}`, authorization: request.headers['proxy-authorization'] });
      const { port } = new URL(`http://${request.url}`);
      tunnels.add(socket);
      // Any host name leads to loopback.
      const onward = net.connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.write(head);
        onward.pipe(socket).pipe(onward);
      });
      for (const side of [socket, onward]) side.on('error', () => {});
      socket.on('close', () => onward.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = /** @type {net.AddressInfo} */ (proxy.address());
    const close = () => {
      proxy.closeAllConnections();
      for (const tunnel of tunnels) tunnel.destroy();
      proxy.close();
    };
    t.after(close);
    return { address: `127.0.0.1:${port}`, seen };
  }

  for (const tls of [false, true]) {
    it(`sends the proxy’s password to the proxy only when ${tls ? 'https is tunnelled' : 'http is forwarded'}`, async (t) => {
      const proxy = await startProxy(t);
      const use = async (/** @type {Server} */ server) => {
        const proxyUrl = `http://user:password@${proxy.address}`;
        const client = clientOf(server, { proxy: proxyUrl, caCertificates: faults.certificate });
        assert.equal((await client.chat(question)).content, 'hi');
        const [{ target, authorization } = { target: '', authorization: '' }] = proxy.seen;
        assert.ok(target.includes(String(server.port)));
        assert.equal(authorization, `Basic ${Buffer.from('user:password').toString('base64')}`);
        assert.equal(server.requests[0]?.headers['proxy-authorization'], undefined);
      };
      await withServer([completion('hi')], use, { tls });
    });
  }

  it('rejects a certificate for another host name behind a proxy', async (t) => {
    const proxy = await startProxy(t);
    const use = async (/** @type {Server} */ { port, requests }) => {
      const options = { proxy: proxy.address, caCertificates: faults.certificate };
      const error = await rejection(clientOf({ url: `https://other.invalid:${port}/v1` }, options).chat(question));
      assert.deepEqual([error.code, requests.length], ['LLM_TLS', 0]);
    };
    await withServer([completion('hi')], use, { tls: true });
  });

  it('uses the environment’s proxy by default, but not for hosts in NO_PROXY', async (t) => {
    const proxy = await startProxy(t);
    const before = { ...process.env };
    try {
      for (const name of Object.keys(process.env)) if (/^(https?|all|no)_proxy$/i.test(name)) delete process.env[name];
      await withServer([completion('hi')], async (server) => {
        process.env.HTTP_PROXY = proxy.address;
        await clientOf(server, { proxy: undefined }).chat(question);
        assert.equal(proxy.seen.length, 1);
        await clientOf(server, { proxy: false }).chat(question);
        const { host, port } = new URL(server.url);
        for (const name of ['NO_PROXY', 'no_proxy']) {
          for (const list of [
            '127.0.0.1',
            '*',
            'a.test,*',
            host,
            '127.0.0.0/8',
            'x.test, 127.0.0.1',
            `[::1]:${port} ${host}`,
          ]) {
            process.env[name] = list;
            await clientOf(server, { proxy: undefined }).chat(question);
            assert.equal(proxy.seen.length, 1, `${name}=${list} excludes the host`);
          }
          delete process.env[name];
        }
        let proxiedCount = 1;
        for (const list of ['', 'localhost', '127.0.0.1:1', '10.0.0.0/8', '127.0.0.11', '.0.0.1', '::1']) {
          process.env.NO_PROXY = list;
          await clientOf(server, { proxy: undefined }).chat(question);
          proxiedCount += 1;
          assert.equal(proxy.seen.length, proxiedCount, `NO_PROXY=${list} excludes other hosts only`);
        }
      });
    } finally {
      for (const name of ['HTTP_PROXY', 'NO_PROXY']) delete process.env[name];
      Object.assign(process.env, before);
    }
  });
});
