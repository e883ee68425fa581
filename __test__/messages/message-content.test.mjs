// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AIMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import * as palimpsest from 'palimpsest';
import { configuration, managerWith, NOW, scripted, summary } from '../support/compression.mjs';

const { expandHistory, stripForApi, TokenCounter, prepareMessages } = /** @type {any} */ (palimpsest);
const words = (/** @type {number} */ count, mark = 'word') => `${mark} `.repeat(count);

/** What the model that summarises is asked, and what is left. @param {any[]} messages @param {Record<string, unknown>} [config] */
async function asked(messages, config) {
  const model = scripted(summary());
  const { manager, events } = managerWith({ config: configuration({ maxContextTokens: 2_000, ...config }), model });
  const said = [...messages];
  await manager.process(messages, { now: NOW });
  assert.deepEqual(expandHistory(messages), said);
  return { question: model.calls.map(({ messages: [, user] }) => user.content).join('\n'), messages, events };
}

const later = (/** @type {any} */ make) => Array.from({ length: 6 }, (_, at) => make(`${at}: ${words(200)}`));
const chatLater = later((/** @type {string} */ content) => ({ role: 'user', content }));

describe('R11.6 what a message says reaches the summary, whatever its dialect says it in', () => {
  test('a refusal, as a field and as a part, and the one call of old', async () => {
    const { question } = await asked([
      { role: 'user', content: `begin ${words(900)}` },
      { role: 'assistant', content: null, refusal: 'That I must not do.' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'Nor will I do this.' }] },
      { role: 'assistant', content: null, function_call: { name: 'old_tool', arguments: '{"way":"of old"}' } },
      { role: 'function', name: 'old_tool', content: 'as ever' },
      ...chatLater,
    ]);
    for (const text of ['That I must not do.', 'Nor will I do this.', 'old_tool', 'of old', 'as ever'])
      assert.ok(question.includes(text), text);
  });

  test('shell, patch and custom calls of Responses with their outputs, and who failed', async () => {
    const items = [
      { role: 'user', content: `begin ${words(900)}` },
      { type: 'shell_call', call_id: 's', action: { commands: ['make all'] }, status: 'completed' },
      {
        type: 'shell_call_output',
        call_id: 's',
        output: [{ stdout: 'half done', stderr: 'no rule', outcome: { type: 'exit', exit_code: 2 } }],
      },
      { type: 'local_shell_call', id: 'l', call_id: 'l', action: { command: ['ls', '-l'] }, status: 'completed' },
      { type: 'local_shell_call_output', id: 'l', output: 'one file' },
      {
        type: 'apply_patch_call',
        call_id: 'p',
        operation: { type: 'delete_file', path: 'old.ts' },
        status: 'completed',
      },
      { type: 'apply_patch_call_output', call_id: 'p', status: 'failed', output: 'no such file' },
      { type: 'custom_tool_call', call_id: 'c', name: 'grammar', input: 'a free form' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'as you like' },
      {
        type: 'computer_call',
        call_id: 'm',
        id: 'm',
        action: { type: 'screenshot' },
        pending_safety_checks: [],
        status: 'completed',
      },
      { type: 'computer_call_output', call_id: 'm', output: { type: 'computer_screenshot', image_url: 'data:,' } },
      ...later((/** @type {string} */ text) => ({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text }],
      })),
    ];
    assert.equal(prepareMessages(items).report.unrecognised, 0);
    const { question } = await asked(items);
    const told = ['make all', 'half done', 'no rule', 'one file', 'old.ts', 'no such file', 'grammar', 'a free form'];
    for (const text of [...told, 'as you like', '[computer_screenshot]']) assert.ok(question.includes(text), text);
  });

  test('calls and results of the AI SDK, whatever kind of output they have', async () => {
    const call = (/** @type {string} */ id, more = {}) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: `tool_${id}`,
      input: { in: id },
      ...more,
    });
    const result = (/** @type {string} */ id, /** @type {any} */ output) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: `tool_${id}`,
      output,
    });
    const { question } = await asked([
      { role: 'user', content: `begin ${words(900)}` },
      {
        role: 'assistant',
        content: [
          call('a'),
          call('b'),
          call('d'),
          call('c', { providerExecuted: true }),
          result('c', { type: 'json', value: { found: 'by the server' } }),
        ],
      },
      {
        role: 'tool',
        content: [
          result('a', { type: 'json', value: { is: 'json' } }),
          result('b', { type: 'execution-denied', reason: 'not today' }),
          result('d', { type: 'json', value: [1, { two: 2 }] }),
        ],
      },
      ...chatLater,
    ]);
    for (const text of ['tool_a', 'tool_b', 'by the server', '{"is":"json"}', 'not today', '[1,{"two":2}]'])
      assert.ok(question.includes(text), text);
  });
});

describe('R7.4 what a provider wants together stays together', () => {
  test('a decision about a call stays with the request for it', async () => {
    for (const keep of [1, 2]) {
      const messages = [
        { role: 'user', content: words(900) },
        { role: 'assistant', content: words(300) },
        { role: 'user', content: 'go on' },
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'a', toolName: 'pay', input: {} },
            { type: 'tool-approval-request', approvalId: 'x', toolCallId: 'a' },
          ],
        },
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'x', approved: true }] },
      ];
      const { messages: left } = await asked(messages, {
        autoCompressionKeepRecentCount: keep,
        maxContextTokens: 1_400,
      });
      const types = left.flatMap(({ content }) => (Array.isArray(content) ? content.map(({ type }) => type) : []));
      assert.deepEqual(types, ['tool-call', 'tool-approval-request', 'tool-approval-response']);
    }
  });

  test('Gemini gets a summary and what follows it in one content, and only there', async () => {
    const side = (/** @type {number} */ at) => ({
      role: at % 2 === 0 ? 'user' : 'model',
      parts: [{ text: `${at} ${words(100)}` }],
    });
    const { messages } = await asked(
      Array.from({ length: 21 }, (_, at) => side(at)),
      { autoCompressionKeepRecentCount: 5 },
    );
    assert.equal(messages.length, 6);
    const sent = stripForApi(messages);
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['user', 'model', 'user', 'model', 'user'],
    );
    assert.equal(sent[0].parts.length, 2);
    assert.equal(sent[1], messages[2]);
    const twice = [side(0), side(0), side(1)];
    assert.deepEqual(stripForApi(twice), twice, 'what a host has put side by side stays');
  });
});

