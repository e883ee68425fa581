// @ts-check
/** A provider on loopback that bills what it is sent as a prompt cache would, and refuses unpaired calls and results. */
import { createServer } from 'node:http';

/** Prices in units of the base price of input: Anthropic's cache of five minutes. */
const PRICE = { read: 0.1, write: 1.25, ttlMs: 300_000, minTokens: 1024 };

/** @returns {Promise<{ url: string, close(): void }>} */
export async function startProvider() {
  /** By session: what was sent last, and when. @type {Map<string, { parts: string[], time: number }>} */
  const caches = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { session, messages, time } = JSON.parse(Buffer.concat(chunks).toString());
    const refusal = problemIn(messages);
    if (refusal !== undefined) {
      response.writeHead(400).end(JSON.stringify({ error: { message: refusal } }));
      return;
    }
    const parts = messages.map((/** @type {any} */ message) => JSON.stringify(message));
    const usage = billed(parts, time, caches.get(session));
    caches.set(session, { parts, time });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ usage }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/**
 * @param {string[]} parts
 * @param {number} time
 * @param {{ parts: string[], time: number } | undefined} before
 */
function billed(parts, time, before) {
  let shared = 0;
  while (shared < parts.length && parts[shared] === before?.parts[shared]) shared++;
  const tokensOf = (/** @type {string[]} */ texts) => texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  const isWarm = before !== undefined && time - before.time <= PRICE.ttlMs;
  const prefix = tokensOf(parts.slice(0, shared));
  const cached = isWarm && prefix >= PRICE.minTokens ? prefix : 0;
  const total = tokensOf(parts);
  return {
    input_tokens: 0,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: total - cached,
    cost: PRICE.read * cached + PRICE.write * (total - cached),
  };
}

/** What a strict provider would refuse. @param {any[]} messages */
function problemIn(messages) {
  let open = new Set();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) return `a result of no call: ${message.tool_call_id}`;
      continue;
    }
    if (open.size > 0) return `a call without a result: ${[...open].join(', ')}`;
    open = new Set((message.tool_calls ?? []).map((/** @type {any} */ call) => call.id));
  }
  return undefined;
}
