// @ts-check
/** Retries, timeouts, invalid responses and size limits of `HttpLlmClient`. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { HttpLlmClient, setLogger } from 'palimpsest';
import * as faults from '../support/fault-server.mjs';
import { attemptsUntilSuccess, clientOf, failedRequest, question, rejection } from '../support/http-llm.mjs';

const { completion, status } = faults;

describe('retries of HttpLlmClient', () => {
  for (const code of [408, 409, 429, 500, 502, 503, 504, 529]) {
    it(`retries after status ${code}`, async () =>
      assert.equal(await attemptsUntilSuccess([status(code), completion('hi')]), 2));
  }

  it('retries after the connection was cut before or inside a response', async () => {
    assert.equal(await attemptsUntilSuccess([faults.cut(), faults.cutInBody(), completion('hi')]), 3);
  });

  it('retries after a response with status 200 and an error 502 in its body', async () => {
    const errorInBody = faults.json({ error: { message: 'upstream', code: 502 } });
    assert.equal(await attemptsUntilSuccess([errorInBody, completion('hi')]), 2);
  });

  it('retries a refused connection, then rejects with LLM_CONNECT', async () => {
    const server = await faults.startFaultServer([completion('hi')]);
    await server.close();
    const error = await rejection(clientOf(server, { maxRetries: 1 }).chat(question));
    assert.equal(error.code, 'LLM_CONNECT');
    assert.match(error.message, /after 2 attempts$/);
    assert.match(error.cause.message, /refused/i);
  });

  it('retries at most `maxRetries` times', async () => {
    const { error, attempts } = await failedRequest([status(503)], { maxRetries: 3 });
    assert.deepEqual([error.code, error.status, attempts], ['LLM_HTTP_STATUS', 503, 4]);
    assert.match(
      error.message,
      /^http:\/\/127\.0\.0\.1:\d+: expected an answer, got status 503 \(scripted_error\) after 4/,
    );
    assert.equal((await failedRequest([status(503)], { maxRetries: 0 })).attempts, 1);
  });

  it('doesn’t retry if the provider sends x-should-retry: false, or the quota is used up', async () => {
    assert.equal((await failedRequest([status(500, { 'x-should-retry': 'false' })])).attempts, 1);
    const empty = status(429, {}, { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } });
    assert.equal((await failedRequest([empty])).attempts, 1);
  });

  for (const [code, name] of /** @type {const} */ ([
    [400, 'LLM_HTTP_STATUS'],
    [401, 'LLM_UNAUTHORIZED'],
    [403, 'LLM_UNAUTHORIZED'],
    [404, 'LLM_HTTP_STATUS'],
    [413, 'LLM_HTTP_STATUS'],
  ])) {
    it(`rejects with ${name} after one attempt for status ${code}`, async () => {
      const { error, attempts } = await failedRequest([status(code, { 'request-id': 'req-7' })]);
      assert.deepEqual([error.code, error.status, error.requestId, attempts], [name, code, 'req-7', 1]);
    });
  }
});

describe('Retry-After', () => {
  it('HttpLlmClient waits as long as Retry-After says in milliseconds, in seconds or as a date', async () => {
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
      assert.equal(await attemptsUntilSuccess(script, { maxRetries: 3, maxRetryDelayMs: 60_000 }), 4);
    } finally {
      setLogger(null);
    }
    // Without Retry-After each wait would be at least 375 ms.
    assert.deepEqual(waits, [1, 0, 0]);
  });

  it('HttpLlmClient rejects at once with `retryAfterMs` if the wait is longer than allowed', async () => {
    const { error, attempts } = await failedRequest([status(429, { 'retry-after': '3600' })]);
    assert.deepEqual([error.code, error.retryAfterMs, attempts], ['LLM_RATE_LIMITED', 3_600_000, 1]);
    const now = Date.now();
    const at = new Date(now + 7_200_000).toUTCString();
    const date = await failedRequest([status(503, { 'retry-after': at, date: new Date(now).toUTCString() })]);
    assert.deepEqual([date.error.code, date.error.retryAfterMs, date.attempts], ['LLM_RATE_LIMITED', 7_200_000, 1]);
  });

  it('HttpLlmClient ignores an invalid Retry-After', async () => {
    assert.equal(await attemptsUntilSuccess([status(429, { 'retry-after': 'soon' }), completion('hi')]), 2);
  });
});

