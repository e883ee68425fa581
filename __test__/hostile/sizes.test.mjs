// @ts-check
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

// Each of these took longer than anybody waits, or more memory than there is: that they end is the claim.

/** Something that holds itself twice, `depth` levels deep: 2 ** depth ways lead to its end. @param {number} depth @param {any} end */
const shared = (depth, end) => {
  let value = end;
  for (; depth > 0; depth--) value = { error: value, data: value, detail: [value, value] };
  return value;
};

describe('R0.3 what refers to itself is read in linear time', () => {
  const sentence =
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 9000 tokens.";

  it('an error whose parts are shared, 40 levels deep', () => {
    assert.equal(parseContextLengthError(shared(40, { message: 'nothing of the kind' })), null);
    assert.equal(parseContextLengthError(Object.assign(shared(40, {}), { message: sentence }))?.maxTokens, 4097);
  });

  it('an error that holds itself, a buffer, or an array without elements', () => {
    /** @type {any} */
    const body = { message: sentence };
    body.data = body;
    body.body = { bytes: new Uint8Array(50_000_000) };
    body.detail = new Array(2 ** 32 - 1);
    assert.equal(parseContextLengthError(body)?.requestedTokens, 9000);
  });

  it('a body that is short enough is still read whole, wherever its numbers stand', () => {
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

  it('the schema of a tool that leads back to itself', () => {
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

  it('a schema that only uses a part twice counts as if it were written twice', () => {
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

describe('R5.2 an output that is an array without end', () => {
  it('does not keep the other results from being printed', () => {
    /** @type {any} */
    let twice = 'x';
    for (let depth = 40; depth > 0; depth--) twice = [twice, twice];
    const endless = new Proxy([], {
      get: (target, key) => (key === 'length' ? 2 ** 32 - 1 : Reflect.get(target, key)),
    });
    for (const output of [twice, endless, new Array(2 ** 32 - 1)]) {
      const text = formatToolResultForModel([
        { toolCallId: 'odd', success: true, output },
        { toolCallId: 'next', success: true, output: ['a', ['b', 'c']] },
      ]);
      assert.match(text, /^✓ odd: \(an array\)$/m);
      assert.match(text, /\["a",\["b","c"\]\]/);
    }
  });

  it('nor tools that declare themselves, or four billion of nothing, from being counted', () => {
    /** @type {any} */
    const own = { functionDeclarations: [] };
    own.functionDeclarations.push(own);
    const counter = new TokenCounter();
    const count = (/** @type {any} */ tool) => counter.countMessages([], { tools: [tool] });
    assert.ok(Number.isFinite(count(own)));
    assert.ok(Number.isFinite(count({ functionDeclarations: new Array(2 ** 32 - 1) })));
  });
});

describe('R0.3 what JSON would write a billion times', () => {
  it('is refused by whoever has to write it, with a code', async () => {
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

  it('holds nobody up where it is a call’s input', () => {
    const input = shared(30, 'end');
    const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: input } }];
    const messages = [
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'd', name: 'f', input }] },
    ];
    assert.ok(Number.isFinite(new TokenCounter().countMessages(/** @type {any} */ (messages))));
  });
});

describe('R0.3 options that are lists of millions', () => {
  const endless = () => new Array(2 ** 22);

  it('are refused before a key is made of them', () => {
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

  it('nor is a list of sessions walked that has four billion places', () => {
    const archive = { get: () => Promise.resolve([]) };
    const sessionId = new Array(2 ** 32 - 1);
    assert.throws(() => expandHistory([], { archive, sessionId }), { code: 'ERR_OUT_OF_RANGE' });
  });
});

describe('R2 a path of a megabyte', () => {
  const path = `/project/${'directory/'.repeat(100_000)}file.ts`;

  for (const times of [1, 3, 20, 50_000]) {
    it(`fills a placeholder that names it ${times} times with its start and its end, once and for all`, () => {
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
        // Longer than the placeholder that takes its place.
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
      // Known again as what it is, though it is not what the path says.
      assert.equal(simplifyToolResults(messages, [{ ...rule, ...options }], { now: 2e12 }).changed, 0);
    });
  }
});
