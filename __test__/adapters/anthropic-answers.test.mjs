// @ts-check
/** Responses of Anthropic's API: the middleware reads their usage, and the client receives them unchanged. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { middleware } from 'palimpsest/anthropic';
import { clientWith, eventsOf, firstMessage, json, messageOf, PARAMS, turn } from '../support/adapters/anthropic.mjs';

const MINUTE = 60_000;
const START = Date.UTC(2026, 9, 1);

beforeEach(() => mock.timers.enable({ apis: ['Date'], now: START }));
afterEach(() => mock.timers.reset());

const waitMinutes = (/** @type {number} */ minutes) => mock.timers.setTime(Date.now() + minutes * MINUTE);
const streamResponse = (/** @type {string[]} */ events) =>
  new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });

describe('palimpsest/anthropic: responses', () => {
  /** The ledger's cost of 30 requests. @param {(body: any) => Response} respond @param {boolean} isStreamed */
  const costWith = async (respond, isStreamed) => {
    mock.timers.setTime(START);
    const adapter = middleware();
    const { client } = clientWith([adapter], respond);
    const messages = firstMessage('one');
    for (let step = 0; step < 30; step++) {
      waitMinutes(1);
      if (isStreamed) await client.messages.stream({ ...PARAMS, messages }).finalMessage();
      else await client.messages.create({ ...PARAMS, messages });
      messages.push(...turn('one', step));
    }
    return adapter.ledger().cost;
  };
  const COLD_COST = 30 * 1.25 * 5_000;
  const WARM_COST = 30 * (1.25 * 5_000 + 0.1 * 90_000);
  const usageOf = (/** @type {number} */ cached) => ({
    input_tokens: 5_000,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: 7,
  });

  for (const isStreamed of [false, true]) {
    test(`R10.6 the usage of a ${isStreamed ? 'streamed' : 'whole'} response corrects the ledger`, async () => {
      const respondWith = (/** @type {number} */ cached) => () => {
        const message = messageOf(undefined, usageOf(cached));
        return isStreamed ? streamResponse(eventsOf(message)) : json(message);
      };
      assert.equal(await costWith(respondWith(90_000), isStreamed), WARM_COST);
      assert.equal(await costWith(respondWith(0), isStreamed), COLD_COST);
    });
  }

  test("R10.6 the usage of a stream's last event corrects the ledger if its first event reports zero tokens", async () => {
    const responseWithLateUsage = () => {
      const events = eventsOf(messageOf(undefined, { ...usageOf(0), input_tokens: 0 }));
      const lateUsage = `"usage":${JSON.stringify(usageOf(0))}`;
      return streamResponse(
        events.map((event) => (event.includes('message_delta') ? event.replace(/"usage":\{.*?\}/, lateUsage) : event)),
      );
    };
    assert.equal(await costWith(responseWithLateUsage, true), COLD_COST);
  });

  test('the client receives a stream with unchanged bytes and headers, whatever the size of its chunks', async () => {
    const text = eventsOf(messageOf([{ type: 'text', text: '不好 😀' }])).join('');
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 7, 64, bytes.length]) {
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
      const headers = { 'content-type': 'text/event-stream', 'request-id': 'req_1' };
      const { client } = clientWith([middleware()], () => new Response(ReadableStream.from(chunks), { headers }));
      const params = { ...PARAMS, messages: firstMessage('one'), stream: true };
      const response = await client.messages.create(params).asResponse();
      assert.equal(response.headers.get('request-id'), 'req_1');
      assert.equal(await response.text(), text);
    }
  });

  test('R13.4 a stream that the client abandons is cancelled at the provider, and the next request is unchanged', async () => {
    let isCancelled = false;
    const events = eventsOf(messageOf());
    const { client, bodies } = clientWith([middleware()], (_body, count) => {
      if (count > 0) return undefined;
      const stream = new ReadableStream({
        pull: async (controller) => {
          const event = events.shift();
          if (event?.includes('content_block_stop')) await new Promise(() => {});
          controller.enqueue(new TextEncoder().encode(event));
        },
        cancel: () => {
          isCancelled = true;
        },
      });
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    });
    const messages = [...firstMessage('one'), ...turn('one', 0)];
    for await (const event of await client.messages.create({ ...PARAMS, messages, stream: true })) {
      if (event.type === 'content_block_delta') break;
    }
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(isCancelled);
    messages.push(...turn('one', 1));
    await client.messages.create({ ...PARAMS, messages });
    assert.deepEqual(bodies[1].messages, messages);
  });

  test('error responses, invalid JSON and requests to other endpoints pass through the middleware unchanged', async () => {
    const { client, bodies } = clientWith([middleware({ cacheControl: true })], (body) => {
      if (body.max_tokens === 1)
        return json({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 400);
      if (body.max_tokens === 2) return new Response('{"broken', { headers: { 'content-type': 'application/json' } });
      return json({ input_tokens: 5 });
    });
    const messages = firstMessage('one');
    await assert.rejects(client.messages.create({ ...PARAMS, max_tokens: 1, messages }), { status: 400 });
    await assert.rejects(client.messages.create({ ...PARAMS, max_tokens: 2, messages }), SyntaxError);
    assert.deepEqual(await client.messages.countTokens({ model: 'claude', messages }), { input_tokens: 5 });
    assert.deepEqual(bodies.at(-1).messages, messages);
  });
});
