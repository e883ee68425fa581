// @ts-check
/**
 * A model on loopback in OpenAI's style, as strict as the strictest provider: it refuses fields that it doesn't know,
 * calls without results, results without calls, and prompts that are too long.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export const SUMMARY_MODEL = 'summary-small';
/** What the mock takes for a token. */
const UNITS_PER_TOKEN = 4;
const KNOWN_FIELDS = new Set(['role', 'content', 'tool_calls', 'tool_call_id']);

/** @typedef {{ say?: string, tool?: string, arguments?: object }} Turn a turn calls one tool, or says something */

/**
 * @param {readonly Turn[]} turns what it does, one request after another; summaries are asked for in between
 * @param {{ windowTokens: number }} limits
 */
export async function startModel(turns, { windowTokens }) {
  /** @type {{ model: string, tokens: number, status: number, text: string }[]} */
  const requests = [];
  let next = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { model, messages } = JSON.parse(body);
    const tokens = Math.ceil(JSON.stringify(messages).length / UNITS_PER_TOKEN);
    const refusal = refusalOf(messages) ?? overflowOf(tokens, windowTokens);
    const status = refusal === undefined ? 200 : 400;
    requests.push({ model, tokens, status, text: body });
    response.writeHead(status, { 'content-type': 'application/json' });
    if (refusal !== undefined) return response.end(JSON.stringify({ error: refusal }));
    const message = model === SUMMARY_MODEL ? { content: summary() } : answerTo(turns[next++], next);
    const usage = {
      prompt_tokens: tokens,
      completion_tokens: Math.ceil(JSON.stringify(message).length / UNITS_PER_TOKEN),
    };
    const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }];
    response.end(JSON.stringify({ model: `${model}-2026-01`, choices, usage }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/v1`, requests, close };
}

/** @param {any[]} messages */
function refusalOf(messages) {
  const refused = (/** @type {string} */ message) => ({
    message,
    type: 'invalid_request_error',
    code: 'invalid_value',
  });
  /** @type {Set<string>} */
  const open = new Set();
  for (const message of messages) {
    const unknown = Object.keys(message).find((field) => !KNOWN_FIELDS.has(field));
    if (unknown !== undefined) return refused(`Unrecognized request argument supplied: ${unknown}`);
    if (message.role === 'tool' ? !open.delete(message.tool_call_id) : open.size > 0) {
      return refused('tool calls and tool results must follow each other');
    }
    for (const call of message.tool_calls ?? []) open.add(call.id);
  }
  return open.size > 0 ? refused('a tool call has no result') : undefined;
}

/** @param {number} tokens @param {number} most */
function overflowOf(tokens, most) {
  if (tokens <= most) return undefined;
  const message = `This model's maximum context length is ${most} tokens. However, your messages resulted in ${tokens} tokens.`;
  return { message, type: 'invalid_request_error', code: 'context_length_exceeded' };
}

/** @param {Turn | undefined} turn @param {number} number */
function answerTo(turn, number) {
  if (turn?.tool === undefined) return { content: turn?.say ?? 'Done.' };
  const call = { name: turn.tool, arguments: JSON.stringify(turn.arguments ?? {}) };
  return { content: turn.say ?? '', tool_calls: [{ id: `call_${number}`, type: 'function', function: call }] };
}

function summary() {
  const sections = ['Goal', 'Decisions', 'Done', 'Open', 'Files', 'Failed attempts'];
  return sections.map((name) => `## ${name}\nWhat the history says of it.`).join('\n\n');
}
