// @ts-check
/**
 * Serves the page on 127.0.0.1. The page itself holds no secret and needs no token. The URL has the token after `#`,
 * which browsers never send; the page sends it in a header. So it is in no log, `Referer` or cookie.
 */
import { createServer } from 'node:http';
import { close, isOwnHost, isSameToken, listen, newToken, portOf } from '../local-server.mjs';
import { answerTo, refusal } from './answers.mjs';
import { pageSources } from './page.mjs';

/** @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http' */
/** @import { Answer, Source } from './answers.mjs' */

/** Only our scripts run, requests go only here, no other page frames this one. `blob:` saves the bill's picture. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src blob:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const securityHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** No legitimate client exceeds these. */
const limits = { maxHeaderSize: 16 * 1024, requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 5_000 };

/** @param {Response} response @param {number} status @param {NodeJS.Dict<string>} headers @param {string} [content] */
function send(response, status, headers, content = '') {
  response.writeHead(status, { ...securityHeaders, ...headers, 'content-length': String(Buffer.byteLength(content)) });
  response.end(response.req.method === 'HEAD' ? undefined : content);
}

/** @param {Response} response @param {Answer} answer @param {Record<string, string>} [headers] */
function sendAnswer(response, { status, json, state }, headers = {}) {
  const etag = state === undefined ? undefined : { etag: state };
  send(response, status, { 'content-type': 'application/json; charset=utf-8', ...etag, ...headers }, json);
}

/** @param {Request} request @param {string} token */
function hasToken({ headers }, token) {
  const [, given] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return given !== undefined && isSameToken(given, token);
}

/** Undefined for an absolute URL, which could name another host. @param {Request} request */
function addressOf({ url = '' }) {
  const base = 'http://127.0.0.1';
  return url.startsWith('/') && !url.startsWith('//') && URL.canParse(url, base) ? new URL(url, base) : undefined;
}

/** @param {Source} source @param {number} port 0 for a free one @throws {import('../option-values.mjs').UsageError} */
export async function serve(source, port) {
  const token = newToken();
  const { html, script, style } = pageSources();
  // A fixed list, so that no path can reach other files.
  const files = new Map([
    ['/', { type: 'text/html; charset=utf-8', content: html }],
    ['/page.js', { type: 'text/javascript; charset=utf-8', content: script }],
    ['/page.css', { type: 'text/css; charset=utf-8', content: style }],
    // Browsers request it unasked.
    ['/favicon.ico', { type: 'image/x-icon', content: '' }],
  ]);
  const server = createServer(limits);

  /** @param {Request} request @param {Response} response */
  async function answer(request, response) {
    const port = portOf(server);
    if (!isOwnHost(request, port)) {
      return sendAnswer(response, refusal(403, 'ERR_HOST', `expected the host 127.0.0.1:${port} or localhost:${port}`));
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const answer = refusal(405, 'ERR_METHOD', 'expected GET: nothing can be changed here');
      return sendAnswer(response, answer, { allow: 'GET, HEAD' });
    }
    const url = addressOf(request);
    const file = url === undefined ? undefined : files.get(url.pathname);
    if (file !== undefined) return send(response, 200, { 'content-type': file.type }, file.content);
    if (url?.pathname.startsWith('/api/') !== true) {
      return sendAnswer(response, refusal(404, 'ERR_NOT_FOUND', 'there is no such page'));
    }
    if (!hasToken(request, token)) {
      const expected = 'expected “Authorization: Bearer …” with the token behind # in the address that was printed';
      return sendAnswer(response, refusal(401, 'ERR_TOKEN', expected), { 'www-authenticate': 'Bearer' });
    }
    return sendAnswer(response, await answerTo(source, url, request.headers['if-none-match']));
  }

  server.on('request', (request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) sendAnswer(response, refusal(500, 'ERR_INTERNAL', 'the answer could not be made'));
      else response.destroy();
    });
  });
  await listen(server, port);
  const origin = `http://127.0.0.1:${portOf(server)}`;
  // Prepare the list of sessions before the first request.
  answerTo(source, new URL('/api/sessions', origin), undefined).catch(() => {});
  return { url: `${origin}/#token=${token}`, close: () => close(server) };
}
