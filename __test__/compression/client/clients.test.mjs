// @ts-check
/** The host's client: how it is called and what it may answer. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  expandHistory,
  managerWith,
  NOW,
  processed,
  scripted,
  session,
  summary,
  summaryIn,
} from '../../support/compression.mjs';
import { anthropicMessage, completion, status } from '../../support/fault-server.mjs';
import { clientOf, withServer } from '../../support/http-llm.mjs';

const text = summary('keep port 8443');

describe('R7.2 how a client is called', () => {
  it('R7.2 a function, an object with chat and one with call are the same', async () => {
    const kinds = [(/** @type {any} */ model) => model, (model) => ({ chat: model }), (model) => ({ call: model })];
    for (const kind of kinds) {
      const model = scripted(text);
      const { messages } = await processed(session(), { model: kind(model) });
      assert.equal(model.calls.length, 1);
      assert.ok(summaryIn(messages).content.includes('keep port 8443'));
    }
  });

  it('R7.2 chat and call are called as methods of their object, chat before call', async () => {
    class Client {
      #answer = text;
      chat() {
        return { content: this.#answer };
      }
      call() {
        return assert.fail('chat is there');
      }
    }
    const { messages } = await processed(session(), { model: /** @type {any} */ (new Client()) });
    assert.ok(summaryIn(messages));
  });

  it('R7.2 it gets model, messages, both spellings of the limit, a temperature, and the signal by both its names', async () => {
    const config = configuration({ autoCompressionSummaryMaxTokens: 640 });
    const { calls } = await processed(session(), { config });
    const { model, messages, maxTokens, max_tokens: spelledBySnakes, temperature, ...rest } = calls[0];
    const { signal, abortSignal } = calls[0];
    assert.deepEqual([model, maxTokens, spelledBySnakes, temperature], ['small-model', 640, 640, 0]);
    assert.ok(signal instanceof AbortSignal);
    assert.equal(abortSignal, signal);
    assert.deepEqual(rest, {});
    for (const { role, content, ...more } of messages) {
      assert.ok(['system', 'user'].includes(role));
      assert.equal(typeof content, 'string');
      assert.deepEqual(more, {});
    }
  });

  it('R7.2 what a client does to its parameters reaches nobody else', async () => {
    const model = scripted((/** @type {any} */ parameters) => {
      parameters.messages.length = 0;
      parameters.model = 'x';
      return text;
    });
    const { messages, before } = await processed(session(), { model });
    assert.equal(summaryIn(messages).compression.model, 'small-model');
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.2 the event loop is free while the model writes', async () => {
    let ticks = 0;
    const model = scripted(
      () =>
        new Promise((resolve) => {
          const tick = () => (++ticks < 20 ? setImmediate(tick) : resolve(text));
          tick();
        }),
    );
    const { messages } = await processed(session(), { model });
    assert.equal(ticks, 20);
    assert.ok(summaryIn(messages));
  });
});

describe('R7.7 the model that the record names', () => {
  /** What the record and the log name. @param {(parameters: any) => any} client */
  async function named(client) {
    const { messages, event } = await processed(session(), { model: /** @type {any} */ (client) });
    const { model } = summaryIn(messages).compression;
    assert.equal(event('summary_requested').model, 'small-model');
    for (const type of ['summary_answered', 'compressed']) assert.equal(event(type).model, model ?? '', type);
    return model;
  }

  it('R7.7 is the one that the answer names', async () => {
    const completed = { choices: [{ message: { content: text } }], model: 'small-model-2026-01' };
    assert.equal(await named(({ model }) => ({ ...completed, asked: model })), 'small-model-2026-01');
    assert.equal(
      await named(() => ({ content: text, model: 'anthropic/claude-haiku-4.5:beta' })),
      'anthropic/claude-haiku-4.5:beta',
    );
  });

  it('R7.7 else the one that was asked for, when the client can have used it', async () => {
    /** @type {((parameters: any) => any)[]} */
    const clients = [
      ({ model }) => (model === 'small-model' ? text : ''),
      (parameters) => ({ ...parameters, content: text }).content,
      (...parameters) => JSON.stringify(parameters) && text,
      (parameters) =>
        structuredClone({ ...parameters, signal: null, abortSignal: null }) && { content: text, model: null },
    ];
    for (const client of clients) assert.equal(await named(client), 'small-model');
  });

  it('R7.7 else null: a client that never looks at the model has its own', async () => {
    for (const client of [() => text, ({ messages }) => messages && { content: text }]) {
      assert.equal(await named(client), null);
    }
  });

  it('R9.2 what is no name of a model is not taken for one', async () => {
    for (const model of ['', 'a sentence with MARK', 'x'.repeat(200), 7, { name: 'x' }, '\u001b[31m']) {
      assert.equal(await named(() => ({ content: text, model })), null);
    }
  });

  it('R7.12 a summary by hand names none', async () => {
    const { manager } = managerWith();
    const messages = session();
    await manager.compress(messages, { summary: 'by hand' });
    assert.equal(summaryIn(messages).compression.model, null);
  });

  it('R7.2 HttpLlmClient answers with the name that the provider gives', () =>
    withServer([completion(text)], async (server) => {
      const { messages } = await processed(session(), { model: /** @type {any} */ (clientOf(server)) });
      assert.equal(summaryIn(messages).compression.model, 'scripted-1');
    }));
});

