// @ts-check
/** Property tests of `HttpLlmClient`: random responses and random texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ContextLengthExceededError, LlmHttpError } from 'palimpsest';
import { raw } from '../support/fault-server.mjs';
import { clientOf, question, withServer } from '../support/http-llm.mjs';

/** Field names of real responses, so that random responses are parsed further than their first field. */
const field = fc.constantFrom(
  'choices',
  'message',
  'content',
  'error',
  'code',
  'usage',
  'type',
  'text',
  'prompt_tokens',
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, -1, 5e300, 429, 'text', 'error', '', '\ud83d'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(field, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const body = fc.oneof(
  { weight: 4, arbitrary: value.map((given) => JSON.stringify(given)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)) },
);

test('R0.3 for any response chat resolves with a reply, or rejects with an error of this package', async () => {
  /** @type {string | Buffer} */
  let sent = '';
  /** @type {number} */
  let status = 200;
  const script = () => raw(sent, { status, headers: { 'content-type': 'application/json' } });
  await withServer(script, async (server) => {
    const clients = [clientOf(server, { maxRetries: 0 }), clientOf(server, { maxRetries: 0, style: 'anthropic' })];
    const property = fc.asyncProperty(body, fc.constantFrom(200, 200, 400, 429, 500), async (given, code) => {
      sent = given;
      status = code;
      for (const client of clients) {
        try {
          const { content, usage } = await client.chat(question);
          assert.equal(typeof content, 'string');
          assert.ok(usage === null || Number.isFinite(usage.promptTokens + usage.completionTokens));
          assert.equal(code, 200);
        } catch (error) {
          assert.ok(error instanceof LlmHttpError || error instanceof ContextLengthExceededError, String(error));
        }
      }
    });
    await fc.assert(property, { numRuns: 300 });
  });
});

test('EDGE 28 any text arrives unchanged, with lone surrogates as U+FFFD', async () => {
  const script = () => raw('{"choices":[{"message":{"content":"hi"}}]}');
  await withServer(script, async (server) => {
    const client = clientOf(server);
    const text = fc.string({
      unit: fc.constantFrom('a', '\0', '\x1b', '"', '\\', '\u2028', '中', '😀', '\ud83d', '\ude00', 'u00'),
    });
    const property = fc.asyncProperty(text, async (content) => {
      await client.chat({ ...question, messages: [{ role: 'user', content }] });
      assert.equal(server.requests.at(-1)?.json.messages[0].content, Buffer.from(content).toString());
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
