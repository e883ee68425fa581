// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ContextLengthExceededError, HttpLlmClient, LlmHttpError } from '../index.mjs';
import { anthropicMessage, certificate, completion, json, startFaultServer } from './support/fault-server.mjs';
import { clientOf, KEY, PROMPT, question, rejection, withServer } from './support/http-llm.mjs';

const face = fileURLToPath(new URL('../index.js', import.meta.url));

describe('R7.2 a question and its answer', () => {
  it('in OpenAI’s style', async () => {
    await withServer([completion('hi', { headers: { 'x-request-id': 'req-1' } })], async (server) => {
      const answer = await clientOf(server).chat({ ...question, max_tokens: 7 });
      assert.deepEqual(answer, {
        content: 'hi',
        finishReason: 'stop',
        refusal: null,
        model: 'scripted-1',
        usage: { promptTokens: 11, completionTokens: 3 },
        requestId: 'req-1',
      });
      const [{ method, path, headers, json: sent }] = server.requests;
      assert.deepEqual([method, path, headers.authorization], ['POST', '/v1/chat/completions', `Bearer ${KEY}`]);
      assert.equal(headers['content-type'], 'application/json');
      assert.deepEqual(sent, { model: 'm', messages: question.messages, max_tokens: 5, temperature: 0.1 });
    });
  });

  it('in Anthropic’s style, with the system prompt apart', async () => {
    await withServer([anthropicMessage('hi', { stopReason: 'max_tokens' })], async ({ url, requests }) => {
      const client = clientOf({ url: `${url}/messages` });
      const messages = [{ role: 'system', content: 's' }, ...question.messages];
      const { content, finishReason, usage } = await client.call({ ...question, messages });
      assert.deepEqual([content, finishReason, usage], ['hi', 'length', { promptTokens: 11, completionTokens: 3 }]);
      const [{ path, headers, json: sent }] = requests;
      assert.deepEqual(
        [path, headers['x-api-key'], headers.authorization, headers['anthropic-version']],
        ['/v1/messages', KEY, undefined, '2023-06-01'],
      );
      assert.deepEqual(sent, {
        model: 'm',
        system: 's',
        messages: question.messages,
        max_tokens: 5,
        temperature: 0.1,
      });
    });
  });

  it('the client’s model, headers, temperature and body are those of every question', async () => {
    await withServer([completion('hi')], async (server) => {
      const headers = { 'X-Team': 'blue-team', 'X-None': undefined };
      const client = clientOf(server, { model: 'own', headers, temperature: 0.5, body: { top_p: 0.9, seed: 1 } });
      await client.chat({ messages: question.messages, body: { seed: 2 } });
      const [{ headers: sent, json: body }] = server.requests;
      assert.equal(sent['x-team'], 'blue-team');
      assert.ok(!('x-none' in sent));
      assert.deepEqual(body, { model: 'own', messages: question.messages, temperature: 0.5, top_p: 0.9, seed: 2 });
      await clientOf(server, { temperature: false }).chat(question);
      assert.equal(server.requests[1]?.json.temperature, undefined);
    });
  });

  it('a model that wants max_completion_tokens and no temperature is asked wrongly once', async () => {
    const refuse = (/** @type {string} */ message, /** @type {string} */ param) =>
      json({ error: { message, type: 'invalid_request_error', param, code: 'unsupported' } }, { status: 400 });
    const script = [
      refuse(
        "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
        'max_tokens',
      ),
      refuse("Unsupported value: 'temperature' does not support 0.1 with this model.", 'temperature'),
      completion('hi'),
    ];
    await withServer(script, async (server) => {
      const client = clientOf(server, { maxRetries: 0 });
      assert.equal((await client.chat(question)).content, 'hi');
      await client.chat(question);
      const sent = server.requests.map(({ json: { messages: _, ...rest } }) => rest);
      const taken = { model: 'm', max_completion_tokens: 5 };
      assert.deepEqual(sent.slice(2), [taken, taken]);
      await client.chat({ ...question, model: 'another' });
      assert.equal(server.requests.at(-1)?.json.max_tokens, 5, 'learnt for one model, held against another');
    });
  });

  it('a connection is used again', async () => {
    await withServer([completion('hi')], async (server) => {
      const client = clientOf(server);
      await client.chat(question);
      await client.chat(question);
      const gone = await Promise.race([server.requests[0]?.closed.then(() => true), Promise.resolve(false)]);
      assert.equal(gone, false);
    });
  });

  it('EDGE 28 NUL, escapes and half an emoji make a valid request', async () => {
    await withServer([completion('a\u0000\ud83d')], async (server) => {
      const content = `a\u0000\u001b[31m\u2028中${'\ud83d'}`;
      const answer = await clientOf(server).chat({ ...question, messages: [{ role: 'user', content }] });
      assert.equal(server.requests[0]?.json.messages[0].content, 'a\u0000\u001b[31m\u2028中\ufffd');
      assert.equal(answer.content, 'a\u0000\ufffd');
    });
  });

  it('over HTTP/2', async () => {
    const use = async (/** @type {{ url: string }} */ server) => {
      const client = clientOf(server, { caCertificates: certificate });
      assert.equal((await client.chat(question)).content, 'hi');
    };
    await withServer([completion('hi')], use, { http2: true });
  });

  it('many at once', async () => {
    await withServer([completion('hi')], async (server) => {
      const client = clientOf(server);
      const answers = await Promise.all(Array.from({ length: 30 }, () => client.chat(question)));
      assert.ok(answers.every(({ content }) => content === 'hi'));
    });
  });
});

