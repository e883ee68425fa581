// @ts-check
/** Requests and replies of `HttpLlmClient` in both API styles, and overflow errors of providers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContextLengthExceededError, LlmHttpError } from 'palimpsest';
import { anthropicMessage, certificate, completion, json } from '../support/fault-server.mjs';
import { clientOf, KEY, question, rejection, withServer } from '../support/http-llm.mjs';

describe('HttpLlmClient.chat', () => {
  it('R7.2 sends a request in OpenAI’s style with both spellings of the token limit, and returns content and usage', async () => {
    await withServer([completion('hi', { headers: { 'x-request-id': 'req-1' } })], async (server) => {
      const answer = await clientOf(server).chat({ ...question, max_tokens: 7 });
      assert.deepEqual(answer, {
        content: 'hi',
        finishReason: 'stop',
        refusal: null,
        model: 'scripted-1',
        usage: { promptTokens: 11, cachedTokens: null, completionTokens: 3 },
        requestId: 'req-1',
      });
      const [{ method, path, headers, json: sent }] = server.requests;
      assert.deepEqual([method, path, headers.authorization], ['POST', '/v1/chat/completions', `Bearer ${KEY}`]);
      assert.equal(headers['content-type'], 'application/json');
      assert.deepEqual(sent, { model: 'm', messages: question.messages, max_tokens: 5, temperature: 0.1 });
    });
  });

  it('sends a request in Anthropic’s style with a separate system prompt', async () => {
    await withServer([anthropicMessage('hi', { stopReason: 'max_tokens' })], async ({ url, requests }) => {
      const client = clientOf({ url: `${url}/messages` });
      const messages = [{ role: 'system', content: 's' }, ...question.messages];
      const { content, finishReason, usage } = await client.call({ ...question, messages });
      assert.deepEqual(
        [content, finishReason, usage],
        ['hi', 'length', { promptTokens: 11, cachedTokens: null, completionTokens: 3 }],
      );
      const [{ path, headers, json: sent }] = requests;
      assert.deepEqual(
        [path, headers['x-api-key'], headers.authorization, headers['anthropic-version']],
        ['/v1/messages', KEY, undefined, '2023-06-01'],
      );
      assert.deepEqual(sent, {
        model: 'm',
        system: 's',
        messages: question.messages,
        max_tokens: 5,
        temperature: 0.1,
      });
    });
  });

  it('sends the client’s model, headers, temperature and body with every request', async () => {
    await withServer([completion('hi')], async (server) => {
      const headers = { 'X-Team': 'blue-team', 'X-None': undefined };
      const client = clientOf(server, { model: 'own', headers, temperature: 0.5, body: { top_p: 0.9, seed: 1 } });
      await client.chat({ messages: question.messages, body: { seed: 2 } });
      const [{ headers: sent, json: body }] = server.requests;
      assert.equal(sent['x-team'], 'blue-team');
      assert.ok(!('x-none' in sent));
      assert.deepEqual(body, { model: 'own', messages: question.messages, temperature: 0.5, top_p: 0.9, seed: 2 });
      await clientOf(server, { temperature: false }).chat(question);
      assert.equal(server.requests[1]?.json.temperature, undefined);
    });
  });

  it('remembers per model that it needs max_completion_tokens and no temperature', async () => {
    const refuse = (/** @type {string} */ message, /** @type {string} */ param) =>
      json({ error: { message, type: 'invalid_request_error', param, code: 'unsupported' } }, { status: 400 });
    const script = [
      refuse(
        "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
        'max_tokens',
      ),
      refuse("Unsupported value: 'temperature' does not support 0.1 with this model.", 'temperature'),
      completion('hi'),
    ];
    await withServer(script, async (server) => {
      const client = clientOf(server, { maxRetries: 0 });
      assert.equal((await client.chat(question)).content, 'hi');
      await client.chat(question);
      const sent = server.requests.map(({ json: { messages: _, ...rest } }) => rest);
      const accepted = { model: 'm', max_completion_tokens: 5 };
      assert.deepEqual(sent.slice(2), [accepted, accepted]);
      await client.chat({ ...question, model: 'another' });
      assert.equal(server.requests.at(-1)?.json.max_tokens, 5, 'another model gets max_tokens');
    });
  });

  it('reuses its connection', async () => {
    await withServer([completion('hi')], async (server) => {
      const client = clientOf(server);
      await client.chat(question);
      await client.chat(question);
      const isClosed = await Promise.race([server.requests[0]?.closed.then(() => true), Promise.resolve(false)]);
      assert.equal(isClosed, false);
    });
  });

  it('EDGE 28 sends NUL, escapes and half an emoji as valid JSON', async () => {
    await withServer([completion('a\u0000\ud83d')], async (server) => {
      const content = `a\u0000\u001b[31m\u2028中${'\ud83d'}`;
      const answer = await clientOf(server).chat({ ...question, messages: [{ role: 'user', content }] });
      assert.equal(server.requests[0]?.json.messages[0].content, 'a\u0000\u001b[31m\u2028中\ufffd');
      assert.equal(answer.content, 'a\u0000\ufffd');
    });
  });

  it('works over HTTP/2', async () => {
    const use = async (/** @type {{ url: string }} */ server) => {
      const client = clientOf(server, { caCertificates: certificate });
      assert.equal((await client.chat(question)).content, 'hi');
    };
    await withServer([completion('hi')], use, { http2: true });
  });

  it('sends 30 requests at once', async () => {
    await withServer([completion('hi')], async (server) => {
      const client = clientOf(server);
      const answers = await Promise.all(Array.from({ length: 30 }, () => client.chat(question)));
      assert.ok(answers.every(({ content }) => content === 'hi'));
    });
  });
});

