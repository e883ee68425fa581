// @ts-check
/** Errors for wrong arguments of `HttpLlmClient`, and its behaviour in processes and worker threads. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { HttpLlmClient } from 'palimpsest';
import { completion, startFaultServer } from '../support/fault-server.mjs';
import { KEY, PROMPT, question, rejection } from '../support/http-llm.mjs';

const packageEntry = fileURLToPath(new URL('../../index.js', import.meta.url));

describe('R0.3 wrong arguments of HttpLlmClient', () => {
  const baseUrl = 'http://127.0.0.1:1/v1';
  /** @type {[string, any, string, RegExp][]} */
  const wrongOptions = [
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
    ['an unknown scheme of the proxy', { baseUrl, proxy: `gopher://u:${KEY}@x` }, 'RangeError', /^options\.proxy: /],
    ['a text that is no certificate', { baseUrl, caCertificates: 'x' }, 'RangeError', /^options\.caCertificates: /],
    ['a timeout of 0', { baseUrl, readTimeoutMs: 0 }, 'RangeError', /^options\.readTimeoutMs: .* got 0$/],
    ['NaN for the retries', { baseUrl, maxRetries: Number.NaN }, 'RangeError', /^options\.maxRetries: /],
    ['text for bytes', { baseUrl, maxResponseBytes: '1' }, 'TypeError', /^options\.maxResponseBytes: /],
    ['a negative temperature', { baseUrl, temperature: -1 }, 'RangeError', /^options\.temperature: /],
    ['an unknown language', { baseUrl, language: 'fr' }, 'RangeError', /^options\.language: /],
  ];
  for (const [what, options, name, message] of wrongOptions) {
    it(`new HttpLlmClient() with ${what} throws a ${name} without the key`, () => {
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
    ['no argument', undefined, 'TypeError', /^request: /],
    ['no model', { messages: [{}] }, 'TypeError', /^model: /],
    ['no messages', { model: 'm' }, 'TypeError', /^messages: /],
    ['an empty array', { model: 'm', messages: [] }, 'RangeError', /^messages: /],
    ['a text for a message', { model: 'm', messages: ['x'] }, 'TypeError', /^messages: /],
    ['a cycle', { model: 'm', messages: [cycle] }, 'TypeError', /^request: /],
    ['half a token', { ...question, maxTokens: 0.5 }, 'RangeError', /^maxTokens: /],
    ['text for a signal', { ...question, signal: 'x' }, 'TypeError', /^signal: /],
    ['text for a signal by its other name', { ...question, abortSignal: 'x' }, 'TypeError', /^abortSignal: /],
    ['a stream', { ...question, body: { stream: true } }, 'RangeError', /^body\.stream: /],
  ];
  for (const [what, request, name, message] of wrongCalls) {
    it(`chat() with ${what} rejects with a ${name} without the prompt`, async () => {
      const error = await rejection(new HttpLlmClient({ baseUrl }).chat(request));
      assert.equal(error.name, name);
      assert.match(error.message, message);
      assert.ok(!error.message.includes(PROMPT));
    });
  }
});

describe('R0.6 HttpLlmClient in processes and worker threads', () => {
  const program = `
    const { HttpLlmClient } = require(process.env.ENTRY);
    const client = new HttpLlmClient({ baseUrl: process.env.URL, proxy: false });
    const ask = () => client.chat({ model: 'm', messages: [{ role: 'user', content: 'x' }] });`;

  it('a new client starts no thread, and the process exits after a request', async () => {
    const server = await startFaultServer([completion('hi')]);
    const code = `${program}
      const threads = () => process.platform === 'linux' ? require('fs').readdirSync('/proc/self/task').length : 0;
      const before = threads();
      new HttpLlmClient({ baseUrl: process.env.URL });
      const idle = threads() - before;
      ask().then(({ content }) => process.stdout.write(JSON.stringify({ content, idle })));`;
    // Not spawnSync: the server runs in this thread.
    const child = spawn(process.execPath, ['-e', code], {
      env: { ...process.env, ENTRY: packageEntry, URL: server.url },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    // The server keeps the connection open: a process that waited for it would never exit.
    const [status] = await once(child, 'exit');
    assert.deepEqual([status, stderr, stdout], [0, '', '{"content":"hi","idle":0}']);
    await server.close();
  });

  it('R0.5 a failed request prints nothing without a logger', () => {
    const code = `${program} ask().catch((error) => process.stdout.write(error.code));`;
    const env = { ...process.env, ENTRY: packageEntry, URL: 'http://127.0.0.1:1' };
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8', env });
    assert.deepEqual([stdout, stderr], ['LLM_CONNECT', '']);
  });

  it('several worker threads send requests at once, and a waiting one can be terminated', async () => {
    const server = await startFaultServer((request) =>
      request.json.model === 'slow' ? () => {} : completion(request.json.model),
    );
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      const { HttpLlmClient } = require(workerData.entry);
      const client = new HttpLlmClient({ baseUrl: workerData.url, proxy: false });
      client.chat({ model: workerData.model, messages: [{ role: 'user', content: 'x' }] })
        .then(({ content }) => parentPort.postMessage(content));`;
    const start = (/** @type {string} */ model) =>
      new Worker(code, { eval: true, workerData: { entry: packageEntry, url: server.url, model } });
    const answers = await Promise.all(['a', 'b', 'c'].map(async (model) => (await once(start(model), 'message'))[0]));
    assert.deepEqual(answers, ['a', 'b', 'c']);
    const slow = start('slow');
    await server.received(4);
    await slow.terminate();
    await server.close();
  });
});
