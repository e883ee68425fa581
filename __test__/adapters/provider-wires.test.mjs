// @ts-check
/** The mock provider's APIs, read by the SDKs: a stream has the content of a whole response, and what the API refuses is refused. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { withEdits } from '../../examples/provider/context-editing.mjs';
import { startProvider } from '../../examples/provider/provider.mjs';

/** @type {Awaited<ReturnType<typeof startProvider>>} */
let provider;
before(async () => {
  const turn = { text: 'I look.', calls: [{ name: 'look', arguments: { path: 'a.js' } }] };
  provider = await startProvider({ script: () => turn });
});
after(() => provider.close());

/** @param {any} content */
const withoutIds = (content) =>
  JSON.parse(
    JSON.stringify(content, (key, value) =>
      /^(id|call_id|encrypted_content|signature)$/.test(key) ? 0 : value,
    ).replace(/answer_\d+/g, ''),
  );

describe("the mock provider: Anthropic's Messages API", () => {
  const client = () => new Anthropic({ baseURL: provider.url, apiKey: 'none', maxRetries: 0 });
  const request = {
    model: 'm',
    max_tokens: 2048,
    thinking: { type: /** @type {const} */ ('enabled'), budget_tokens: 1024 },
    messages: [{ role: /** @type {const} */ ('user'), content: 'Look.' }],
  };

  test('a stream has the content of a whole response, thinking and usage included', async () => {
    const whole = await client().messages.create(request);
    const streamed = await client().messages.stream(request).finalMessage();
    assert.deepEqual(
      whole.content.map(({ type }) => type),
      ['thinking', 'text', 'tool_use'],
    );
    assert.deepEqual(withoutIds(streamed.content), withoutIds(whole.content));
    assert.equal(streamed.stop_reason, 'tool_use');
    assert.ok(streamed.usage.cache_creation_input_tokens);
  });

  test('a prompt is read from the cache with or without cache_control, and with text as a string or as a block', async () => {
    const text = 'Look. '.repeat(2000);
    const sendContent = (/** @type {any} */ content) =>
      client().messages.create({ ...request, messages: [{ role: 'user', content }] });
    await sendContent(text);
    const repeated = await sendContent([{ type: 'text', text, cache_control: { type: 'ephemeral' } }]);
    assert.ok((repeated.usage.cache_read_input_tokens ?? 0) > 2000);
  });

  test('more than four breakpoints, unknown fields and forged thinking signatures are refused', async () => {
    const cache_control = { type: 'ephemeral' };
    const withBreakpoints = Array.from({ length: 4 }, () => ({ type: 'text', text: 'Look.', cache_control }));
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'signed-here:wrong' };
    for (const invalid of [
      { messages: [{ role: 'user', content: withBreakpoints }], cache_control },
      { messages: [{ role: 'user', content: 'Look.', timestamp: 1 }] },
      { messages: [...request.messages, { role: 'assistant', content: [thinking, { type: 'text', text: 'No.' }] }] },
    ]) {
      await assert.rejects(client().messages.create(/** @type {any} */ ({ ...request, ...invalid })), { status: 400 });
    }
  });

  test('clear_tool_uses clears all tool results but the newest ones once its trigger is reached', () => {
    const messages = Array.from({ length: 5 }, (_, at) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `call_${at}`, name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${at}`, content: 'x'.repeat(4000) }] },
    ]).flat();
    const edit = { type: 'clear_tool_uses_20250919' };
    const keptResults = (/** @type {object} */ options) =>
      withEdits(messages, [{ ...edit, ...options }]).filter((message) => JSON.stringify(message).includes('xxx'))
        .length;
    assert.equal(keptResults({}), 5);
    assert.equal(keptResults({ trigger: { type: 'input_tokens', value: 4000 } }), 3);
    assert.equal(keptResults({ trigger: { type: 'tool_uses', value: 4 }, keep: { value: 1 } }), 1);
    assert.equal(keptResults({ trigger: { type: 'tool_uses', value: 4 }, clear_at_least: { value: 3000 } }), 5);
    assert.equal(withEdits(messages, []), messages);
  });
});

describe("the mock provider: OpenAI's Responses API", () => {
  const client = () => new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const request = { model: 'm', store: false, input: 'Look.' };

  test('a stream has the output of a whole response, reasoning and usage included', async () => {
    const whole = await client().responses.create(request);
    const streamed = await client().responses.stream(request).finalResponse();
    assert.deepEqual(
      whole.output.map(({ type }) => type),
      ['reasoning', 'message', 'function_call'],
    );
    assert.equal(whole.output_text, 'I look.');
    const types = (/** @type {any} */ { output }) => output.map((/** @type {any} */ { type }) => type);
    assert.deepEqual(types(streamed), types(whole));
    assert.equal(streamed.output_text, whole.output_text);
    assert.equal(streamed.usage?.input_tokens, whole.usage?.input_tokens);
  });

  test('reasoning without its following item, an item without its reasoning, and an unpaired call or output are refused', async () => {
    const { output } = await client().responses.create(request);
    const user = { role: 'user', content: 'Look.' };
    const [reasoning, message, call] = output;
    const result = { type: 'function_call_output', call_id: /** @type {any} */ (call).call_id, output: 'done' };
    const sendItems = (/** @type {any[]} */ input) =>
      client().responses.create({ ...request, input: [user, ...input] });
    await sendItems([reasoning, message, call, result]);
    for (const input of [[reasoning], [message, call, result], [reasoning, message, call], [result]]) {
      await assert.rejects(sendItems(input), { status: 400 });
    }
  });
});

describe("the mock provider: Gemini's API", () => {
  const user = { role: 'user', parts: [{ text: 'Look.' }] };
  const send = async (/** @type {object[]} */ contents, method = 'generateContent') => {
    const response = await fetch(`${provider.url}/v1beta/models/m:${method}`, {
      method: 'POST',
      body: JSON.stringify({ contents }),
    });
    return { status: response.status, text: await response.text() };
  };

  test('a stream has the content of a whole response, and a call is accepted only with its signature and a response', async () => {
    const whole = JSON.parse((await send([user])).text);
    const streamed = await send([user], 'streamGenerateContent');
    const event = JSON.parse(/^data: (.*)$/m.exec(streamed.text)?.[1] ?? '');
    const { content } = whole.candidates[0];
    assert.deepEqual(event.candidates[0].content, content);
    assert.ok(whole.usageMetadata.promptTokenCount > 0);
    const responses = { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'done' } } }] };
    assert.equal((await send([user, content, responses])).status, 200);
    assert.equal((await send([user, content])).status, 400);
    const forged = structuredClone(content);
    forged.parts.at(-1).thoughtSignature = 'signed-here:wrong';
    assert.equal((await send([user, forged, responses])).status, 400);
  });
});
