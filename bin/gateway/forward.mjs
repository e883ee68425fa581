// @ts-check
/** Forwards requests and streams responses back. */
import http from 'node:http';
import https from 'node:https';

/**
 * @typedef {import('node:http').IncomingMessage} Incoming
 * @typedef {import('node:http').ServerResponse} Outgoing
 *
 * @typedef {object} Sent
 * @property {URL} base URL of the upstream
 * @property {string} path
 * @property {Buffer | null} body the whole body; null if it is streamed
 * @property {readonly Buffer[]} [begun] the part of a streamed body that was already received
 * @property {(answer: Incoming) => { add(bytes: Buffer): void, end(): void } | null} [watch] receives the response's bytes
 */

/** Hop-by-hop headers, not forwarded. */
const OF_CONNECTION = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host'.split(
    ' ',
  ),
);

export class Forwarder {
  #agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };

  /** @param {Incoming} request @param {Outgoing} response @param {Sent} sent */
  forward(request, response, sent) {
    const asked = this.#ask(request, response, sent, sent.body !== null);
    response.once('close', () => {
      // The client disconnected.
      if (!response.writableFinished) asked.destroy();
    });
    if (sent.body !== null) asked.end(sent.body);
    else {
      for (const bytes of sent.begun ?? []) asked.write(bytes);
      request.pipe(asked);
    }
  }

  /** @param {Incoming} request @param {Outgoing} response @param {Sent} sent @param {boolean} isWhole @returns {http.ClientRequest} */
  #ask(request, response, sent, isWhole) {
    const { base, path, body } = sent;
    const isSecure = base.protocol === 'https:';
    const headers = headersTo(base, request, body);
    const agent = isWhole ? this.#agents[isSecure ? 'https:' : 'http:'] : undefined;
    const { hostname, port } = base;
    const host = hostname.replace(/^\[|\]$/g, '');
    const options = { method: request.method, host, port, path, headers, agent, setHost: false };
    const asked = (isSecure ? https : http).request(/** @type {any} */ (options));
    asked.on('response', (answer) => pass(answer, response, sent.watch?.(answer) ?? null));
    asked.on('error', (error) => {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      // The provider closed a kept-alive connection: send the request again.
      if (isWhole && asked.reusedSocket && code === 'ECONNRESET' && !response.headersSent && !response.destroyed) {
        return this.forward(request, response, sent);
      }
      fail(response, code);
    });
    return asked;
  }

  close() {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

/** The client's headers, in their original order and spelling. @param {URL} base @param {Incoming} request @param {Buffer | null} body @returns {string[]} */
function headersTo(base, request, body) {
  const headers = ['Host', base.host];
  const named = namedIn(request.headers.connection);
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2);
    const key = name.toLowerCase();
    if (OF_CONNECTION.has(key) || named.has(key) || key === 'expect') continue;
    if (key === 'content-length' && body !== null) continue;
    headers.push(name, value);
  }
  if (body !== null) headers.push('Content-Length', String(body.length));
  else if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  return headers;
}

/** @param {string | undefined} connection the header */
const namedIn = (connection) => new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));

/** @param {Incoming} answer @param {Outgoing} response @param {{ add(bytes: Buffer): void, end(): void } | null} watcher */
function pass(answer, response, watcher) {
  const named = namedIn(answer.headers.connection);
  /** @type {string[]} */ const headers = [];
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = answer.rawHeaders.slice(at, at + 2);
    if (OF_CONNECTION.has(name.toLowerCase()) || named.has(name.toLowerCase())) continue;
    headers.push(name, value);
  }
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers);
  response.flushHeaders();
  if (watcher !== null) answer.on('data', (bytes) => watcher.add(bytes));
  answer.once('close', () => {
    watcher?.end();
    // A truncated response must not look complete.
    if (!answer.complete) response.destroy();
  });
  answer.on('error', () => response.destroy());
  answer.pipe(response);
}

/** Answers 502 if the provider can't be reached. The error contains nothing from the request. @param {Outgoing} response @param {string | undefined} code */
function fail(response, code = 'error') {
  if (response.headersSent) return response.destroy();
  refuse(response, 502, 'upstream_error', `palimpsest gateway: the provider could not be reached (${code})`);
}

/** @param {Outgoing} response @param {number} status @param {string} type @param {string} message */
export function refuse(response, status, type, message) {
  if (response.headersSent || response.destroyed) return;
  const content = JSON.stringify({ type: 'error', error: { type, message } });
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) });
  response.end(content);
}
