// @ts-check
/** parseContextLengthError: which errors are context overflows, and what a ContextLengthExceededError contains. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ContextLengthExceededError, parseContextLengthError } from 'palimpsest';

const overflowMessage =
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

test('R5.7 an overflow of DeepSeek becomes an error with figures, and a message and a suggestion for the user', () => {
  const cause = new Error(`DeepSeek API error: 400 - {"error":{"message":"${overflowMessage}"}}`);
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

test('R5.7 `language` selects the language, and a wrong argument is an error that names it', () => {
  const error = parseContextLengthError(overflowMessage, null, { language: 'en' });
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

test('R5.7 an overflow message is found in every field where clients put it', () => {
  const message = overflowMessage;
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

test('R5.7 the code context_length_exceeded is enough, in an Error and in a plain object', () => {
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

test('R5.7 the figures are read from the fields of an Error and of its cause', () => {
  const own = Object.assign(new Error(llamaBody.error.message), {
    n_prompt_tokens: llamaBody.error.n_prompt_tokens,
    n_ctx: llamaBody.error.n_ctx,
  });
  assert.deepEqual(figures(own), ['llama.cpp', 14_429, 8192]);
  assert.deepEqual(figures(new Error('model call failed', { cause: own })), ['llama.cpp', 14_429, 8192]);
});

test('R5.7 an error with the code of a rate limit is null, even if its message names the context length', () => {
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

test('R5.7 an overflow message in the request that an Error contains is ignored', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    config: { data: JSON.stringify({ messages: [{ role: 'user', content: overflowMessage }] }) },
    requestBody: overflowMessage,
  });
  assert.equal(parseContextLengthError(error), null);
});

test('R5.7 rate limits, quotas, body sizes, output limits and network errors are null', () => {
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

test('R5.7 rate limit headers, also in a printed error, do not hide an overflow', () => {
  const headers = { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-limit-requests': '5', 'retry-after': '1' };
  const sdk = Object.assign(new Error(`400 ${overflowMessage}`), {
    status: 400,
    headers,
    error: { message: overflowMessage },
  });
  const bare = Object.assign(new Error('400 prompt is too long'), { status: 400, headers });
  const stringified = JSON.stringify({ name: 'APIError', headers, error: { message: 'prompt is too long' } });
  assert.deepEqual(figures(sdk), ['openai', 5_472_941, 131_072]);
  assert.deepEqual(figures(inspect(sdk)), ['openai', 5_472_941, 131_072]);
  for (const error of [bare, inspect(bare), stringified, new Error(stringified), { error: { message: stringified } }]) {
    assert.deepEqual(figures(error), ['anthropic', null, null], inspect(error));
  }
});

test('R5.7 an overflow message that a request or an assistant message quotes is ignored', () => {
  const messages = [{ role: 'user', content: `Why does it say "${overflowMessage}"?` }];
  const others = [
    { error: { message: 'Incorrect API key provided' }, request: { messages } },
    inspect(Object.assign(new Error('Unauthorized'), { statusCode: 401, requestBodyValues: { messages } }), {
      depth: 9,
    }),
    { detail: [{ loc: ['body', 'model'], msg: 'Field required', input: { messages } }] },
    new Error(`Tool failed: the user message contains "${overflowMessage}"`),
    { type: 'message', role: 'assistant', content: [{ type: 'text', text: overflowMessage }], stop_reason: 'end_turn' },
    { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: overflowMessage } }] },
  ];
  for (const error of others) assert.equal(parseContextLengthError(error), null, inspect(error));
});

test('R5.7 the stop reason model_context_window_exceeded is an overflow, whatever the content is', () => {
  const content = [{ type: 'text', text: `a rate limit, a quota. ${'word '.repeat(20_000)}` }];
  const stop = 'model_context_window_exceeded';
  assert.deepEqual(figures({ type: 'message', content, stop_reason: stop, usage: {} }), ['anthropic', null, null]);
  assert.deepEqual(figures({ choices: [{ finish_reason: stop, message: { content: 'x' } }] }), ['glm', null, null]);
  assert.equal(parseContextLengthError({ type: 'message', content, stop_reason: 'end_turn' }), null);
});

test('R5.7 status 413 without a message is an overflow only for the providers that use it so', () => {
  const bare = Object.assign(new Error('413 status code (no body)'), { status: 413 });
  assert.deepEqual(figures(bare, 'cerebras'), ['cerebras', null, null]);
  assert.deepEqual(figures(new Error('x', { cause: { response: { status: 413 } } }), 'mistral'), [
    'mistral',
    null,
    null,
  ]);
  assert.equal(parseContextLengthError('no body', 'mistral', { status: 413 })?.provider, 'mistral');
  for (const [error, provider] of [
    [bare, undefined],
    [bare, 'anthropic'],
    [new Error('413 status code (no body)'), 'cerebras'],
    [Object.assign(new Error('Too many requests'), { status: 413 }), 'cerebras'],
  ]) {
    assert.equal(parseContextLengthError(error, /** @type {any} */ (provider)), null);
  }
  assert.throws(() => parseContextLengthError('x', null, { status: 5 }), { message: /^options\.status: / });
});

test('R5.7 the wordings of gateways and servers are recognised, with their figures', () => {
  /** @type {[string, number | null, number | null][]} */
  const wordings = [
    ['prompt tokens (1200008) exceed model maximum (1050000)', 1_200_008, 1_050_000],
    [
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32769. Given: 36108 `inputs` tokens and 4096 `max_new_tokens`',
      40_204,
      32_769,
    ],
    ['Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).', 160_062, 59_862],
    ['length of prompt_tokens (68957) must be less than max_seq_len (65536).', 68_957, 65_536],
    ['Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)', 15_028, 7424],
    [
      'Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000',
      42_328,
      40_000,
    ],
    ['Request body too large for gpt-4o model. Max size: 8000 tokens.', null, 8000],
    ['上下文长度超出模型最大限制', null, null],
  ];
  for (const [wording, requested, max] of wordings) {
    const error = parseContextLengthError(new Error(wording));
    assert.deepEqual([error?.requestedTokens, error?.maxTokens], [requested, max], wording);
  }
});

test('R0.3 invalid and hostile values are null, and throw nothing', () => {
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
  for (const invalid of [
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
    assert.equal(parseContextLengthError(invalid), null);
  }
  const known = new ContextLengthExceededError(2, 1, 'x');
  assert.equal(parseContextLengthError(known), known);
});

test('instanceof ContextLengthExceededError works across copies of the module', () => {
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

test('a ContextLengthExceededError as JSON has the texts and figures for the user, and no cause', () => {
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
