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
 * @typedef {object} Asked a request of any API
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
 * @typedef {{ read(parts: readonly import('./prompt-cache.mjs').Part[], price: import('palimpsest').PricesLike, asked: Asked): Omit<Usage, 'completion'> }} Cache
 * @typedef {{ id: string, text: string, calls: { id: string, name: string, arguments: object }[] }} Answer
 *
 * @typedef {object} Wire
 * @property {string} name
 * @property {(path: string) => boolean} takes
 * @property {(body: any, path: string) => Asked} read
 * @property {(asked: Asked) => string[]} problems reasons why a strict provider would reject it; empty if it is valid
 * @property {(answer: Answer, usage: Usage, asked: Asked) => object} body
 * @property {(answer: Answer, usage: Usage, asked: Asked) => { event?: string, data: unknown }[]} events the same as a
 *   stream
 * @property {(message: string, code: string) => object} error
 *
 * @typedef {{ model: string, wire: string, status: number, tokens: number, text: string, problems: string[] }} Received
 */

/** A model with this name writes summaries. */
export const SUMMARY_MODEL = 'summary-small';
/** Size of a token in this mock. */
const BYTES_PER_TOKEN = 4;

/**
 * @param {object} options
 * @param {(step: number, asked: Asked) => Turn | undefined} options.script the model's turns; undefined: the model says
 *   that it is done
 * @param {import('palimpsest').PricesLike} [options.price] price list for reported usage; default: Anthropic's with
 *   five minutes
 * @param {number} [options.windowTokens] longer prompts are rejected
 * @param {() => number} [options.clock] in ms
 * @param {Cache} [options.reads] cache that determines the reported usage; default: one that keeps every prefix
 */
export async function startProvider(options) {
  const { script, price = 'anthropic', windowTokens = Infinity, clock = Date.now } = options;
  const cache = new PromptCache(clock);
  const { reads = cache } = options;
  /** @type {Received[]} */
  const requests = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const wire = WIRES.find(({ takes }) => takes(path));
    // Codex tries a websocket first.
    if (request.headers.upgrade !== undefined) return response.writeHead(426).end();
    if (wire === undefined) return response.writeHead(404).end();
    const asked = wire.read(JSON.parse(text), path);
    const parts = asked.prefix.map(weighed);
    const tokens = sum(parts.map((part) => part.tokens));
    const problems = wire.problems(asked);
    const refusal = problems.length > 0 ? problems.join('; ') : overflow(tokens, windowTokens);
    const received = {
      model: asked.model,
      wire: wire.name,
      status: refusal === undefined ? 200 : 400,
      tokens,
      text: asked.seen === undefined ? text : JSON.stringify(asked.seen),
      problems,
    };
    requests.push(received);
    if (refusal !== undefined) return json(response, 400, wire.error(refusal, codeOf(problems)));
    const turn = asked.model === SUMMARY_MODEL ? summary() : script(stepOf(asked), asked);
    received.status = turn?.status ?? 200;
    if (received.status !== 200)
      return json(response, received.status, wire.error('The model is overloaded.', 'overloaded'));
    const answer = answered(turn, stepOf(asked), requests.length);
    const usage = { ...reads.read(parts, price, asked), completion: weighed(turn).tokens };
    if (asked.stream) stream(response, wire.events(answer, usage, asked));
    else json(response, 200, wire.body(answer, usage, asked));
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
    bill: (by = price) => cache.bill(by),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Number of the model's current step. It is part of the call ids, so that a compressed history continues correctly. @param {Asked} asked */
function stepOf({ turns, lastCallId }) {
  const step = /^call_(\d+)_/.exec(lastCallId ?? '')?.[1];
  return step === undefined ? turns : Number(step) + 1;
}

/** @param {Turn | undefined} turn @param {number} step @param {number} number of the request @returns {Answer} */
function answered(turn, step, number) {
  // Ids must be unique: SDKs that store messages or calls keep only the last one with an id.
  const calls = (turn?.calls ?? []).map((call, at) => ({ ...call, id: `call_${step}_${at}_${number}` }));
  return { id: `answer_${number}`, text: turn?.text ?? (turn?.calls ? '' : 'Done.'), calls };
}

/** @returns {Turn} */
function summary() {
  const sections = ['Goal', 'Decisions', 'Done', 'Open', 'Files', 'Failed attempts'];
  return { text: sections.map((name) => `## ${name}\nWhat the history says of it.`).join('\n\n') };
}

/** @param {number} tokens @param {number} most */
function overflow(tokens, most) {
  if (tokens <= most) return undefined;
  return `This model's maximum context length is ${most} tokens. However, your messages resulted in ${tokens} tokens.`;
}

/** @param {readonly string[]} problems */
const codeOf = (problems) => (problems.length > 0 ? 'invalid_value' : 'context_length_exceeded');

/** @param {unknown} part */
function weighed(part) {
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
