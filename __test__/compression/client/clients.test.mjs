// @ts-check
/** The application's LLM client: with which parameters it is called, and which of its answers are accepted. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  expandHistory,
  managerWith,
  processed,
  scripted,
  session,
  summary,
  summaryIn,
} from '../../support/compression.mjs';
import { completion } from '../../support/fault-server.mjs';
import { clientOf, withServer } from '../../support/http-llm.mjs';

const goodSummary = summary('keep port 8443');

describe('R7.2 how a client is called', () => {
  it('R7.2 a client is a function, an object with chat, or an object with call', async () => {
    const kinds = [(/** @type {any} */ model) => model, (model) => ({ chat: model }), (model) => ({ call: model })];
    for (const kind of kinds) {
      const model = scripted(goodSummary);
      const { messages } = await processed(session(), { model: kind(model) });
      assert.equal(model.calls.length, 1);
      assert.ok(summaryIn(messages).content.includes('keep port 8443'));
    }
  });

  it('R7.2 chat is called as a method of the client and takes precedence over call', async () => {
    class Client {
      #answer = goodSummary;
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

  it('R7.2 a client gets model, messages, temperature, both spellings of the token limit, and signal and abortSignal', async () => {
    const config = configuration({ autoCompressionSummaryMaxTokens: 640 });
    const { calls } = await processed(session(), { config });
    const { model, messages, maxTokens, max_tokens: snakeCaseLimit, temperature, ...rest } = calls[0];
    const { signal, abortSignal } = calls[0];
    assert.deepEqual([model, maxTokens, snakeCaseLimit, temperature], ['small-model', 640, 640, 0]);
    assert.ok(signal instanceof AbortSignal);
    assert.equal(abortSignal, signal);
    assert.deepEqual(rest, {});
    for (const { role, content, ...otherFields } of messages) {
      assert.ok(['system', 'user'].includes(role));
      assert.equal(typeof content, 'string');
      assert.deepEqual(otherFields, {});
    }
  });

  it('R7.2 a client that modifies its parameters changes neither the record nor the history', async () => {
    const model = scripted((/** @type {any} */ parameters) => {
      parameters.messages.length = 0;
      parameters.model = 'x';
      return goodSummary;
    });
    const { messages, before } = await processed(session(), { model });
    assert.equal(summaryIn(messages).compression.model, 'small-model');
    assert.deepEqual(expandHistory(messages), before);
  });
});

describe('R7.7 compression.model of the record', () => {
  /** The model in the record, which the events name as well. @param {(parameters: any) => any} client */
  async function recordedModel(client) {
    const { messages, event } = await processed(session(), { model: /** @type {any} */ (client) });
    const { model } = summaryIn(messages).compression;
    assert.equal(event('summary_requested').model, 'small-model');
    for (const type of ['summary_answered', 'compressed']) assert.equal(event(type).model, model ?? '', type);
    return model;
  }

  it('R7.7 compression.model is the model that the answer names', async () => {
    const completed = { choices: [{ message: { content: goodSummary } }], model: 'small-model-2026-01' };
    assert.equal(await recordedModel(({ model }) => ({ ...completed, asked: model })), 'small-model-2026-01');
    assert.equal(
      await recordedModel(() => ({ content: goodSummary, model: 'anthropic/claude-haiku-4.5:beta' })),
      'anthropic/claude-haiku-4.5:beta',
    );
  });

  it('R7.7 if the answer names no model, compression.model is the requested model, which the client has read', async () => {
    /** @type {((parameters: any) => any)[]} */
    const clients = [
      ({ model }) => (model === 'small-model' ? goodSummary : ''),
      (parameters) => ({ ...parameters, content: goodSummary }).content,
      (...parameters) => JSON.stringify(parameters) && goodSummary,
      (parameters) =>
        structuredClone({ ...parameters, signal: null, abortSignal: null }) && { content: goodSummary, model: null },
    ];
    for (const client of clients) assert.equal(await recordedModel(client), 'small-model');
  });

  it("R7.7 compression.model is null if the client didn't read the requested model", async () => {
    for (const client of [() => goodSummary, ({ messages }) => messages && { content: goodSummary }]) {
      assert.equal(await recordedModel(client), null);
    }
  });

  it("R9.2 an answer's model that isn't the name of a model is neither recorded nor logged", async () => {
    for (const model of ['', 'a sentence with MARK', 'x'.repeat(200), 7, { name: 'x' }, '\u001b[31m']) {
      assert.equal(await recordedModel(() => ({ content: goodSummary, model })), null);
    }
  });

  it('R7.12 a summary passed to compress is recorded without a model', async () => {
    const { manager } = managerWith();
    const messages = session();
    await manager.compress(messages, { summary: 'by hand' });
    assert.equal(summaryIn(messages).compression.model, null);
  });

  it('R7.2 through HttpLlmClient, compression.model is the model that the provider names', () =>
    withServer([completion(goodSummary)], async (server) => {
      const { messages } = await processed(session(), { model: /** @type {any} */ (clientOf(server)) });
      assert.equal(summaryIn(messages).compression.model, 'scripted-1');
    }));
});

describe('R7.2 R7.6 accepted and refused answers', () => {
  /** @type {[string, any][]} */
  const answers = [
    ['a string', goodSummary],
    ['{content}', { content: goodSummary }],
    ['a message', { role: 'assistant', content: goodSummary }],
    ['{message}', { message: { role: 'assistant', content: goodSummary } }],
    [
      'an OpenAI completion',
      { choices: [{ index: 0, message: { role: 'assistant', content: goodSummary }, finish_reason: 'stop' }] },
    ],
    ['Anthropic parts', { content: [{ type: 'text', text: goodSummary }], stop_reason: 'end_turn' }],
    [
      'Anthropic parts after thinking',
      {
        content: [
          { type: 'thinking', thinking: 'let me see' },
          { type: 'text', text: goodSummary },
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
                { type: 'text', text: goodSummary.slice(0, 9) },
                { type: 'text', text: goodSummary.slice(9) },
              ],
            },
          },
        ],
      },
    ],
    ['an answer in a fence', `\`\`\`markdown\n${goodSummary}\n\`\`\``],
    ['an answer after thinking', `<think>what shall I say</think>\n${goodSummary}`],
  ];
  for (const [name, answer] of answers) {
    it(`R7.2 the text of ${name} becomes the summary, and nothing else of it`, async () => {
      const { messages } = await processed(session(), { model: scripted(answer) });
      const { content } = summaryIn(messages) ?? assert.fail('nothing was compressed');
      assert.match(
        content,
        /^\[压缩摘要\]\n\(Summary of the earlier conversation.*\)\n\(The user's current request.*\)\n\n/,
      );
      assert.ok(content.split('\n\n').slice(1).join('\n\n').startsWith(goodSummary), content);
    });
  }

  /** @type {[string, any, string][]} */
  const refused = [
    ['an empty text', '', 'empty'],
    ['white space', ' \n\t\u3000', 'blank'],
    [
      'a tool call',
      { content: goodSummary, tool_calls: [{ id: 'x', function: { name: 'read', arguments: '{}' } }] },
      'tool_call',
    ],
    ['a tool_use part', { content: [{ type: 'tool_use', id: 'x', name: 'read', input: {} }] }, 'tool_call'],
    ['a refusal', { choices: [{ message: { content: null, refusal: 'no' } }] }, 'refusal'],
    ['a refusal in words', "I'm sorry, but I can't help with that.", 'refusal'],
    [
      'a filtered answer',
      { choices: [{ message: { content: goodSummary }, finish_reason: 'content_filter' }] },
      'refusal',
    ],
    ['an error text', 'Error: 503 Service Unavailable', 'error_text'],
    ['an error body', '{"error":{"message":"overloaded"}}', 'error_text'],
    ['an error page', '<!DOCTYPE html><html><body>502</body></html>', 'error_text'],
    [
      'an answer cut off in its thinking',
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
    ['thinking alone', '<think>what shall I say</think>', 'reasoning_only'],
  ];
  for (const [name, answer, reason] of refused) {
    it(`R7.6 ${name} is refused as ${reason}, counted in stats, and changes nothing`, async () => {
      const { messages, before, manager, event } = await processed(session(), { model: scripted(answer) });
      assert.deepEqual(messages, before);
      assert.equal(manager.stats()[`refused.${reason}`], 1, JSON.stringify(manager.stats()));
      assert.equal(event('summary_refused').reason, reason);
    });
  }

  it('R7.6 a summary that mentions errors and refusals is accepted', async () => {
    const goal = "429 Too Many Requests stopped us.\nThe API said: I'm sorry, but I can't help.\nError: ENOENT";
    const { messages } = await processed(session(), { model: scripted(summary(goal)) });
    assert.ok(summaryIn(messages).content.includes('ENOENT'));
  });

  it('R7.6 the missing sections of a summary are requested once', async () => {
    const model = scripted('## Goal\nfix it', goodSummary);
    const { messages, calls, manager } = await processed(session(), { model });
    assert.equal(calls.length, 2);
    assert.ok(calls[1].messages[1].content.includes('failed attempts'));
    assert.ok(summaryIn(messages).content.includes('keep port 8443'));
    assert.equal(manager.stats().repaired, 1);
  });

  it('R7.6 if the request for missing sections fails, the first summary is used and its digest has the task', async () => {
    const model = scripted('## Goal\nfix it', new Error('away'));
    const { messages, calls } = await processed(session(), { model });
    assert.equal(calls.length, 2);
    const { content } = summaryIn(messages);
    assert.ok(content.includes('fix it') && content.includes('keep the port at 8443'));
  });
});