describe('R7.2 an overflow is a ContextLengthExceededError', () => {
  const bodies = {
    openai: [
      400,
      {
        error: {
          message:
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
          type: 'invalid_request_error',
          param: 'messages',
          code: 'context_length_exceeded',
        },
      },
      9001,
      8192,
    ],
    anthropic: [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
      },
      208_310,
      200_000,
    ],
    'llama.cpp': [
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 14_429,
          n_ctx: 8192,
        },
      },
      14_429,
      8192,
    ],
    'a gateway that answers 413': [
      413,
      { error: { message: 'prompt is too long: 208310 tokens > 200000 maximum' } },
      208_310,
      200_000,
    ],
    'a gateway that answers 200': [
      200,
      {
        error: {
          code: 400,
          message: "This model's maximum context length is 131072 tokens. However, you requested 200000 tokens.",
        },
      },
      200_000,
      131_072,
    ],
  };
  for (const [provider, [code, body, requested, max]] of Object.entries(bodies)) {
    it(`EDGE 14 from ${provider}`, async () => {
      await withServer([json(body, { status: Number(code) })], async (server) => {
        const error = await rejection(clientOf(server, { language: 'en' }).chat(question));
        assert.ok(error instanceof ContextLengthExceededError, String(error));
        assert.deepEqual([error.requestedTokens, error.maxTokens], [requested, max]);
        assert.match(error.message, /too long/);
        assert.ok(error.cause instanceof LlmHttpError);
        assert.equal(server.requests.length, 1, 'asked again in vain');
      });
    });
  }

  it('EDGE 12 a rate limit that speaks of tokens is a rate limit', async () => {
    const message = 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 30601.';
    await withServer([json({ error: { message, code: 'rate_limit_exceeded' } }, { status: 429 })], async (server) => {
      const error = await rejection(clientOf(server, { maxRetries: 0 }).chat(question));
      assert.deepEqual([error.name, error.code], ['LlmHttpError', 'LLM_RATE_LIMITED']);
    });
  });
});

