// @ts-check
/** Forwards a request to its provider and streams the response back. */
import http from 'node:http';
import https from 'node:https';

/** @import { IncomingMessage as Incoming, ServerResponse as Outgoing } from 'node:http' */

/**
 * @typedef {{ add(bytes: Buffer): void, end(): void }} Watcher receives the bytes of a response
 * @typedef {object} Sent
 * @property {URL} base URL of the upstream
 * @property {string} path
 * @property {Buffer | null} body the whole body; null if it is streamed
 * @property {readonly Buffer[]} [received] the part of a streamed body that was already received
 * @property {(upstream: Incoming) => Watcher | null} [watch] called with the response
 */

/** Hop-by-hop headers, not forwarded. */
const HOP_BY_HOP = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'host'],
];

export class Forwarder {
  #agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };

  /** @param {Incoming} request @param {Outgoing} response @param {Sent} sent */
  forward(request, response, sent) {
    const { base, path, body } = sent;
    const isSecure = base.protocol === 'https:';
    const host = base.hostname.replace(/^\[|\]$/g, '');
    // A streamed body can't be sent again, so it gets a new connection: the provider may have closed a kept-alive one.
    const agent = body === null ? false : this.#agents[isSecure ? 'https' : 'http'];
    const headers = headersTo(base, request, body);
    const options = { method: request.method, host, port: base.port, path, headers, agent, setHost: false };
    const upstream = (isSecure ? https : http).request(/** @type {any} */ (options));
    upstream.on('response', (incoming) => pass(incoming, response, sent.watch?.(incoming) ?? null));
    upstream.on('error', (error) => {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      const isReset = body !== null && upstream.reusedSocket && code === 'ECONNRESET';
      // The provider closed a kept-alive connection: send the request again.
      if (isReset && !response.headersSent && !response.destroyed) return this.forward(request, response, sent);
      if (response.headersSent) return response.destroy();
      // The error contains nothing from the request.
      const message = `palimpsest gateway: the provider could not be reached (${code ?? 'error'})`;
      return refuse(response, 502, 'upstream_error', message);
    });
    response.once('close', () => {
      // The client disconnected.
      if (!response.writableFinished) upstream.destroy();
    });
    if (body !== null) return upstream.end(body);
    for (const bytes of sent.received ?? []) upstream.write(bytes);
    return request.pipe(upstream);
  }

  close() {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

/** Without those of the connection. @param {Incoming} message @param {readonly string[]} [omitted] in lower case */
function headersOf({ headers: { connection = '' }, rawHeaders }, omitted = []) {
  const ofConnection = connection.split(',').map((name) => name.trim().toLowerCase());
  const leftOut = new Set([...HOP_BY_HOP, ...ofConnection, ...omitted]);
  // Names and values alternate.
  return rawHeaders.filter((_, at) => !leftOut.has(String(rawHeaders[at - (at % 2)]).toLowerCase()));
}

/** @param {URL} base @param {Incoming} request @param {Buffer | null} body */
function headersTo(base, request, body) {
  const headers = ['Host', base.host, ...headersOf(request, body === null ? ['expect'] : ['expect', 'content-length'])];
  if (body !== null) headers.push('Content-Length', String(body.length));
  else if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  return headers;
}

/** @param {Incoming} incoming the provider's response @param {Outgoing} response @param {Watcher | null} watcher */
function pass(incoming, response, watcher) {
  response.sendDate = false;
  response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, headersOf(incoming));
  response.flushHeaders();
  if (watcher !== null) incoming.on('data', (bytes) => watcher.add(bytes));
  incoming.once('close', () => {
    watcher?.end();
    // A truncated response must not look complete.
    if (!incoming.complete) response.destroy();
  });
  incoming.on('error', () => response.destroy());
  incoming.pipe(response);
}

/** @param {Outgoing} response @param {number} status @param {string} type @param {string} message */
export function refuse(response, status, type, message) {
  if (response.headersSent || response.destroyed) return;
  const content = JSON.stringify({ type: 'error', error: { type, message } });
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) });
  response.end(content);
}