describe('timeouts of HttpLlmClient', () => {
  const quick = { readTimeoutMs: 60 };

  it('rejects with LLM_TIMEOUT if no response begins within `readTimeoutMs`', async () => {
    const { error, attempts } = await failedRequest([faults.hang()], quick);
    assert.deepEqual([error.code, attempts], ['LLM_TIMEOUT', 1]);
    assert.match(error.message, /within 60 ms/);
  });

  it('rejects with LLM_TIMEOUT if the body stalls for `readTimeoutMs`', async () => {
    assert.equal((await failedRequest([faults.hangInBody()], quick)).error.code, 'LLM_TIMEOUT');
  });

  it('rejects with LLM_TIMEOUT if the whole response takes longer than `totalTimeoutMs`', async () => {
    const { error } = await failedRequest([faults.drip(5)], { readTimeoutMs: 60_000, totalTimeoutMs: 300 });
    assert.equal(error.code, 'LLM_TIMEOUT');
    assert.match(error.message, /the whole answer within 300 ms/);
  });

  it('rejects with LLM_TIMEOUT if retries take longer than `totalTimeoutMs`', async () => {
    const { error } = await failedRequest([status(503)], { totalTimeoutMs: 200, maxRetryDelayMs: 60_000 });
    assert.equal(error.code, 'LLM_TIMEOUT');
  });

  it('rejects with LLM_TIMEOUT if connecting takes longer than `connectTimeoutMs`', async () => {
    // Accepts connections and sends nothing: the TLS handshake is part of connecting.
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

describe('invalid responses to HttpLlmClient', () => {
  /** @type {[string, import('../support/fault-server.mjs').Fault, RegExp][]} */
  const invalidResponses = [
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
      'a body that is not gzip as its header says',
      faults.raw('x', { headers: { 'content-encoding': 'gzip' } }),
      /can't be decoded$/,
    ],
  ];
  for (const [what, fault, message] of invalidResponses) {
    it(`rejects with LLM_BAD_RESPONSE after one attempt for ${what}`, async () => {
      const { error, attempts } = await failedRequest([fault]);
      assert.deepEqual([error.code, attempts], ['LLM_BAD_RESPONSE', 1]);
      assert.match(error.message, message);
    });
  }

  it('rejects with the status of an HTML error page', async () => {
    const { error } = await failedRequest([faults.raw('<html>Bad Gateway</html>', { status: 502 })], { maxRetries: 0 });
    assert.deepEqual([error.code, error.status], ['LLM_HTTP_STATUS', 502]);
  });
});

describe('`maxResponseBytes` of HttpLlmClient', () => {
  it('rejects a larger response while it arrives', async () => {
    const { error } = await failedRequest([faults.flood(1e9)], { maxResponseBytes: 100_000 });
    assert.equal(error.code, 'LLM_RESPONSE_TOO_LARGE');
    assert.match(error.message, /at most 100000 bytes/);
  });

  it('rejects a gzip response that is larger after decompression', async () => {
    const { error } = await failedRequest([faults.gzip(Buffer.alloc(50_000_000, ' '))]);
    assert.equal(error.code, 'LLM_RESPONSE_TOO_LARGE');
  });

  it('rejects with the status of an error whose body is too large', async () => {
    const { error } = await failedRequest([faults.raw(Buffer.alloc(5_000_000, 'x'), { status: 400 })]);
    assert.deepEqual([error.code, error.status], ['LLM_HTTP_STATUS', 400]);
  });

  it('accepts a response of exactly the limit, plain and as gzip', async () => {
    const body = JSON.stringify({ choices: [{ message: { content: 'hi' } }] });
    const options = { maxResponseBytes: body.length };
    assert.equal(await attemptsUntilSuccess([faults.raw(body)], options), 1);
    assert.equal(await attemptsUntilSuccess([faults.gzip(body)], options), 1);
    assert.equal((await failedRequest([faults.raw(`${body} `)], options)).error.code, 'LLM_RESPONSE_TOO_LARGE');
  });
});
