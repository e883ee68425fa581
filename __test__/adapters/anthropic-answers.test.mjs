// @ts-check
/** What comes back from Anthropic: its usage is read, and all of it goes to the client as it came. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { middleware } from 'palimpsest/anthropic';
import { answer, begun, clientWith, eventsOf, json, PARAMS, turn } from '../support/adapters/anthropic.mjs';

const MINUTE = 60_000;
const START = Date.UTC(2026, 9, 1);

beforeEach(() => mock.timers.enable({ apis: ['Date'], now: START }));
afterEach(() => mock.timers.reset());

const wait = (/** @type {number} */ minutes) => mock.timers.setTime(Date.now() + minutes * MINUTE);
const streamed = (/** @type {string[]} */ events) =>
  new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });

describe('palimpsest/anthropic: responses', () => {
  /** The bill of 30 requests. @param {(body: any) => Response} respond @param {boolean} stream */
  const billOf = async (respond, stream) => {
    mock.timers.setTime(START);
    const ours = middleware();
    const { client } = clientWith([ours], respond);
    const messages = begun('one');
    for (let step = 0; step < 30; step++) {
      wait(1);
      if (stream) await client.messages.stream({ ...PARAMS, messages }).finalMessage();
      else await client.messages.create({ ...PARAMS, messages });
      messages.push(...turn('one', step));
    }
    return ours.ledger().cost;
  };
  const COLD = 30 * 1.25 * 5_000;
  const WARM = 30 * (1.25 * 5_000 + 0.1 * 90_000);
  const usageOf = (/** @type {number} */ cached) => ({
    input_tokens: 5_000,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: 7,
  });

  test('R10.6 the usage of a whole response corrects the ledger', async () => {
    assert.equal(await billOf(() => json(answer(undefined, usageOf(90_000))), false), WARM);
    assert.equal(await billOf(() => json(answer(undefined, usageOf(0))), false), COLD);
  });

  test('R10.6 the usage of a streamed response corrects the ledger', async () => {
    assert.equal(await billOf(() => streamed(eventsOf(answer(undefined, usageOf(90_000)))), true), WARM);
    assert.equal(await billOf(() => streamed(eventsOf(answer(undefined, usageOf(0)))), true), COLD);
  });

  test("R10.6 the usage of a stream's last event corrects the ledger if its first event reports zero tokens", async () => {
    const late = () => {
      const events = eventsOf(answer(undefined, { ...usageOf(0), input_tokens: 0 }));
      const usage = { ...usageOf(0) };
      return streamed(
        events.map((event) =>
          event.includes('message_delta')
            ? event.replace(/"usage":\{.*?\}/, `"usage":${JSON.stringify(usage)}`)
            : event,
        ),
      );
    };
    assert.equal(await billOf(late, true), COLD);
  });

  test('the client receives a stream with unchanged bytes and headers, whatever the size of its chunks', async () => {
    const text = eventsOf(answer([{ type: 'text', text: '不好 😀' }])).join('');
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 7, 64, bytes.length]) {
      const pieces = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size));
      const { client } = clientWith(
        [middleware()],
        () =>
          new Response(ReadableStream.from(pieces), {
            headers: { 'content-type': 'text/event-stream', 'request-id': 'req_1' },
          }),
      );
      const response = await client.messages.create({ ...PARAMS, messages: begun('one'), stream: true }).asResponse();
      assert.equal(response.headers.get('request-id'), 'req_1');
      assert.equal(await response.text(), text);
    }
  });

  test('R13.4 a stream that the client abandons is cancelled at the provider, and the next request is unchanged', async () => {
    let isCancelled = false;
    const events = eventsOf(answer());
    const { client, bodies } = clientWith([middleware()], (_body, count) => {
      if (count > 0) return undefined;
      const stream = new ReadableStream({
        pull: async (to) => {
          const event = events.shift();
          if (event?.includes('content_block_stop')) await new Promise(() => {});
          to.enqueue(new TextEncoder().encode(event));
        },
        cancel: () => {
          isCancelled = true;
        },
      });
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    });
    const messages = [...begun('one'), ...turn('one', 0)];
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
    const messages = begun('one');
    await assert.rejects(client.messages.create({ ...PARAMS, max_tokens: 1, messages }), { status: 400 });
    await assert.rejects(client.messages.create({ ...PARAMS, max_tokens: 2, messages }), SyntaxError);
    assert.deepEqual(await client.messages.countTokens({ model: 'claude', messages }), { input_tokens: 5 });
    assert.deepEqual(bodies.at(-1).messages, messages);
  });
});