describe('R0.3 wrong arguments', () => {
  const baseUrl = 'http://127.0.0.1:1/v1';
  /** @type {[string, any, string, RegExp][]} */
  const wrong = [
    ['no options', undefined, 'TypeError', /^options: /],
    ['no baseUrl', {}, 'TypeError', /^options\.baseUrl: expected a string, got undefined$/],
    ['another scheme', { baseUrl: 'file:///etc/passwd' }, 'RangeError', /^options\.baseUrl: /],
    ['a line break in the URL', { baseUrl: 'http://x/\r\nHost: y' }, 'RangeError', /^options\.baseUrl: /],
    ['an unknown style', { baseUrl, style: 'gemini' }, 'RangeError', /^options\.style: /],
    ['a number for the key', { baseUrl, apiKey: 5 }, 'TypeError', /^options\.apiKey: /],
    ['a line break in the key', { baseUrl, apiKey: `${KEY}\n` }, 'RangeError', /^options\.apiKey: /],
    [
      'a line break in a header',
      { baseUrl, headers: { 'x-a': `${KEY}\r\nx-b: c` } },
      'RangeError',
      /^options\.headers: /,
    ],
    ['a header of the connection', { baseUrl, headers: { Host: 'other' } }, 'RangeError', /^options\.headers: /],
    ['an array of headers', { baseUrl, headers: [] }, 'TypeError', /^options\.headers: /],
    ['true for the proxy', { baseUrl, proxy: true }, 'TypeError', /^options\.proxy: /],
    ['a proxy of no kind', { baseUrl, proxy: `gopher://u:${KEY}@x` }, 'RangeError', /^options\.proxy: /],
    ['a text that is no certificate', { baseUrl, caCertificates: 'x' }, 'RangeError', /^options\.caCertificates: /],
    ['no time', { baseUrl, readTimeoutMs: 0 }, 'RangeError', /^options\.readTimeoutMs: .* got 0$/],
    ['NaN retries', { baseUrl, maxRetries: Number.NaN }, 'RangeError', /^options\.maxRetries: /],
    ['text for bytes', { baseUrl, maxResponseBytes: '1' }, 'TypeError', /^options\.maxResponseBytes: /],
    ['a negative temperature', { baseUrl, temperature: -1 }, 'RangeError', /^options\.temperature: /],
    ['an unknown language', { baseUrl, language: 'fr' }, 'RangeError', /^options\.language: /],
  ];
  for (const [what, options, name, message] of wrong) {
    it(`${what} is a ${name}, and the key isn’t in it`, () => {
      assert.throws(
        () => new HttpLlmClient(options),
        (/** @type {any} */ error) => {
          assert.equal(error.name, name);
          assert.match(error.code, /^ERR_/);
          assert.match(error.message, message);
          return !error.stack.includes(KEY);
        },
      );
    });
  }

  /** @type {any} */
  const cycle = { role: 'user' };
  cycle.content = [cycle];
  /** @type {[string, any, string, RegExp][]} */
  const wrongCalls = [
    ['nothing', undefined, 'TypeError', /^request: /],
    ['no model', { messages: [{}] }, 'TypeError', /^model: /],
    ['no messages', { model: 'm' }, 'TypeError', /^messages: /],
    ['an empty array', { model: 'm', messages: [] }, 'RangeError', /^messages: /],
    ['a text for a message', { model: 'm', messages: ['x'] }, 'TypeError', /^messages: /],
    ['a cycle', { model: 'm', messages: [cycle] }, 'TypeError', /^request: /],
    ['half a token', { ...question, maxTokens: 0.5 }, 'RangeError', /^maxTokens: /],
    ['text for a signal', { ...question, signal: 'x' }, 'TypeError', /^signal: /],
    ['a stream', { ...question, body: { stream: true } }, 'RangeError', /^body\.stream: /],
  ];
  for (const [what, request, name, message] of wrongCalls) {
    it(`a call with ${what} rejects with a ${name}`, async () => {
      const error = await rejection(new HttpLlmClient({ baseUrl }).chat(request));
      assert.equal(error.name, name);
      assert.match(error.message, message);
      assert.ok(!error.message.includes(PROMPT));
    });
  }
});

describe('R0.6 threads and exits', () => {
  const program = `
    const { HttpLlmClient } = require(process.env.FACE);
    const client = new HttpLlmClient({ baseUrl: process.env.URL, proxy: false });
    const ask = () => client.chat({ model: 'm', messages: [{ role: 'user', content: 'x' }] });`;

  it('a client starts no thread, and after a request the process ends by itself', async () => {
    const server = await startFaultServer([completion('hi')]);
    const code = `${program}
      const threads = () => process.platform === 'linux' ? require('fs').readdirSync('/proc/self/task').length : 0;
      const before = threads();
      new HttpLlmClient({ baseUrl: process.env.URL });
      const idle = threads() - before;
      ask().then(({ content }) => process.stdout.write(JSON.stringify({ content, idle })));`;
    // Not spawnSync: the server is this thread's.
    const { spawn } = await import('node:child_process');
    const child = spawn(process.execPath, ['-e', code], { env: { ...process.env, FACE: face, URL: server.url } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    // The server keeps the connection open: a process that waits for it would never end.
    const [status] = await once(child, 'exit');
    assert.deepEqual([status, stderr, stdout], [0, '', '{"content":"hi","idle":0}']);
    await server.close();
  });

  it('R0.5 a failure that nobody logs prints nothing', () => {
    const code = `${program} ask().catch((error) => process.stdout.write(error.code));`;
    const env = { ...process.env, FACE: face, URL: 'http://127.0.0.1:1' };
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8', env });
    assert.deepEqual([stdout, stderr], ['LLM_CONNECT', '']);
  });

  it('several worker threads ask at once, and one that is ended while it waits ends', async () => {
    const server = await startFaultServer((request) =>
      request.json.model === 'slow' ? () => {} : completion(request.json.model),
    );
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      const { HttpLlmClient } = require(workerData.face);
      const client = new HttpLlmClient({ baseUrl: workerData.url, proxy: false });
      client.chat({ model: workerData.model, messages: [{ role: 'user', content: 'x' }] })
        .then(({ content }) => parentPort.postMessage(content));`;
    const start = (/** @type {string} */ model) =>
      new Worker(code, { eval: true, workerData: { face, url: server.url, model } });
    const answers = await Promise.all(['a', 'b', 'c'].map(async (model) => (await once(start(model), 'message'))[0]));
    assert.deepEqual(answers, ['a', 'b', 'c']);
    const slow = start('slow');
    await server.received(4);
    await slow.terminate();
    await server.close();
  });
});
