// @ts-check
/**
 * The gateway: a server on 127.0.0.1 between an agent and its provider. The token in the URL path authorises its use.
 * API keys are forwarded, never stored or printed.
 */
import { isUtf8 } from 'node:buffer';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { loadInternals } from '../library.mjs';
import { close, isOwnHost, isSameToken, listen, newToken, portOf } from '../local-server.mjs';
import { orUsageError } from '../option-values.mjs';
import { plural, tokensText } from '../wording.mjs';
import { apiOf } from './dialects.mjs';
import { encodingOf } from './encodings.mjs';
import { FactFiles, stateFolder } from './fact-files.mjs';
import { Forwarder, refuse } from './forward.mjs';
import { Rewriter } from './rewriter.mjs';
import { readUpstreams, targetOf } from './upstreams.mjs';
import { UsageReader } from './usage.mjs';

/**
 * @import { UsageError } from '../option-values.mjs'
 * @import { Upstream } from './upstreams.mjs'
 * @import { IncomingMessage as Incoming, ServerResponse as Outgoing } from 'node:http'
 * @import { Api } from './dialects.mjs'
 * @typedef {{ requests: number, changed: number, passed: Map<string, number> }} Counts of model requests; `passed`:
 *   forwarded unchanged, by reason
 */

/** No request timeout: the client decides. Large headers are allowed, since they may hold keys. */
const LIMITS = { maxHeaderSize: 64 * 1024, requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 120_000 };
/** Maximum body size that is read; providers refuse longer ones. */ const MAX_BYTES = 64 * 2 ** 20;

export class Gateway {
  #token = newToken();
  #forwarder = new Forwarder();
  #server = createServer(LIMITS);
  #options;
  /** @type {Counts} */ counts = { requests: 0, changed: 0, passed: new Map() };

  /** @param {{ rewriter: Rewriter, upstreams: readonly Upstream[], maxBytes?: number }} options */
  constructor(options) {
    this.#options = { ...options, maxBytes: options.maxBytes ?? MAX_BYTES };
    this.#server.on('request', (request, response) => this.#handle(request, response));
  }