describe('R7.2 what a client may answer', () => {
  /** @type {[string, any][]} */
  const answers = [
    ['a string', text],
    ['{content}', { content: text }],
    ['a message', { role: 'assistant', content: text }],
    ['{message}', { message: { role: 'assistant', content: text } }],
    [
      'an OpenAI completion',
      { choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }] },
    ],
    ['Anthropic parts', { content: [{ type: 'text', text }], stop_reason: 'end_turn' }],
    [
      'Anthropic parts behind thoughts',
      {
        content: [
          { type: 'thinking', thinking: 'let me see' },
          { type: 'text', text },
        ],
      },
    ],
    [
      'text parts',
      {
        choices: [
          {
            message: {
              content: [
                { type: 'text', text: text.slice(0, 9) },
                { type: 'text', text: text.slice(9) },
              ],
            },
          },
        ],
      },
    ],
    ['an answer in a fence', `\`\`\`markdown\n${text}\n\`\`\``],
    ['an answer behind thoughts', `<think>what shall I say</think>\n${text}`],
  ];
  for (const [name, answer] of answers) {
    it(`R7.2 ${name} is read, and nothing but the text becomes the summary`, async () => {
      const { messages } = await processed(session(), { model: scripted(answer) });
      const { content } = summaryIn(messages) ?? assert.fail('nothing was compressed');
      assert.match(
        content,
        /^\[压缩摘要\]\n\(Summary of the earlier conversation.*\)\n\(The user's current request.*\)\n\n/,
      );
      assert.ok(content.split('\n\n').slice(1).join('\n\n').startsWith(text), content);
    });
  }

  /** @type {[string, any, string][]} */
  const refused = [
    ['an empty text', '', 'empty'],
    ['white space', ' \n\t\u3000', 'blank'],
    [
      'a tool call',
      { content: text, tool_calls: [{ id: 'x', function: { name: 'read', arguments: '{}' } }] },
      'tool_call',
    ],
    ['a tool_use part', { content: [{ type: 'tool_use', id: 'x', name: 'read', input: {} }] }, 'tool_call'],
    ['a refusal', { choices: [{ message: { content: null, refusal: 'no' } }] }, 'refusal'],
    ['a refusal in words', "I'm sorry, but I can't help with that.", 'refusal'],
    ['a filtered answer', { choices: [{ message: { content: text }, finish_reason: 'content_filter' }] }, 'refusal'],
    ['an error text', 'Error: 503 Service Unavailable', 'error_text'],
    ['an error body', '{"error":{"message":"overloaded"}}', 'error_text'],
    ['an error page', '<!DOCTYPE html><html><body>502</body></html>', 'error_text'],
    [
      'an answer cut off in its thoughts',
      { choices: [{ message: { content: '' }, finish_reason: 'length' }] },
      'cut_off',
    ],
    [
      "Anthropic's answer cut off in its first sentence",
      { content: [{ type: 'text', text: '## Goal\nto re' }], stop_reason: 'max_tokens' },
      'cut_off',
    ],
    ['a word', 'ok', 'too_little'],
    ['undefined as text', 'undefined', 'too_little'],
    ['an object as text', '[object Object]', 'too_little'],
    ['empty headings', summary('').replaceAll('none', ''), 'too_little'],
    ["a server's apology", "I'm sorry, but I encountered an error while processing your request.", 'error_text'],
    ['a busy server', 'The server is overloaded. Please try again later.', 'error_text'],
    ['a busy server in Chinese', '服务器繁忙，请稍后再试。', 'error_text'],
    ['a refusal in Chinese', '抱歉，我无法总结这段对话。', 'refusal'],
    ['a refusal of an AI in Chinese', '对不起，作为AI语言模型，我不能这样做。', 'refusal'],
    ['a bare command', 'npm test', 'tool_call'],
    ['a script and nothing else', '```bash\nnpm run build && npm test\n```', 'tool_call'],
    ['thoughts alone', '<think>what shall I say</think>', 'reasoning_only'],
  ];
  for (const [name, answer, reason] of refused) {
    it(`R7.6 ${name} is refused as ${reason}, counted, and changes nothing`, async () => {
      const { messages, before, manager, event } = await processed(session(), { model: scripted(answer) });
      assert.deepEqual(messages, before);
      assert.equal(manager.stats()[`refused.${reason}`], 1, JSON.stringify(manager.stats()));
      assert.equal(event('summary_refused').reason, reason);
    });
  }

  it('R7.6 a summary that speaks of errors, refusals and tools is taken', async () => {
    const goal = "429 Too Many Requests stopped us.\nThe API said: I'm sorry, but I can't help.\nError: ENOENT";
    const { messages } = await processed(session(), { model: scripted(summary(goal)) });
    assert.ok(summaryIn(messages).content.includes('ENOENT'));
  });

  it('R7.6 a summary without a section is asked for once more', async () => {
    const model = scripted('## Goal\nfix it', text);
    const { messages, calls, manager } = await processed(session(), { model });
    assert.equal(calls.length, 2);
    assert.ok(calls[1].messages[1].content.includes('failed attempts'));
    assert.ok(summaryIn(messages).content.includes('keep port 8443'));
    assert.equal(manager.stats().repaired, 1);
  });

  it('R7.6 when the repair fails, the first summary stands, and the digest fills the gap', async () => {
    const model = scripted('## Goal\nfix it', new Error('away'));
    const { messages, calls } = await processed(session(), { model });
    assert.equal(calls.length, 2);
    const { content } = summaryIn(messages);
    assert.ok(content.includes('fix it') && content.includes('keep the port at 8443'));
  });
});