describe('R5.7 overflow errors of HttpLlmClient', () => {
  const bodies = {
    openai: [
      400,
      {
        error: {
          message:
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
          type: 'invalid_request_error',
          param: 'messages',
          code: 'context_length_exceeded',
        },
      },
      9001,
      8192,
    ],
    anthropic: [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
      },
      208_310,
      200_000,
    ],
    'llama.cpp': [
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 14_429,
          n_ctx: 8192,
        },
      },
      14_429,
      8192,
    ],
    'a gateway with status 413': [
      413,
      { error: { message: 'prompt is too long: 208310 tokens > 200000 maximum' } },
      208_310,
      200_000,
    ],
    'a gateway with status 200': [
      200,
      {
        error: {
          code: 400,
          message: "This model's maximum context length is 131072 tokens. However, you requested 200000 tokens.",
        },
      },
      200_000,
      131_072,
    ],
  };
  for (const [provider, [code, body, requested, max]] of Object.entries(bodies)) {
    it(`EDGE 14 an overflow of ${provider} rejects with a ContextLengthExceededError and its figures`, async () => {
      await withServer([json(body, { status: Number(code) })], async (server) => {
        const error = await rejection(clientOf(server, { language: 'en' }).chat(question));
        assert.ok(error instanceof ContextLengthExceededError, String(error));
        assert.deepEqual([error.requestedTokens, error.maxTokens], [requested, max]);
        assert.match(error.message, /too long/);
        assert.ok(error.cause instanceof LlmHttpError);
        assert.equal(server.requests.length, 1, 'the request was repeated in vain');
      });
    });
  }

  it('EDGE 12 a rate limit whose message names tokens rejects with LLM_RATE_LIMITED', async () => {
    const message = 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 30601.';
    await withServer([json({ error: { message, code: 'rate_limit_exceeded' } }, { status: 429 })], async (server) => {
      const error = await rejection(clientOf(server, { maxRetries: 0 }).chat(question));
      assert.deepEqual([error.name, error.code], ['LlmHttpError', 'LLM_RATE_LIMITED']);
    });
  });
});
