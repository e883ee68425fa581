// @ts-check
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { ContextLengthExceededError, parseContextLengthError } from 'palimpsest';

const seedMessage =
  "This model's maximum context length is 131072 tokens. However, you requested 5472941 tokens (5468845 in the messages, 4096 in the completion). Please reduce the length of the messages or completion.";
const anthropicBody = {
  type: 'error',
  error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
};
const llamaBody = {
  error: {
    code: 400,
    message: 'the request exceeds the available context size. try increasing the context size or enable context shift',
    type: 'exceed_context_size_error',
    n_prompt_tokens: 14429,
    n_ctx: 8192,
  },
};

/** @param {unknown} error @param {string} [provider] */
function figures(error, provider) {
  const found = parseContextLengthError(error, provider);
  return found && [found.provider, found.requestedTokens, found.maxTokens];
}

test('R5.7 the seed’s error reaches the user as a sentence with a way out', () => {
  const cause = new Error(`DeepSeek API error: 400 - {"error":{"message":"${seedMessage}"}}`);
  const error = parseContextLengthError(cause);
  assert.ok(error instanceof ContextLengthExceededError && error instanceof Error);
  assert.equal(error.name, 'ContextLengthExceededError');
  assert.equal(error.code, 'CONTEXT_LENGTH_EXCEEDED');
  assert.equal(error.message, '对话内容过长，已超出模型上下文限制。');
  assert.equal(error.suggestion, '建议新开一个会话继续对话。');
  assert.deepEqual([error.provider, error.requestedTokens, error.maxTokens], ['deepseek', 5_472_941, 131_072]);
  assert.equal(error.cause, cause);
  assert.match(String(error), /^ContextLengthExceededError: 对话/);
});

test('R5.7 both languages', () => {
  const error = parseContextLengthError(seedMessage, null, { language: 'en' });
  assert.match(error?.message ?? '', /too long/);
  assert.equal(error?.textsIn('zh').suggestion, '建议新开一个会话继续对话。');
  const wrong = /** @type {any} */ ({ language: 'fr' });
  assert.throws(() => parseContextLengthError('x', null, wrong), {
    name: 'RangeError',
    message: /^options\.language: /,
  });
  assert.throws(() => parseContextLengthError('x', /** @type {any} */ (5)), {
    name: 'TypeError',
    message: /^provider: /,
  });
});

test('R5.7 the sentence is found wherever clients put it', () => {
  const message = seedMessage;
  const shapes = {
    'a string': message,
    'a response body': { error: { message } },
    'a body as text': JSON.stringify({ error: { message } }),
    'a body as bytes': { response: { status: 400, data: Buffer.from(message) } },
    axios: Object.assign(new Error('Request failed with status code 400'), {
      response: { status: 400, headers: { 'x-ratelimit-limit': '5' }, data: { error: { message } } },
    }),
    'the OpenAI SDK': Object.assign(new Error('400'), {
      status: 400,
      headers: { 'x-ratelimit-limit': '5' },
      error: { message },
    }),
    'the AI SDK': Object.assign(new Error('Bad Request'), { responseBody: JSON.stringify({ error: { message } }) }),
    'the AI SDK’s retries': Object.assign(new Error('Failed after 3 attempts'), { lastError: new Error(message) }),
    causes: new Error('model call failed', { cause: new Error('inner', { cause: message }) }),
    'several errors': new AggregateError([new Error('a'), new Error(message)]),
  };
  for (const [shape, error] of Object.entries(shapes)) {
    assert.deepEqual(figures(error), ['openai', 5_472_941, 131_072], shape);
    assert.deepEqual(figures(error, 'deepseek'), ['deepseek', 5_472_941, 131_072], shape);
  }
  assert.deepEqual(figures(Object.assign(new Error('400'), { error: anthropicBody })), ['anthropic', 208_310, 200_000]);
  assert.deepEqual(figures(llamaBody), ['llama.cpp', 14_429, 8192]);
  assert.deepEqual(figures(Object.assign(new Error('400'), { error: llamaBody.error })), ['llama.cpp', 14_429, 8192]);
});

test('R5.7 a code says it where the sentence was lost, in an Error as in a plain object', () => {
  const code = 'context_length_exceeded';
  class Late extends Error {
    get code() {
      return code;
    }
  }
  const hidden = Object.defineProperty(new Error('anything'), 'code', { value: code, enumerable: false });
  const shapes = {
    'a plain code': { message: 'anything', code },
    'an Error with a code': Object.assign(new Error('anything'), { code }),
    'an Error with a type': Object.assign(new Error('anything'), { type: code }),
    'a hidden code': hidden,
    'a code of its class': new Late('anything'),
    'a nested code': Object.assign(new Error('400'), { error: { error: { message: 'anything', code } } }),
    'an Error in an Error': Object.assign(new Error('400'), { error: Object.assign(new Error('anything'), { code }) }),
    'a cause': new Error('model call failed', { cause: Object.assign(new Error('anything'), { code }) }),
    'a hidden code of a cause': new Error('model call failed', { cause: hidden }),
    'a body’s code': Object.assign(new Error('400'), { response: { status: 400, data: { error: { code } } } }),
  };
  for (const [shape, error] of Object.entries(shapes)) {
    assert.deepEqual(figures(error), ['openai', null, null], shape);
    assert.equal(parseContextLengthError(error)?.cause, error, shape);
  }
});

