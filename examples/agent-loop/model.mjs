// @ts-check
/**
 * An OpenAI-compatible model on loopback. It follows the script for the agent's requests, and summarises for the
 * compression's requests.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export const AGENT_MODEL = 'agent-large';
export const SUMMARY_MODEL = 'summary-small';

/**
 * @typedef {{ content: string, tool_calls?: { id: string, type: 'function', function: { name: string, arguments: string } }[] }} Answer
 */

/**
 * Starts the model's server.
 * @param {readonly import('./script.mjs').Turn[]} turns
 * @param {(messages: any[], tools?: any[]) => number} countTokens counts a request's tokens
 */
export async function startModel(turns, countTokens) {
  let next = 0;
  let isOutage = false;
  const server = createServer(async (request, response) => {
    const { model, messages, tools } = JSON.parse(await text(request));
    const send = (/** @type {number} */ status, /** @type {object} */ body) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (model === SUMMARY_MODEL && isOutage) return send(503, { error: { message: 'overloaded' } });
    const message = model === SUMMARY_MODEL ? summaryOf(messages) : answerTo(turns[next++], next);
    send(200, {
      model,
      choices: [{ message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
      usage: { prompt_tokens: countTokens(messages, tools), completion_tokens: countTokens([message]) },
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/v1`,
    /** @param {boolean} fails true: reject requests for summaries */
    setOutage(fails) {
      isOutage = fails;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @param {import('./script.mjs').Turn | undefined} turn @param {number} number @returns {Answer} */
function answerTo(turn, number) {
  const calls = (turn?.calls ?? []).map((call, index) => ({
    id: `call_${number}_${index}`,
    type: /** @type {const} */ ('function'),
    function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
  }));
  return { content: turn?.say ?? 'Done.', ...(calls.length > 0 && { tool_calls: calls }) };
}

/** @param {{ content: string }[]} messages @returns {Answer} */
function summaryOf(messages) {
  const shown = messages.map(({ content }) => content).join('\n');
  const days = new Set(Array.from(shown.matchAll(/logs\/day-(\d+)\.log/g), ([, day]) => Number(day)));
  days.delete(99);
  const known = [...days].sort((a, b) => a - b);
  const sections = {
    Goal: "Find the errors in the service's logs (port 8473) with analyse.mjs, day by day.",
    Decisions: 'Logs are never changed once written.',
    Done: `Worked on days ${known.join(', ')}.`,
    Open: `The days after ${known.at(-1) ?? 0}.`,
    Files: 'make-log.mjs writes a day’s log; analyse.mjs prints its errors and warnings.',
    'Failed attempts': 'logs/day-99.log does not exist.',
  };
  return {
    content: Object.entries(sections)
      .map(([name, body]) => `## ${name}\n${body}`)
      .join('\n\n'),
  };
}
