// @ts-check
/** Input that once took exponential time or too much memory. The main claim is that each call ends. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  expandHistory,
  formatToolResultForModel,
  HttpLlmClient,
  parseContextLengthError,
  prepareMessages,
  SessionArchive,
  simplifyToolResults,
  TokenCounter,
} from 'palimpsest';

/** An object that refers to the next one several times, on `depth` levels, so more than 2 ** depth paths lead to `end`. @param {number} depth @param {any} end */
const shared = (depth, end) => {
  let value = end;
  for (; depth > 0; depth--) value = { error: value, data: value, detail: [value, value] };
  return value;
};

describe('R0.3 values with shared or cyclic references are read in linear time', () => {
  const sentence =
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 9000 tokens.";

  it('parseContextLengthError reads an error with shared parts on 40 levels', () => {
    assert.equal(parseContextLengthError(shared(40, { message: 'nothing of the kind' })), null);
    assert.equal(parseContextLengthError(Object.assign(shared(40, {}), { message: sentence }))?.maxTokens, 4097);
  });

  it('parseContextLengthError reads an error with a cycle, a buffer and a sparse array', () => {
    /** @type {any} */
    const body = { message: sentence };
    body.data = body;
    body.body = { bytes: new Uint8Array(50_000_000) };
    body.detail = new Array(2 ** 32 - 1);
    assert.equal(parseContextLengthError(body)?.requestedTokens, 9000);
  });

  it('parseContextLengthError reads the numbers of an object as it does from its JSON', () => {
    const body = {
      error: { type: 'exceed_context_size_error', n_prompt_tokens: 5000, n_ctx: 4096, message: 'too long' },
    };
    assert.deepEqual(
      [parseContextLengthError(body)?.requestedTokens, parseContextLengthError({ data: body })?.maxTokens],
      [
        parseContextLengthError(JSON.stringify(body))?.requestedTokens,
        parseContextLengthError(JSON.stringify(body))?.maxTokens,
      ],
    );
  });

  it('countMessages counts a tool with a cyclic schema', () => {
    const counter = new TokenCounter();
    /** @type {any} */
    const schema = { type: 'object', properties: {}, anyOf: [] };
    for (let at = 0; at < 8; at++) schema.properties[`property${at}`] = schema;
    schema.anyOf.push(schema, schema);
    schema.items = schema;
    const tools = [{ type: 'function', function: { name: 'f', description: 'd', parameters: schema } }];
    const tokens = counter.countMessages([], { tools });
    assert.ok(Number.isFinite(tokens) && tokens > 1_000, String(tokens));
  });

  it('countMessages counts a shared part of a schema each time it is used', () => {
    const counter = new TokenCounter();
    const part = { type: 'object', properties: { street: { type: 'string', description: 'of the address' } } };
    const tool = (/** @type {any} */ from, /** @type {any} */ to) => ({
      type: 'function',
      function: { name: 'f', parameters: { type: 'object', properties: { from, to } } },
    });
    assert.equal(
      counter.countMessages([], { tools: [tool(part, part)] }),
      counter.countMessages([], { tools: [tool(part, structuredClone(part))] }),
    );
  });
});

describe('huge arrays', () => {
  it('R5.6 formatToolResultForModel writes “(an array)” for a huge array and formats the other results', () => {
    /** @type {any} */
    let nested = 'x';
    for (let depth = 40; depth > 0; depth--) nested = [nested, nested];
    const endless = new Proxy([], {
      get: (target, key) => (key === 'length' ? 2 ** 32 - 1 : Reflect.get(target, key)),
    });
    for (const output of [nested, endless, new Array(2 ** 32 - 1)]) {
      const text = formatToolResultForModel([
        { toolCallId: 'huge', success: true, output },
        { toolCallId: 'next', success: true, output: ['a', ['b', 'c']] },
      ]);
      assert.match(text, /^✓ huge: \(an array\)$/m);
      assert.match(text, /\["a",\["b","c"\]\]/);
    }
  });

  it('R6.1 countMessages counts a tool with itself, or a sparse array, as functionDeclarations', () => {
    /** @type {any} */
    const cyclic = { functionDeclarations: [] };
    cyclic.functionDeclarations.push(cyclic);
    const counter = new TokenCounter();
    const count = (/** @type {any} */ tool) => counter.countMessages([], { tools: [tool] });
    assert.ok(Number.isFinite(count(cyclic)));
    assert.ok(Number.isFinite(count({ functionDeclarations: new Array(2 ** 32 - 1) })));
  });
});