describe('R7.2 HttpLlmClient as the client', () => {
  it('R7.2 a whole compression over HTTP', () =>
    withServer([completion(text)], async (server) => {
      const { messages, before } = await processed(session(), { model: /** @type {any} */ (clientOf(server)) });
      assert.deepEqual(expandHistory(messages), before);
      assert.equal(server.requests.length, 1);
      assert.equal(server.requests[0].json.model, 'small-model');
      assert.equal(server.requests[0].json.max_tokens, 1_000);
    }));

  it("R7.2 in Anthropic's form", () =>
    withServer([anthropicMessage(text)], async (server) => {
      const client = clientOf(server, { style: 'anthropic' });
      const { messages } = await processed(session(), { model: /** @type {any} */ (client) });
      assert.ok(summaryIn(messages)?.content.includes('keep port 8443'));
    }));

  it('R7.2 a provider that answers 401 changes nothing and is not asked twice', () =>
    withServer([status(401)], async (server) => {
      const { messages, before, manager } = await processed(session(), {
        model: /** @type {any} */ (clientOf(server)),
      });
      assert.deepEqual(messages, before);
      assert.equal(manager.stats().failed, 1);
      assert.equal(server.requests.length, 1);
    }));

  it('R7.2 an overflow that the provider reports is answered with a shorter question', () => {
    const error = {
      message: "This model's maximum context length is 3000 tokens. However, your messages resulted in 5000 tokens.",
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    };
    return withServer([status(400, {}, { error }), completion(text)], async (server) => {
      const { manager } = managerWith({ model: /** @type {any} */ (clientOf(server)) });
      const messages = session();
      await manager.process(messages, { now: NOW });
      assert.ok(summaryIn(messages));
      const [first, second] = server.requests.map(({ text: body }) => body.length);
      assert.ok(second < first);
    });
  });
});
