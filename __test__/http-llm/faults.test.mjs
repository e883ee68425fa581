// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { HttpLlmClient, setLogger } from 'palimpsest';
import * as faults from '../support/fault-server.mjs';
import { clientOf, failing, question, rejection, succeeding } from '../support/http-llm.mjs';

const { completion, status } = faults;

describe('R7.2 what may go away by itself is asked again', () => {
  for (const code of [408, 409, 429, 500, 502, 503, 504, 529]) {
    it(`status ${code}`, async () => assert.equal(await succeeding([status(code), completion('hi')]), 2));
  }

  it('a connection that is cut, before an answer and inside one', async () => {
    assert.equal(await succeeding([faults.cut(), faults.cutInBody(), completion('hi')]), 3);
  });

  it('an error with status 200 whose body says 502', async () => {
    const inside = faults.json({ error: { message: 'upstream', code: 502 } });
    assert.equal(await succeeding([inside, completion('hi')]), 2);
  });

  it('a port where nobody listens, until somebody does not', async () => {
    const server = await faults.startFaultServer([completion('hi')]);
    await server.close();
    const error = await rejection(clientOf(server, { maxRetries: 1 }).chat(question));
    assert.equal(error.code, 'LLM_CONNECT');
    assert.match(error.message, /after 2 attempts$/);
    assert.match(error.cause.message, /refused/i);
  });

  it('but not more often than allowed', async () => {
    const { error, asked } = await failing([status(503)], { maxRetries: 3 });
    assert.deepEqual([error.code, error.status, asked], ['LLM_HTTP_STATUS', 503, 4]);
    assert.match(
      error.message,
      /^http:\/\/127\.0\.0\.1:\d+: expected an answer, got status 503 \(scripted_error\) after 4/,
    );
    assert.equal((await failing([status(503)], { maxRetries: 0 })).asked, 1);
  });

  it('nor where the provider says that it is no use, or the account is empty', async () => {
    assert.equal((await failing([status(500, { 'x-should-retry': 'false' })])).asked, 1);
    const empty = status(429, {}, { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } });
    assert.equal((await failing([empty])).asked, 1);
  });

  for (const [code, name] of /** @type {const} */ ([
    [400, 'LLM_HTTP_STATUS'],
    [401, 'LLM_UNAUTHORIZED'],
    [403, 'LLM_UNAUTHORIZED'],
    [404, 'LLM_HTTP_STATUS'],
    [413, 'LLM_HTTP_STATUS'],
  ])) {
    it(`status ${code} is ${name} at once`, async () => {
      const { error, asked } = await failing([status(code, { 'request-id': 'req-7' })]);
      assert.deepEqual([error.code, error.status, error.requestId, asked], [name, code, 'req-7', 1]);
    });
  }
});

describe('R7.2 Retry-After', () => {
  it('in milliseconds, in seconds and as a date is honoured', async () => {
    const now = new Date().toUTCString();
    const script = [
      status(429, { 'retry-after-ms': '1' }),
      status(429, { 'retry-after': '0' }),
      status(429, { 'retry-after': now, date: now }),
      completion('hi'),
    ];
    /** @type {unknown[]} */
    const waits = [];
    setLogger({ debug: (_, { wait_ms: wait }) => void (wait !== undefined && waits.push(wait)) });
    try {
      assert.equal(await succeeding(script, { maxRetries: 3, maxRetryDelayMs: 60_000 }), 4);
    } finally {
      setLogger(null);
    }
    // Without it each would be of at least 375 ms.
    assert.deepEqual(waits, [1, 0, 0]);
  });

  it('longer than allowed fails at once and says how long', async () => {
    const { error, asked } = await failing([status(429, { 'retry-after': '3600' })]);
    assert.deepEqual([error.code, error.retryAfterMs, asked], ['LLM_RATE_LIMITED', 3_600_000, 1]);
    const now = Date.now();
    const at = new Date(now + 7_200_000).toUTCString();
    const date = await failing([status(503, { 'retry-after': at, date: new Date(now).toUTCString() })]);
    assert.deepEqual([date.error.code, date.error.retryAfterMs, date.asked], ['LLM_RATE_LIMITED', 7_200_000, 1]);
  });

  it('that nobody can read is as good as none', async () => {
    assert.equal(await succeeding([status(429, { 'retry-after': 'soon' }), completion('hi')]), 2);
  });
});

