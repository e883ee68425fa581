// @ts-check
/** A client that sends requests through a gateway to a provider with a prompt cache. */
import { startProvider } from '../../examples/provider/provider.mjs';
import { KINDS, START, send, startGateway } from './gateway.mjs';

/**
 * @typedef {object} ConversationRun
 * @property {string} kind
 * @property {number} [requests]
 * @property {(request: number) => number} [pauseMs] pause before a request
 * @property {boolean} [isDry]
 * @property {string | null} [folder]
 * @property {(request: number) => boolean} [restarts] true: restart the gateway before this request
 * @property {Record<string, unknown>} [fields] additional fields of each body
 */

/** @param {import('./gateway.mjs').Test} t @param {ConversationRun} run */
export async function runConversation(
  t,
  { kind, requests = 60, pauseMs = () => 20_000, isDry = false, folder = null, restarts, fields = {} },
) {
  let now = START;
  const clock = () => now;
  const price = kind === 'anthropic' || kind === 'gemini' ? kind : 'openai';
  const provider = await startProvider({ script: () => ({ text: 'I go on.' }), clock, price });
  t.after(() => provider.close());
  const options = { upstream: provider.url, isDry, folder, clock };
  let { gateway, rewriter, urls } = await startGateway(t, options);
  const { provider: mount, path, body } = KINDS[kind];
  for (let request = 0; request < requests; request++) {
    now += pauseMs(request);
    if (restarts?.(request)) ({ gateway, rewriter, urls } = await startGateway(t, options));
    const answer = await send(`${urls[mount]}${path}`, { body: JSON.stringify({ ...body(request), ...fields }) });
    if (answer.status !== 200) throw new Error(`request ${request}: ${answer.body}`);
  }
  const texts = provider.requests.map(({ text }) => text);
  return { bill: provider.bill(), refused: provider.refused, texts, gateway, ledger: rewriter.ledger() };
}
