// @ts-check
/** The examples' mock provider: it bills like a prompt cache, and refuses the requests that a strict provider refuses. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PromptCache } from '../../examples/provider/prompt-cache.mjs';
import { SUMMARY_MODEL, startProvider } from '../../examples/provider/provider.mjs';
import { CacheBiller, PRICES } from '../support/cache-biller.mjs';

const call = (/** @type {string} */ id) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } });
const user = { role: 'user', content: 'Go.' };
const assistant = { role: 'assistant', content: '', tool_calls: [call('call_0_0')] };
const result = { role: 'tool', tool_call_id: 'call_0_0', content: 'done' };

/** @param {(send: (body: object) => Promise<{ status: number, body: any }>, provider: any) => Promise<void>} body of a test @param {object} [options] */
const withProvider = (body, options) => async () => {
  const provider = await startProvider({ script: () => ({ text: 'Yes.' }), ...options });
  const send = async (/** @type {object} */ request) => {
    const url = `${provider.url}/v1/chat/completions`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(request) });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };
  try {
    await body(send, provider);
  } finally {
    provider.close();
  }
};

describe("the mock provider: OpenAI's Chat Completions API", () => {
  test("R10.3 PromptCache bills a growing and edited conversation as the tests' reference CacheBiller does", () => {
    const step = fc.record({
      keep: fc.nat(12),
      add: fc.array(fc.nat(6000), { maxLength: 4 }),
      afterMs: fc.nat(900_000),
    });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...Object.keys(PRICES)),
        (steps, name) => {
          const price = /** @type {keyof typeof PRICES} */ (name);
          let [now, partCount] = [0, 0];
          const cache = new PromptCache(() => now);
          const biller = new CacheBiller(PRICES[price], ({ tokens }) => tokens);
          let parts = [{ bytes: 'system', tokens: 10 }];
          for (const { keep, add, afterMs } of steps) {
            // Never returns to a prompt before the previous one: the reference forgets those.
            parts = [...parts.slice(0, 1 + keep), ...add.map((tokens) => ({ bytes: `part ${partCount++}`, tokens }))];
            if (add.length === 0) parts.push({ bytes: `part ${partCount++}`, tokens: 1 });
            now += afterMs;
            const { total, cached } = cache.read(parts, price);
            assert.deepEqual({ total, cached }, (({ total, cached }) => ({ total, cached }))(biller.bill(parts, now)));
          }
          const { cost, tokens, requests, changes } = cache.bill(price);
          assert.ok(Math.abs(cost - biller.cost) < 1e-6);
          assert.deepEqual([tokens, requests, changes], [biller.tokens, biller.requests, biller.prefixChanges]);
        },
      ),
      { numRuns: 100 },
    );
  });

  test(
    'a call without a result, a result without a call, and unknown fields are refused',
    withProvider(async (send, provider) => {
      assert.equal((await send({ model: 'm', messages: [user, assistant, result] })).status, 200);
      for (const messages of [[user, assistant], [user, result], [{ ...user, timestamp: 1 }], [{ role: 'tool' }]]) {
        const { status, body } = await send({ model: 'm', messages });
        assert.deepEqual([status, body.error.type], [400, 'invalid_request_error']);
      }
      assert.equal(provider.refused.length, 4);
      assert.equal(provider.bill().requests, 1);
    }),
  );

  test(
    'a prompt longer than the window is refused with the code context_length_exceeded',
    withProvider(
      async (send) => {
        const { status, body } = await send({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(500) }] });
        assert.deepEqual([status, body.error.code], [400, 'context_length_exceeded']);
      },
      { windowTokens: 100 },
    ),
  );

  test(
    'the script continues at the step in the newest call id, although earlier messages are missing',
    withProvider(
      async (send) => {
        const messages = [
          user,
          { ...assistant, tool_calls: [call('call_7_0')] },
          { ...result, tool_call_id: 'call_7_0' },
        ];
        const { body } = await send({ model: 'm', messages });
        assert.equal(body.choices[0].message.content, 'step 8');
        const summary = await send({ model: SUMMARY_MODEL, messages: [user] });
        assert.match(summary.body.choices[0].message.content, /^## Goal/);
      },
      { script: (/** @type {number} */ step) => ({ text: `step ${step}` }) },
    ),
  );

  test(
    'a stream has the call of the script, and the usage at its end',
    withProvider(
      async (send) => {
        const { body } = await send({ model: 'm', messages: [user], stream: true });
        const events = body
          .split('\n\n')
          .filter(Boolean)
          .map((/** @type {string} */ line) => line.replace('data: ', ''));
        assert.equal(events.at(-1), '[DONE]');
        const chunks = events.slice(0, -1).map((/** @type {string} */ text) => JSON.parse(text));
        assert.equal(chunks[1].choices[0].delta.tool_calls[0].function.name, 'run');
        assert.ok(chunks.at(-1).usage.prompt_tokens > 0);
      },
      { script: () => ({ calls: [{ name: 'run', arguments: {} }] }) },
    ),
  );
});
