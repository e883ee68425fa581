// @ts-check
/**
 * A mock provider on loopback. It answers by a script, rejects what a strict provider rejects, and bills requests like
 * a prompt cache. All examples and their tests use it.
 *
 * It supports several APIs. Each is a file in `wire/` and a line in `wires.mjs`, and defines (`Wire` below) its paths,
 * how to read and validate a request, and how to write a response, whole or streamed.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { PromptCache } from './prompt-cache.mjs';
import { WIRES } from './wires.mjs';

/**
 * @typedef {{ name: string, arguments: object }} Call
 * @typedef {{ text?: string, calls?: readonly Call[], status?: number }} Turn the model's text and tool calls; with
 *   `status` the request fails
 *
 * @typedef {object} ParsedRequest a request of any API, as `Wire.read` returns it
 * @property {string} model
 * @property {boolean} stream
 * @property {readonly any[]} messages messages in the API's own form
 * @property {readonly any[]} [seen] the messages after the API's own context editing
 * @property {readonly unknown[]} prefix everything the cache compares, in order: tools, system prompt, messages;
 *   without cache breakpoints
 * @property {number} turns number of assistant messages in the request
 * @property {string} [lastCallId] id of the newest tool call, if the API has ids
 * @property {number[]} [marked] indexes of parts of `prefix` with a cache breakpoint, if the API has breakpoints
 *
 * @typedef {{ total: number, cached: number, written?: number, completion: number }} Usage in tokens; `written`:
 *   written to the cache (default: everything not cached)
 * @typedef {{ read(parts: readonly import('./prompt-cache.mjs').Part[], price: import('palimpsest').PricesLike, parsed: ParsedRequest): Omit<Usage, 'completion'> }} Cache
 * @typedef {{ id: string, text: string, calls: { id: string, name: string, arguments: object }[] }} Answer
 *
 * @typedef {object} Wire an API: how its requests and responses are written
 * @property {string} name
 * @property {(path: string) => boolean} takes true for the API's paths
 * @property {(body: any, path: string) => ParsedRequest} read
 * @property {(parsed: ParsedRequest) => string[]} problems reasons why a strict provider would reject it; empty if it is valid
 * @property {(answer: Answer, usage: Usage, parsed: ParsedRequest) => object} body
 * @property {(answer: Answer, usage: Usage, parsed: ParsedRequest) => { event?: string, data: unknown }[]} events the same as a
 *   stream
 * @property {(message: string, code: string) => object} error
 *
 * @typedef {{ model: string, wire: string, status: number, tokens: number, text: string, problems: string[] }} Received a
 *   request and what became of it
 */

/** A model with this name writes summaries. */
export const SUMMARY_MODEL = 'summary-small';
/** Size of a token in this mock. */
const BYTES_PER_TOKEN = 4;

/**
 * Starts the mock provider on any free port.
 * @param {object} options
 * @param {(step: number, parsed: ParsedRequest) => Turn | undefined} options.script the model's turns; undefined: the model says
 *   that it is done
 * @param {import('palimpsest').PricesLike} [options.price] price list for reported usage; default: Anthropic's with
 *   five minutes
 * @param {number} [options.windowTokens] longer prompts are rejected
 * @param {() => number} [options.clock] in ms
 * @param {Cache} [options.cache] cache that determines the reported usage; default: one that keeps every prefix
 */
export async function startProvider(options) {
  const { script, price = 'anthropic', windowTokens = Infinity, clock = Date.now } = options;
  const billingCache = new PromptCache(clock);
  const { cache = billingCache } = options;
  /** @type {Received[]} */
  const requests = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const wire = WIRES.find(({ takes }) => takes(path));
    // Codex tries a websocket first.
    if (request.headers.upgrade !== undefined) return response.writeHead(426).end();
    if (wire === undefined) return response.writeHead(404).end();
    const parsed = wire.read(JSON.parse(text), path);
    const parts = parsed.prefix.map(withSize);
    const tokens = sum(parts.map((part) => part.tokens));
    const problems = wire.problems(parsed);
    const refusal = problems.length > 0 ? problems.join('; ') : overflow(tokens, windowTokens);
    const received = {
      model: parsed.model,
      wire: wire.name,
      status: refusal === undefined ? 200 : 400,
      tokens,
      text: parsed.seen === undefined ? text : JSON.stringify(parsed.seen),
      problems,
    };
    requests.push(received);
    if (refusal !== undefined) return json(response, 400, wire.error(refusal, codeOf(problems)));
    const turn = parsed.model === SUMMARY_MODEL ? summaryTurn() : script(stepOf(parsed), parsed);
    received.status = turn?.status ?? 200;
    if (received.status !== 200)
      return json(response, received.status, wire.error('The model is overloaded.', 'overloaded'));
    const answer = answerOf(turn, stepOf(parsed), requests.length);
    const usage = { ...cache.read(parts, price, parsed), completion: withSize(turn).tokens };
    if (parsed.stream) stream(response, wire.events(answer, usage, parsed));
    else json(response, 200, wire.body(answer, usage, parsed));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    /** The server's address; an SDK's base URL also has the API's path. */
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Requests that were rejected as invalid. */
    get refused() {
      return requests.filter(({ status }) => status === 400);
    },
    /** Cost of all answered requests under a price list. @param {import('palimpsest').PricesLike} [by] */
    bill: (by = price) => billingCache.bill(by),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Number of the model's current step. It is part of the call ids, so that a compressed history continues correctly.
 * @param {ParsedRequest} parsed
 */
function stepOf({ turns, lastCallId }) {
  const step = /^call_(\d+)_/.exec(lastCallId ?? '')?.[1];
  return step === undefined ? turns : Number(step) + 1;
}

/** @param {Turn | undefined} turn @param {number} step @param {number} number of the request @returns {Answer} */
function answerOf(turn, step, number) {
  // Ids must be unique: SDKs that store messages or calls keep only the last one with an id.
  const calls = (turn?.calls ?? []).map((call, index) => ({ ...call, id: `call_${step}_${index}_${number}` }));
  return { id: `answer_${number}`, text: turn?.text ?? (turn?.calls ? '' : 'Done.'), calls };
}

/** @returns {Turn} */
function summaryTurn() {
  const sections = ['Goal', 'Decisions', 'Done', 'Open', 'Files', 'Failed attempts'];
  return { text: sections.map((name) => `## ${name}\nWhat the history says of it.`).join('\n\n') };
}

/** The error message of a prompt that is too long. @param {number} tokens @param {number} most */
function overflow(tokens, most) {
  if (tokens <= most) return undefined;
  return `This model's maximum context length is ${most} tokens. However, your messages resulted in ${tokens} tokens.`;
}

/** @param {readonly string[]} problems */
const codeOf = (problems) => (problems.length > 0 ? 'invalid_value' : 'context_length_exceeded');

/** A part's bytes and tokens. @param {unknown} part */
function withSize(part) {
  const bytes = JSON.stringify(part) ?? '';
  return { bytes, tokens: Math.ceil(Buffer.byteLength(bytes) / BYTES_PER_TOKEN) };
}

/** @param {readonly number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @param {import('node:http').ServerResponse} response @param {number} status @param {object} body */
function json(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** @param {import('node:http').ServerResponse} response @param {{ event?: string, data: unknown }[]} events */
function stream(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, data } of events) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}
