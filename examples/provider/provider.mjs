// @ts-check
/**
 * A provider on loopback: it answers by a script, refuses what a strict provider refuses, and bills what it is sent as a
 * prompt cache would. All examples and their tests talk to it.
 *
 * It speaks several APIs. Each is a file in `wire/` and a line in `wires.mjs`, and tells four things (`Wire` below): which
 * paths are its own, what a request holds, why it would be refused, and how an answer is written, whole and as a stream.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { PromptCache } from './prompt-cache.mjs';
import { WIRES } from './wires.mjs';

/**
 * @typedef {{ name: string, arguments: object }} Call
 * @typedef {{ text?: string, calls?: readonly Call[], status?: number }} Turn what the model says and calls; with a status, it fails
 *
 * @typedef {object} Asked a request, whichever API it came by
 * @property {string} model
 * @property {boolean} stream
 * @property {readonly any[]} messages in the API's own form
 * @property {readonly any[]} [seen] what the API itself makes of them for its model
 * @property {readonly unknown[]} prefix all that a cache sees, in the order in which it does: tools, system prompt, messages;
 *   without the marks that are for the cache itself
 * @property {number} turns how often the model has answered in them
 * @property {string} [lastCallId] of the newest call, where the API has ids
 * @property {number[]} [marked] of the prefix, parts up to which the cache is told to keep it, where the API has such marks
 *
 * @typedef {{ total: number, cached: number, written?: number, completion: number }} Usage in tokens; `written` into the cache, all that
 *   wasn't cached where nothing is said
 * @typedef {{ read(parts: readonly import('./prompt-cache.mjs').Part[], price: import('palimpsest').PricesLike, asked: Asked): Omit<Usage, 'completion'> }} Cache
 * @typedef {{ id: string, text: string, calls: { id: string, name: string, arguments: object }[] }} Answer
 *
 * @typedef {object} Wire
 * @property {string} name
 * @property {(path: string) => boolean} takes
 * @property {(body: any, path: string) => Asked} read
 * @property {(asked: Asked) => string[]} problems why a strict provider would refuse it; none when it would not
 * @property {(answer: Answer, usage: Usage, asked: Asked) => object} body
 * @property {(answer: Answer, usage: Usage, asked: Asked) => { event?: string, data: unknown }[]} events the same, streamed
 * @property {(message: string, code: string) => object} error
 *
 * @typedef {{ model: string, wire: string, status: number, tokens: number, text: string, problems: string[] }} Received
 */

/** A model of this name writes summaries. */
export const SUMMARY_MODEL = 'summary-small';
/** What the mock takes for a token. */
const BYTES_PER_TOKEN = 4;

/**
 * @param {object} options
 * @param {(step: number, asked: Asked) => Turn | undefined} options.script what the model does; it says that it is done where
 *   there is nothing
 * @param {import('palimpsest').PricesLike} [options.price] by which usage is reported; default Anthropic's of five minutes
 * @param {number} [options.windowTokens] longer prompts are refused
 * @param {() => number} [options.clock] in ms
 * @param {Cache} [options.reads] what usage is reported by, in place of a cache that keeps every prefix
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
    // Codex asks for a websocket first.
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
    /** Where the server is; an SDK's base URL is this and the part of the path that is the API's. */
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Those that were refused for what they hold. */
    get refused() {
      return requests.filter(({ status }) => status === 400);
    },
    /** What all requests that were answered cost by a price list. @param {import('palimpsest').PricesLike} [by] */
    bill: (by = price) => cache.bill(by),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Which step the model is at. Its ids of calls say it, so that a history which was compressed meanwhile goes on.
 * @param {Asked} asked
 */
function stepOf({ turns, lastCallId }) {
  const step = /^call_(\d+)_/.exec(lastCallId ?? '')?.[1];
  return step === undefined ? turns : Number(step) + 1;
}

/** @param {Turn | undefined} turn @param {number} step @param {number} number of the request @returns {Answer} */
function answered(turn, step, number) {
  // Never twice the same: of two messages, or calls, with one id, SDKs that store them keep the second.
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