describe('R7.2 every wait ends', () => {
  const quick = { readTimeoutMs: 60 };

  it('for an answer that doesn’t begin', async () => {
    const { error, asked } = await failing([faults.hang()], quick);
    assert.deepEqual([error.code, asked], ['LLM_TIMEOUT', 1]);
    assert.match(error.message, /within 60 ms/);
  });

  it('for one that doesn’t go on', async () => {
    assert.equal((await failing([faults.hangInBody()], quick)).error.code, 'LLM_TIMEOUT');
  });

  it('for one that goes on for ever', async () => {
    const { error } = await failing([faults.drip(5)], { readTimeoutMs: 60_000, totalTimeoutMs: 300 });
    assert.equal(error.code, 'LLM_TIMEOUT');
    assert.match(error.message, /the whole answer within 300 ms/);
  });

  it('for further attempts', async () => {
    const { error } = await failing([status(503)], { totalTimeoutMs: 200, maxRetryDelayMs: 60_000 });
    assert.equal(error.code, 'LLM_TIMEOUT');
  });

  it('for a connection', async () => {
    // Accepts and never greets: the TLS handshake is part of connecting.
    const mute = net.createServer(() => {}).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = /** @type {net.AddressInfo} */ (mute.address());
    const options = { baseUrl: `https://127.0.0.1:${port}`, proxy: /** @type {const} */ (false), connectTimeoutMs: 50 };
    const error = await rejection(new HttpLlmClient({ ...options, maxRetries: 0 }).chat(question));
    mute.close();
    assert.equal(error.code, 'LLM_TIMEOUT');
    assert.match(error.message, /a connection within 50 ms/);
  });
});

describe('R7.2 an answer that is none', () => {
  /** @type {[string, import('../support/fault-server.mjs').Fault, RegExp][]} */
  const odd = [
    [
      'malformed JSON',
      faults.raw('{"choices":', { headers: { 'content-type': 'application/json' } }),
      /text that is no JSON$/,
    ],
    [
      'a page',
      faults.raw('<html>login</html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
      /got text\/html that/,
    ],
    ['an empty body', faults.raw(''), /got an empty one$/],
    ['JSON of another form', faults.json({ object: 'list', data: [] }), /JSON of another form$/],
    ['no choice', faults.json({ choices: [] }), /JSON of another form$/],
    ['a number', faults.json(5), /JSON of another form$/],
    ['JSON a hundred thousand deep', faults.raw('['.repeat(1e5)), /got something else$/],
    [
      'what only says that it is gzip',
      faults.raw('x', { headers: { 'content-encoding': 'gzip' } }),
      /can't be decoded$/,
    ],
  ];
  for (const [what, fault, message] of odd) {
    it(`${what} is LLM_BAD_RESPONSE, asked once`, async () => {
      const { error, asked } = await failing([fault]);
      assert.deepEqual([error.code, asked], ['LLM_BAD_RESPONSE', 1]);
      assert.match(error.message, message);
    });
  }

  it('a proxy’s page with an error’s status is that status', async () => {
    const { error } = await failing([faults.raw('<html>Bad Gateway</html>', { status: 502 })], { maxRetries: 0 });
    assert.deepEqual([error.code, error.status], ['LLM_HTTP_STATUS', 502]);
  });
});

describe('R7.2 no answer is larger than allowed', () => {
  it('as it comes', async () => {
    const { error } = await failing([faults.flood(1e9)], { maxResponseBytes: 100_000 });
    assert.equal(error.code, 'LLM_RESPONSE_TOO_LARGE');
    assert.match(error.message, /at most 100000 bytes/);
  });

  it('after decompression: a bomb isn’t unpacked', async () => {
    const { error } = await failing([faults.gzip(Buffer.alloc(50_000_000, ' '))]);
    assert.equal(error.code, 'LLM_RESPONSE_TOO_LARGE');
  });

  it('an error’s body is read to a bound, and the status told', async () => {
    const { error } = await failing([faults.raw(Buffer.alloc(5_000_000, 'x'), { status: 400 })]);
    assert.deepEqual([error.code, error.status], ['LLM_HTTP_STATUS', 400]);
  });

  it('one of exactly the size is an answer, and gzip is understood', async () => {
    const body = JSON.stringify({ choices: [{ message: { content: 'hi' } }] });
    const options = { maxResponseBytes: body.length };
    assert.equal(await succeeding([faults.raw(body)], options), 1);
    assert.equal(await succeeding([faults.gzip(body)], options), 1);
    assert.equal((await failing([faults.raw(`${body} `)], options)).error.code, 'LLM_RESPONSE_TOO_LARGE');
  });
});