  /** @param {number} port 0 for a free one @throws {UsageError} */
  listen(port) {
    return listen(this.#server, port);
  }

  /** By the environment variable that clients read. @returns {Record<string, string>} */
  get baseUrls() {
    const origin = `http://127.0.0.1:${portOf(this.#server)}/${this.#token}`;
    const { upstreams } = this.#options;
    return Object.fromEntries(upstreams.map(({ provider }) => [provider.variable, `${origin}${provider.mount}`]));
  }

  close() {
    this.#forwarder.close();
    return close(this.#server);
  }

  /** @param {Incoming} request @param {Outgoing} response */
  #handle(request, response) {
    // Both ends may disconnect at any time.
    for (const stream of [request, response]) stream.on('error', () => {});
    if (!isOwnHost(request, portOf(this.#server)))
      return refuse(response, 403, 'forbidden', 'expected the host 127.0.0.1');
    const [, token = '', path = ''] = /^\/([^/?]*)(.*)$/.exec(request.url ?? '') ?? [];
    if (!isSameToken(token, this.#token)) {
      return refuse(response, 403, 'forbidden', 'expected the address that was printed');
    }
    const target = targetOf(this.#options.upstreams, path, request.headers);
    if (target === undefined) return refuse(response, 404, 'not_found', 'no provider has this path');
    // After this status Codex falls back to HTTP; otherwise it retries endlessly.
    if (request.headers.upgrade !== undefined) return refuse(response, 426, 'upgrade', 'expected no upgrade');
    const api = apiOf(request.method, target.rest);
    if (api === undefined) return this.#forwarder.forward(request, response, { ...target, body: null });
    this.counts.requests++;
    this.#answer(api, request, response, target).catch(() =>
      refuse(response, 500, 'internal', 'palimpsest gateway: the request could not be sent on'),
    );
  }

  /** @param {Api} api @param {Incoming} request @param {Outgoing} response @param {{ base: URL, path: string, rest: string }} target */
  async #answer(api, request, response, target) {
    const { chunks, isWhole } = await this.#bodyOf(request);
    if (response.destroyed) return;
    if (!isWhole) {
      this.#countUnchanged('too long');
      return this.#forwarder.forward(request, response, { ...target, body: null, received: chunks });
    }
    const body = chunks.length === 1 ? /** @type {Buffer} */ (chunks[0]) : Buffer.concat(chunks);
    const { sent, observe } = await this.#rewritten(api, request, target.rest, body);
    if (response.destroyed) return;
    const observeSafely = (/** @type {unknown} */ usage) => {
      try {
        observe(usage);
      } catch {
        // An accounting error must not break the agent's request, which keeps its estimated cost.
      }
    };
    const watch = (/** @type {Incoming} */ { statusCode = 0, headers }) =>
      statusCode >= 200 && statusCode < 300 ? new UsageReader(api, headers, observeSafely) : null;
    this.#forwarder.forward(request, response, { ...target, body: sent, watch });
  }

  /** Up to the maximum size; the rest of a longer body can still be read. @param {Incoming} request */
  async #bodyOf(request) {
    /** @type {Buffer[]} */ const chunks = [];
    let length = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > this.#options.maxBytes) return { chunks, isWhole: false };
    }
    return { chunks, isWhole: true };
  }

  /** @param {Api} api @param {Incoming} request @param {string} path @param {Buffer} body */
  async #rewritten(api, { headers }, path, body) {
    const encoding = encodingOf(headers['content-encoding']);
    const decoded = encoding?.decode(body, { maxOutputLength: this.#options.maxBytes }).catch(() => undefined);
    const plain = encoding === null ? body : await decoded;
    if (plain === undefined || !isUtf8(plain)) {
      this.#countUnchanged(plain === undefined ? 'in an encoding that is not read' : 'not JSON');
      return { sent: body, observe: () => {} };
    }
    const { bytes, reason, observe } = await this.#options.rewriter.rewrite(api, { path, headers, bytes: plain });
    if (reason !== undefined) this.#countUnchanged(reason);
    if (bytes === null) return { sent: body, observe };
    this.counts.changed++;
    return { sent: encoding ? await encoding.encode(bytes) : bytes, observe };
  }

  /** @param {string} reason why a request is forwarded unchanged */
  #countUnchanged(reason) {
    this.counts.passed.set(reason, (this.counts.passed.get(reason) ?? 0) + 1);
  }
}

export const gatewayOptions = { help: Boolean, upstream: String, 'dry-run': Boolean };

/** For `run` and `gateway`. @param {import('../command-line.mjs').Values} values @throws {UsageError} */
export async function startGateway(values) {
  const isDry = values['dry-run'] === true;
  const settings = orUsageError(() => loadInternals().gateway.readSettings('the environment', {}, process.env));
  const upstreams = readUpstreams(values.upstream, process.env);
  const folder = stateFolder(process.env);
  const sentFacts = new FactFiles(folder);
  const viewFacts = isDry ? new FactFiles(join(folder, 'dry-run')) : sentFacts;
  const rewriter = new Rewriter({ settings, sentFacts, viewFacts, isDry });
  const gateway = new Gateway({ rewriter, upstreams });
  await gateway.listen(values.port ?? 0);
  const closeAndSummarise = async () => {
    await gateway.close();
    return summaryText(gateway.counts, rewriter.ledger(), isDry);
  };
  return { baseUrls: gateway.baseUrls, closeAndSummarise };
}

/**
 * What a run cost, in two lines; a third says how many requests were forwarded without being understood.
 * @param {Counts} counts @param {{ cost: number, costLeftAlone: number }} ledger in input tokens @param {boolean} isDry
 */
function summaryText({ requests, changed, passed }, { cost, costLeftAlone }, isDry) {
  if (requests === 0) return 'palimpsest: no request for an answer came through the gateway\n';
  const [paid, other] = isDry ? [costLeftAlone, cost] : [cost, costLeftAlone];
  const treatment = isDry ? 'all sent on untouched' : `${changed} with results left out or a breakpoint set`;
  const share = costLeftAlone > 0 ? 1 - cost / costLeftAlone : 0;
  const saved = `${Math.abs(share * 100).toFixed(1)} % ${share < 0 ? 'more' : 'less'}`;
  const lines = [
    `${plural(requests, 'request')}, ${treatment}; prompts cost ${tokensText(paid)} tokens at the price of input`,
    isDry
      ? `with outdated results left out they would have cost ${tokensText(other)} (${saved})`
      : `with nothing left out they would have cost ${tokensText(other)} (this was ${saved})`,
  ];
  const reasons = [...passed].map(([reason, count]) => `${count} ${reason}`);
  if (reasons.length > 0) lines.push(`sent on as they came, and not in these sums: ${reasons.join(', ')}`);
  return lines.map((line) => `palimpsest: ${line}\n`).join('');
}