describe('R0.3 a value whose JSON would repeat a part a billion times', () => {
  it('is refused with ERR_INVALID_ARG_TYPE by HttpLlmClient.chat and SessionArchive.append', async () => {
    const body = { a: shared(30, 'end') };
    const client = new HttpLlmClient({ baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    const chat = client.chat({ model: 'm', messages: [{ role: 'user', content: 'x' }], body });
    await assert.rejects(chat, { code: 'ERR_INVALID_ARG_TYPE', message: /millions of values/ });
    const archive = new SessionArchive('never-opened.db');
    const messages = [{ role: 'user', content: 'x', body }];
    const appended = archive.append('s', { id: 'b', kind: 'summary', level: 1, at: 0, messages });
    await assert.rejects(appended, { code: 'ERR_INVALID_ARG_TYPE', message: /millions of values/ });
    await archive.close();
  });

  it('as the input of a call is counted by countMessages', () => {
    const input = shared(30, 'end');
    const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: input } }];
    const messages = [
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'd', name: 'f', input }] },
    ];
    assert.ok(Number.isFinite(new TokenCounter().countMessages(/** @type {any} */ (messages))));
  });
});

describe('R0.3 an option with millions of elements', () => {
  const endless = () => new Array(2 ** 22);

  it('is refused by prepareMessages with a short message', () => {
    for (const options of [
      { placeholderLanguage: endless() },
      { terminal: { placeholderLanguage: endless() } },
      { terminal: { terminalTools: endless() } },
      { fileReads: { pathKeys: endless() } },
      { rules: [{ name: 'own', placeholder: '-', tools: endless() }] },
    ]) {
      assert.throws(
        () => prepareMessages([], /** @type {any} */ (options)),
        (/** @type {any} */ error) =>
          /^ERR_(OUT_OF_RANGE|INVALID_ARG_TYPE)$/.test(error.code) && error.message.length < 200,
      );
    }
  });

  it('is refused by expandHistory as sessionId', () => {
    const archive = { get: () => Promise.resolve([]) };
    const sessionId = new Array(2 ** 32 - 1);
    assert.throws(() => expandHistory([], { archive, sessionId }), { code: 'ERR_OUT_OF_RANGE' });
  });
});

describe('R3b.1 a path of a megabyte', () => {
  const path = `/project/${'directory/'.repeat(100_000)}file.ts`;

  for (const times of [1, 3, 20, 50_000]) {
    it(`is shortened in a placeholder with ${times} × {path}, which the next call recognises`, () => {
      const messages = Array.from({ length: 20 }, (_, at) => [
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            {
              id: `c${at}`,
              type: 'function',
              function: { name: 'read', arguments: JSON.stringify({ filePath: `${path}${at}` }) },
            },
          ],
        },
        // Longer than its placeholder.
        { role: 'tool', tool_call_id: `c${at}`, content: 'x'.repeat(100_000), timestamp: 1 },
      ]).flat();
      const options = { keepRecent: 0, maxAgeMs: 0, projectRoot: '/project' };
      const rule = {
        name: 'reads',
        tools: ['read'],
        placeholder: '{path}'.repeat(times),
        groupBy: /** @type {const} */ ('path'),
      };
      const report = simplifyToolResults(messages, [{ ...rule, ...options }], { now: 1e12 });
      assert.equal(report.changed, 20);
      const { content } = /** @type {{ content: string }} */ (messages[1]);
      assert.ok(content.length <= 8_192 + times, `${content.length} units`);
      assert.match(content, /^directory\/.*…/);
      assert.ok(content.includes('file.ts0'));
      // The placeholder is recognised although its path is shortened.
      assert.equal(simplifyToolResults(messages, [{ ...rule, ...options }], { now: 2e12 }).changed, 0);
    });
  }
});