test('R5.7 the figures on an Error count like those of a plain object', () => {
  const own = Object.assign(new Error(llamaBody.error.message), {
    n_prompt_tokens: llamaBody.error.n_prompt_tokens,
    n_ctx: llamaBody.error.n_ctx,
  });
  assert.deepEqual(figures(own), ['llama.cpp', 14_429, 8192]);
  assert.deepEqual(figures(new Error('model call failed', { cause: own })), ['llama.cpp', 14_429, 8192]);
});

test('R5.7 the code for a rate limit is heard together with a sentence about the window', () => {
  const message = "Too much at once. This model's maximum context length is 8192 tokens";
  for (const limit of [{ code: 'rate_limit_exceeded' }, { type: 'rate_limit_error' }, { code: 'insufficient_quota' }]) {
    const asError = Object.assign(new Error(message), { status: 429, ...limit });
    for (const error of [
      asError,
      { message, ...limit },
      { error: { message, ...limit } },
      new Error('x', { cause: asError }),
    ]) {
      assert.equal(parseContextLengthError(error), null, JSON.stringify(limit));
    }
  }
});

test('R5.7 a request that an Error drags along is not what the provider said', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    config: { data: JSON.stringify({ messages: [{ role: 'user', content: seedMessage }] }) },
    requestBody: seedMessage,
  });
  assert.equal(parseContextLengthError(error), null);
});

test('R5.7 other errors are null: rates, quotas, sizes in bytes, output limits', () => {
  const others = [
    'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 30601.',
    "max_tokens is too large: 8192. This model's maximum context length is 8192 tokens and your request has 10 input tokens",
    new Error('413 Request Entity Too Large'),
    { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
    Object.assign(new Error('Request failed with status code 429'), {
      response: { data: { error: { type: 'rate_limit_error' } } },
    }),
    new Error('socket hang up'),
  ];
  for (const error of others) assert.equal(parseContextLengthError(error), null);
});

test('R0.3 odd errors are null, not errors', () => {
  const cyclic = new Error('x');
  cyclic.cause = cyclic;
  const hostile = Object.defineProperty({}, 'message', {
    get() {
      throw new Error('no');
    },
  });
  const proxy = new Proxy(new Error('x'), {
    getPrototypeOf() {
      throw new Error('no');
    },
    ownKeys() {
      throw new Error('no');
    },
  });
  const wide = { errors: Array.from({ length: 1e5 }, () => ({ a: 1 })) };
  for (const odd of [
    undefined,
    null,
    5,
    true,
    Symbol('s'),
    () => {},
    [],
    {},
    cyclic,
    hostile,
    proxy,
    wide,
    'x'.repeat(1e6),
  ]) {
    assert.equal(parseContextLengthError(odd), null);
  }
  const known = new ContextLengthExceededError(2, 1, 'x');
  assert.equal(parseContextLengthError(known), known);
});

test('R5.7 instanceof works across copies of the module', () => {
  const require = createRequire(import.meta.url);
  const path = require.resolve('../../lib/results/context-length-error.js');
  const original = require.cache[path];
  delete require.cache[path];
  const { ContextLengthExceededError: Copy } = require(path);
  require.cache[path] = original;
  assert.notEqual(Copy, ContextLengthExceededError);
  const error = new Copy(null, 1, 'glm');
  assert.ok(error instanceof ContextLengthExceededError);
  assert.ok(new ContextLengthExceededError(1, 1, 'x') instanceof Copy);
  assert.ok(!(new Error('x') instanceof ContextLengthExceededError));
  assert.equal(ContextLengthExceededError[Symbol.hasInstance](null), false);
  class Own extends ContextLengthExceededError {}
  assert.ok(new Own(1, 1, 'x') instanceof ContextLengthExceededError);
  assert.ok(!(error instanceof Own));
});

test('R5.7 what is sent to another process is what the user reads, and never the cause', () => {
  const error = new ContextLengthExceededError(2, 1, 'x', { cause: { apiKey: 'secret' } });
  const sent = JSON.parse(JSON.stringify(error));
  assert.deepEqual(Object.keys(sent).sort(), [
    'code',
    'maxTokens',
    'message',
    'name',
    'provider',
    'requestedTokens',
    'suggestion',
  ]);
});
