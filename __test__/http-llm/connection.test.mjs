// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { describe, it } from 'node:test';
import * as faults from '../support/fault-server.mjs';
import { clientOf, failing, question, rejection, withServer } from '../support/http-llm.mjs';

/** @typedef {Awaited<ReturnType<typeof faults.startFaultServer>>} Server */

const { completion } = faults;

describe('R7.2 redirects', () => {
  it('within the origin are followed, key and body included', async () => {
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

  it('to another host, port or scheme are not, so that neither key nor history goes there', async () => {
    await withServer([completion('stolen')], async (thief) => {
      for (const code of [301, 302, 303, 307, 308]) {
        const location = `${thief.url}/chat/completions`;
        const { error } = await failing([faults.raw('', { status: code, headers: { location } })]);
        assert.deepEqual([error.code, error.status], ['LLM_REDIRECT', code]);
      }
      assert.equal(thief.requests.length, 0);
    });
  });

  it('that would make a GET of the question are not', async () => {
    for (const code of [301, 302, 303]) {
      const moved = faults.raw('', { status: code, headers: { location: '/v2' } });
      const { error, asked } = await failing([moved, completion('hi')]);
      assert.deepEqual([error.code, asked], ['LLM_REDIRECT', 1]);
    }
  });

  it('in a circle end', async () => {
    const { error, asked } = await failing([faults.raw('', { status: 308, headers: { location: '/again' } })]);
    assert.equal(error.code, 'LLM_REDIRECT');
    assert.ok(asked <= 5, String(asked));
  });
});

describe('R7.2 TLS', () => {
  it('a certificate that nobody vouches for is refused, and not tried again', async () => {
    const use = async (/** @type {Server} */ server) => {
      const error = await rejection(clientOf(server).chat(question));
      assert.equal(error.code, 'LLM_TLS');
      assert.match(error.cause.message, /certificate/);
      assert.equal(server.requests.length, 0, 'the key was sent');
    };
    await withServer([completion('hi')], use, { tls: true });
  });

  it('one that the user vouches for is accepted', async () => {
    const use = async (/** @type {Server} */ server) => {
      const trusted = { caCertificates: [faults.certificate] };
      assert.equal((await clientOf(server, trusted).chat(question)).content, 'hi');
    };
    await withServer([completion('hi')], use, { tls: true });
  });
});

describe('R7.2 proxies', () => {
  /** A proxy that forwards and tunnels, and remembers what it was asked. */
  /** @param {import('node:test').TestContext} t closes it */
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
      // Whatever the name: tests have no other hosts.
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
    it(`${tls ? 'https is tunnelled' : 'http is forwarded'}, with the proxy’s own password`, async (t) => {
      const proxy = await startProxy(t);
      const use = async (/** @type {Server} */ server) => {
        const own = `http://user:password@${proxy.address}`;
        const client = clientOf(server, { proxy: own, caCertificates: faults.certificate });
        assert.equal((await client.chat(question)).content, 'hi');
        const [{ target, authorization } = { target: '', authorization: '' }] = proxy.seen;
        assert.ok(target.includes(String(server.port)));
        assert.equal(authorization, `Basic ${Buffer.from('user:password').toString('base64')}`);
        assert.equal(server.requests[0]?.headers['proxy-authorization'], undefined);
      };
      await withServer([completion('hi')], use, { tls });
    });
  }

  it('lead to the right server or to none: its certificate is for its own names', async (t) => {
    const proxy = await startProxy(t);
    const use = async (/** @type {Server} */ { port, requests }) => {
      const options = { proxy: proxy.address, caCertificates: faults.certificate };
      const error = await rejection(clientOf({ url: `https://other.invalid:${port}/v1` }, options).chat(question));
      assert.deepEqual([error.code, requests.length], ['LLM_TLS', 0]);
    };
    await withServer([completion('hi')], use, { tls: true });
  });

  it('come from the environment by default, and NO_PROXY keeps hosts out', async (t) => {
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
            assert.equal(proxy.seen.length, 1, `${name}=${list} keeps it from the proxy`);
          }
          delete process.env[name];
        }
        let through = 1;
        for (const list of ['', 'localhost', '127.0.0.1:1', '10.0.0.0/8', '127.0.0.11', '.0.0.1', '::1']) {
          process.env.NO_PROXY = list;
          await clientOf(server, { proxy: undefined }).chat(question);
          through += 1;
          assert.equal(proxy.seen.length, through, `NO_PROXY=${list} is about others`);
        }
      });
    } finally {
      for (const name of ['HTTP_PROXY', 'NO_PROXY']) delete process.env[name];
      Object.assign(process.env, before);
    }
  });
});
