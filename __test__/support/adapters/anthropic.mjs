// @ts-check
/**
 * Anthropic's API and clients for tests of the middleware: assistant messages, streams, and the requests that were
 * sent.
 */
import Anthropic from '@anthropic-ai/sdk';
import { problemsIn } from '../providers/anthropic.mjs';
import { signatureOf } from '../providers/signatures.mjs';
import { callsOf, sharedPrefix } from './tool-loop.mjs';

/** @typedef {import('@anthropic-ai/sdk').Middleware} Middleware */

const USAGE = { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 90, output_tokens: 3 };

/** The API's response as a message. @param {object[]} [content] @param {object} [usage] */
export const messageOf = (content = [{ type: 'text', text: 'Done.' }], usage = USAGE) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
});

/** The stream events of an assistant message, as the API sends them. @param {any} message */
export function eventsOf({ content, ...message }) {
  const { output_tokens, ...prompt } = message.usage;
  /** @type {any[]} */
  const events = [
    { type: 'message_start', message: { ...message, content: [], usage: { ...prompt, output_tokens: 1 } } },
  ];
  for (const [index, block] of content.entries()) {
    const delta = { type: 'text_delta', text: block.text };
    events.push(
      { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    );
  }
  const delta = { stop_reason: message.stop_reason, stop_sequence: null };
  events.push({ type: 'message_delta', delta, usage: { output_tokens } }, { type: 'message_stop' });
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/**
 * A client whose requests are recorded, each validated like at a strict endpoint.
 * @param {Middleware[]} middleware
 * @param {(body: any, count: number, bodies: readonly any[]) => Response | undefined} [respond] returns the response;
 *   undefined: a plain assistant message
 */
export function clientWith(middleware, respond = () => undefined) {
  /** @type {any[]} */
  const bodies = [];
  /** @type {string[]} */
  const problems = [];
  const fetch = async (/** @type {any} */ _url, /** @type {any} */ init) => {
    const body = JSON.parse(init.body);
    bodies.push(body);
    problems.push(...problemsIn(body.messages));
    const response = respond(body, bodies.length - 1, bodies);
    if (response !== undefined) return response;
    if (body.stream)
      return new Response(eventsOf(messageOf()).join(''), { headers: { 'content-type': 'text/event-stream' } });
    return json(messageOf());
  };
  const client = new Anthropic({ apiKey: 'none', fetch, middleware, logLevel: 'off' });
  return { client, bodies, problems };
}

/** @param {object} body @param {number} [status] */
export const json = (body, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** @param {string} name of the conversation @param {number} step @returns {Anthropic.MessageParam[]} */
export function turn(name, step) {
  const calls = callsOf(name, step);
  const thinking = `What does step ${step} show?`;
  return [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking, signature: signatureOf(thinking) },
        { type: 'text', text: `Step ${step}.` },
        ...calls.map(({ id, name: tool, input }) => ({
          type: /** @type {const} */ ('tool_use'),
          id,
          name: tool,
          input,
        })),
      ],
    },
    {
      role: 'user',
      content: calls.map(({ id, output }) => ({
        type: /** @type {const} */ ('tool_result'),
        tool_use_id: id,
        content: output,
      })),
    },
  ];
}

/** The beginning of a conversation. @param {string} name @returns {Anthropic.MessageParam[]} */
export const firstMessage = (name) => [{ role: 'user', content: `Find the mistake in ${name}.` }];

export const PARAMS = { model: 'claude', max_tokens: 99, system: 'You are an agent.' };

/** A request's results, by the id of their call. @param {any} body @returns {Map<string, any>} */
export const resultsIn = (body) =>
  new Map(
    body.messages
      .flatMap((/** @type {any} */ message) => (Array.isArray(message.content) ? message.content : []))
      .filter((/** @type {any} */ block) => block.type === 'tool_result')
      .map((/** @type {any} */ block) => [block.tool_use_id, block]),
  );

/** Ids of calls whose results are placeholders. @param {any} body @returns {string[]} */
export const replacedIn = (body) =>
  [...resultsIn(body)].filter(([, { content }]) => JSON.stringify(content).length < 200).map(([id]) => id);

/**
 * Plays a conversation of `steps` steps with one request each: one step per minute, with a break after every twelfth.
 * @param {Anthropic} client
 * @param {string} name
 * @param {number} steps
 * @param {(minutes: number) => void} wait
 */
export async function play(client, name, steps, wait, messages = firstMessage(name)) {
  for (let step = 0; step < steps; step++) {
    messages.push(...turn(name, step));
    wait(step % 12 === 11 ? 20 : 1);
    await client.messages.create({ ...PARAMS, messages });
  }
  return messages;
}

/**
 * A response with the usage of a cache that contains everything sent before.
 * @param {any} body @param {number} _count @param {readonly any[]} bodies
 */
export function reportOf(body, _count, bodies) {
  const size = (/** @type {any[]} */ list) => Math.ceil(JSON.stringify(list).length / 4);
  const shared = size(body.messages.slice(0, sharedPrefix(body.messages, bodies.at(-2)?.messages ?? [])));
  const usage = {
    ...USAGE,
    cache_read_input_tokens: shared,
    cache_creation_input_tokens: size(body.messages) - shared,
  };
  return json(messageOf(undefined, usage));
}
