// @ts-check
/**
 * A model's endpoint on loopback with scripted responses and faults, on real sockets and with real TLS.
 *
 *   const server = await startFaultServer([status(503), completion('hi')]);
 *   … server.url … server.requests[0].json … await server.close();
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** @param {string} name */
const fixture = (name) => readFileSync(fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url)), 'utf8');

/** Certificate of the server under `tls`: self-signed, for 127.0.0.1 and localhost. */
export const certificate = fixture('certificate.pem');

/**
 * A received request. `closed` resolves when its connection is closed.
 *
 * @typedef {object} Received
 * @property {string} method
 * @property {string} path
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} text
 * @property {any} json undefined if the body isn't JSON
 * @property {Promise<void>} closed
 */

/**
 * Writes one response, or none.
 * @typedef {(response: any, request: Received) => void} Fault
 */

/**
 * @param {readonly Fault[] | ((request: Received, index: number) => Fault)} script one fault per request; the last one
 *   repeats
 * @param {{ tls?: boolean, http2?: boolean }} [options]
 */
export async function startFaultServer(script, { tls = false, http2: speaksHttp2 = false } = {}) {
  /** @type {Received[]} */
  const requests = [];
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  /** @type {(() => void)[]} */
  let waiting = [];
  const next = (/** @type {Received} */ request, /** @type {number} */ index) =>
    typeof script === 'function' ? script(request, index) : script[Math.min(index, script.length - 1)];

  const listener = async (/** @type {any} */ request, /** @type {any} */ response) => {
    response.on('error', () => {});
    const received = await receive(request);
    if (received === null) return;
    requests.push(received);
    for (const resolve of waiting) resolve();
    waiting = [];
    next(received, requests.length - 1)(response, received);
  };
  const secrets = { key: fixture('key.pem'), cert: certificate };
  const server = speaksHttp2
    ? http2.createSecureServer({ ...secrets, allowHTTP1: false }, listener)
    : tls
      ? https.createServer(secrets, listener)
      : http.createServer(listener);
  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (/** @type {import('node:net').Socket} */ socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    });
  }
  // A client that doesn't trust the certificate disconnects; the test checks that.
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    port,
    origin: `${tls || speaksHttp2 ? 'https' : 'http'}://127.0.0.1:${port}`,
    url: `${tls || speaksHttp2 ? 'https' : 'http'}://127.0.0.1:${port}/v1`,
    requests,
    /** Resolves when `count` complete requests were received. @param {number} count */
    async received(count) {
      while (requests.length < count)
        await new Promise((/** @type {(value: void) => void} */ resolve) => waiting.push(resolve));
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** @param {any} request @returns {Promise<Received | null>} null if the client aborted while sending */
async function receive(request) {
  const chunks = [];
  const closed = closing(request.socket);
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return null;
  }
  const text = Buffer.concat(chunks).toString();
  const { method, url: path, headers } = request;
  return { method, path, headers, text, json: parsed(text), closed };
}

/** @type {WeakMap<object, Promise<void>>} */
const closings = new WeakMap();

/** One listener per connection, regardless of its number of requests. @param {import('node:net').Socket} socket */
function closing(socket) {
  const known = closings.get(socket);
  if (known !== undefined) return known;
  const closed = new Promise((/** @type {(value: void) => void} */ resolve) => socket.once('close', () => resolve()));
  closings.set(socket, closed);
  return closed;
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {unknown} body @param {{ status?: number, headers?: Record<string, string> }} [more] @returns {Fault} */
export function json(body, { status: code = 200, headers = {} } = {}) {
  return raw(JSON.stringify(body), { status: code, headers: { 'content-type': 'application/json', ...headers } });
}

/** @param {string | Buffer} body @param {{ status?: number, headers?: Record<string, string> }} [more] @returns {Fault} */
export function raw(body, { status: code = 200, headers = {} } = {}) {
  return (response) => {
    response.writeHead(code, headers);
    response.end(body);
  };
}

/** @param {number} code @param {Record<string, string>} [headers] @param {unknown} [body] @returns {Fault} */
export function status(code, headers = {}, body = { error: { message: 'scripted', type: 'scripted_error' } }) {
  return json(body, { status: code, headers });
}

/**
 * An OpenAI-style response.
 * @param {string} content
 * @param {{ finishReason?: string, usage?: object | null, headers?: Record<string, string> }} [more]
 * @returns {Fault}
 */
export function completion(content, { finishReason = 'stop', usage, headers } = {}) {
  return json(
    {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model: 'scripted-1',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finishReason }],
      usage: usage === undefined ? { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 } : usage,
    },
    { headers },
  );
}

/** An Anthropic-style response. @param {string} text @param {{ stopReason?: string }} [more] @returns {Fault} */
export function anthropicMessage(text, { stopReason = 'end_turn' } = {}) {
  return json({
    type: 'message',
    role: 'assistant',
    model: 'scripted-1',
    content: [{ type: 'text', text }],
    stop_reason: stopReason,
    usage: { input_tokens: 11, output_tokens: 3 },
  });
}

/** Never responds. @returns {Fault} */
export const hang = () => () => {};

/** Sends the beginning of a body, then nothing more. @returns {Fault} */
export function hangInBody(beginning = '{"choices"') {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(beginning);
  };
}

/** Sends white space, which JSON allows, forever. @param {number} everyMs @returns {Fault} */
export function drip(everyMs) {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), everyMs);
    response.on('close', () => clearInterval(timer));
  };
}

/** Closes the connection instead of responding. @returns {Fault} */
export const cut = () => (response) => response.socket.destroy();

/** Closes the connection in the middle of a body. @returns {Fault} */
export function cutInBody() {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"choices"', () => response.socket.destroy());
  };
}

/** Sends more than any client should buffer, as fast as it is read. @param {number} bytes @returns {Fault} */
export function flood(bytes) {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(65_536, ' ');
    let left = bytes;
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  };
}

/** A compressed body. @param {string | Buffer} body @returns {Fault} */
export function gzip(body) {
  return raw(gzipSync(body), { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } });
}