describe('R7.7 LangChain: records lie where its messages keep what is not theirs', () => {
  const conversation = () => [
    new SystemMessage('Be good.'),
    new AIMessage({ content: words(500), usage_metadata: { input_tokens: 900, output_tokens: 5, total_tokens: 905 } }),
    ...Array.from({ length: 5 }, (_, at) => [
      new AIMessage({ content: '', tool_calls: [{ id: `c${at}`, name: 'look', args: { at } }] }),
      new ToolMessage({ tool_call_id: `c${at}`, content: words(200) }),
    ]).flat(),
    new AIMessage({
      content: 'done',
      usage_metadata: { input_tokens: 5_000, output_tokens: 5, total_tokens: 5_005 },
      response_metadata: { tokenUsage: { promptTokens: 5_000 }, model: 'm' },
    }),
  ];

  test('R7.3 its own usage is read, cleared on copies, and comes back', async () => {
    const { messages, events } = await asked(conversation(), { maxContextTokens: 6_000 });
    assert.equal(events[0].source, 'reported');
    const last = messages.at(-1);
    assert.ok(last instanceof AIMessage);
    assert.equal(last.usage_metadata, undefined);
    assert.deepEqual(last.response_metadata, { model: 'm' });
    assert.deepEqual(JSON.parse(JSON.stringify(stripForApi(messages).at(-1))).kwargs.additional_kwargs, {});
  });

  test('the summary is a HumanMessage, of the class that is there or of one made for it', async () => {
    for (const first of [new HumanMessage('begin'), new AIMessage('begin')]) {
      const { messages } = await asked([first, ...conversation().slice(1)]);
      const made = /** @type {any} */ (
        messages.find((message) => /** @type {any} */ (message).additional_kwargs.isCompressed)
      );
      assert.equal(made.getType(), 'human');
      assert.ok(HumanMessage.isInstance(made));
      assert.equal(JSON.parse(JSON.stringify(made)).id.at(-1), 'HumanMessage');
      const sent = stripForApi(messages);
      assert.ok(!JSON.stringify(sent).includes('originalMessages'));
    }
  });

  test('stored dictionaries are read, compressed and given back', async () => {
    const stored = mapChatMessagesToStoredMessages(conversation());
    assert.equal(prepareMessages(/** @type {any} */ (stored)).report.unrecognised, 0);
    const counter = new TokenCounter();
    assert.equal(counter.countMessages(stored), counter.countMessages(conversation()));
    const { messages } = await asked(stored);
    const made = messages.find(({ data }) => data.additional_kwargs.isCompressed);
    assert.equal(made.type, 'human');
    assert.equal(messages[0].type, 'system');
  });
});

describe('R7.3 tokens', () => {
  test('a refusal that is replaced in place is counted anew, as a field and as a part', () => {
    const counter = new TokenCounter();
    for (const message of [
      { role: 'assistant', content: null, refusal: 'No.' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ]) {
      const before = counter.countMessages([message]);
      const longer = words(40);
      if (Array.isArray(message.content)) /** @type {any} */ (message.content[0]).refusal = longer;
      else message.refusal = longer;
      assert.ok(counter.countMessages([message]) > before + 30);
    }
  });

  test('ISSUE 21.1 what stands where a text or a list of parts should counts as the text in it', () => {
    const value = { weather: words(40) };
    const messages = {
      anthropic: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: value }] },
      gemini: { role: 'user', parts: [{ functionResponse: { name: 'look', response: value } }] },
      langchain: new ToolMessage({ tool_call_id: 'a', content: /** @type {any} */ (value) }),
      'openai-responses': { type: 'shell_call_output', call_id: 's', output: [null, { stdout: words(40) }] },
      pi: { role: 'toolResult', toolCallId: 'a', content: value },
    };
    for (const [dialect, message] of Object.entries(messages))
      assert.ok(new TokenCounter().countMessages([message]) > 40, dialect);
  });

  test('the usage on pi’s messages is read, what the cache held with it', async () => {
    const parts = (/** @type {string} */ text) => [{ type: 'text', text }];
    const messages = Array.from({ length: 8 }, (_, at) => [
      { role: 'user', content: parts(`${at}`), timestamp: at },
      {
        role: 'assistant',
        content: [{ type: 'toolCall', id: `c${at}`, name: 'look', arguments: {} }],
        usage: { input: 10, output: 5, cacheRead: 3_000, cacheWrite: 900, totalTokens: 3_915 },
        timestamp: at,
      },
      {
        role: 'toolResult',
        toolCallId: `c${at}`,
        toolName: 'look',
        content: parts(words(300)),
        isError: false,
        timestamp: at,
      },
    ]).flat();
    const { events } = await asked(messages, { maxContextTokens: 4_500 });
    assert.equal(events[0].source, 'reported');
    assert.ok(events[0].used_tokens >= 3_910, String(events[0].used_tokens));
  });
});
