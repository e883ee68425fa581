// @ts-check
/** What a message contains, in every form that its dialect has: as text of the request for a summary, and as tokens. */
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
const words = (/** @type {number} */ count, word = 'word') => `${word} `.repeat(count);

/** Compresses; returns the text that the summary model got, and the messages afterwards. @param {any[]} messages @param {Record<string, unknown>} [config] */
async function compressed(messages, config) {
  const model = scripted(summary());
  const { manager, events } = managerWith({ config: configuration({ maxContextTokens: 2_000, ...config }), model });
  const before = [...messages];
  await manager.process(messages, { now: NOW });
  assert.deepEqual(expandHistory(messages), before);
  return { summaryRequest: model.calls.map(({ messages: [, user] }) => user.content).join('\n'), messages, events };
}

const sixLongMessages = (/** @type {any} */ make) => Array.from({ length: 6 }, (_, at) => make(`${at}: ${words(200)}`));
const laterChat = sixLongMessages((/** @type {string} */ content) => ({ role: 'user', content }));

describe('R7.5 the request for a summary contains', () => {
  test('refusals, as a field and as a part, and a function_call with its result', async () => {
    const { summaryRequest } = await compressed([
      { role: 'user', content: `begin ${words(900)}` },
      { role: 'assistant', content: null, refusal: 'That I must not do.' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'Nor will I do this.' }] },
      { role: 'assistant', content: null, function_call: { name: 'old_tool', arguments: '{"way":"of old"}' } },
      { role: 'function', name: 'old_tool', content: 'as ever' },
      ...laterChat,
    ]);
    for (const text of ['That I must not do.', 'Nor will I do this.', 'old_tool', 'of old', 'as ever'])
      assert.ok(summaryRequest.includes(text), text);
  });

  test('shell, patch and custom calls of Responses with their outputs and errors', async () => {
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
      ...sixLongMessages((/** @type {string} */ text) => ({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text }],
      })),
    ];
    assert.equal(prepareMessages(items).report.unrecognised, 0);
    const { summaryRequest } = await compressed(items);
    const texts = ['make all', 'half done', 'no rule', 'one file', 'old.ts', 'no such file', 'grammar', 'a free form'];
    for (const text of [...texts, 'as you like', '[computer_screenshot]'])
      assert.ok(summaryRequest.includes(text), text);
  });

  test('calls and results of the AI SDK with outputs of every type', async () => {
    const call = (/** @type {string} */ id, fields = {}) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: `tool_${id}`,
      input: { in: id },
      ...fields,
    });
    const result = (/** @type {string} */ id, /** @type {any} */ output) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: `tool_${id}`,
      output,
    });
    const { summaryRequest } = await compressed([
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
      ...laterChat,
    ]);
    for (const text of ['tool_a', 'tool_b', 'by the server', '{"is":"json"}', 'not today', '[1,{"two":2}]'])
      assert.ok(summaryRequest.includes(text), text);
  });
});

describe('R7.4 messages that a provider requires together stay together', () => {
  test('an approval response, its request and the call are all kept', async () => {
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
      const { messages: kept } = await compressed(messages, {
        autoCompressionKeepRecentCount: keep,
        maxContextTokens: 1_400,
      });
      const types = kept.flatMap(({ content }) => (Array.isArray(content) ? content.map(({ type }) => type) : []));
      assert.deepEqual(types, ['tool-call', 'tool-approval-request', 'tool-approval-response']);
    }
  });

  test('for Gemini, stripForApi merges only the summary with the user message after it', async () => {
    const content = (/** @type {number} */ at) => ({
      role: at % 2 === 0 ? 'user' : 'model',
      parts: [{ text: `${at} ${words(100)}` }],
    });
    const { messages } = await compressed(
      Array.from({ length: 21 }, (_, at) => content(at)),
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
    const adjacent = [content(0), content(0), content(1)];
    assert.deepEqual(stripForApi(adjacent), adjacent, 'adjacent messages of the application are not merged');
  });
});

describe('R7.7 LangChain: records are in additional_kwargs', () => {
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

  test('R7.3 usage_metadata is read as reported usage, and removed from kept messages after a compression', async () => {
    const { messages, events } = await compressed(conversation(), { maxContextTokens: 6_000 });
    assert.equal(events[0].source, 'reported');
    const last = messages.at(-1);
    assert.ok(last instanceof AIMessage);
    assert.equal(last.usage_metadata, undefined);
    assert.deepEqual(last.response_metadata, { model: 'm' });
    assert.deepEqual(JSON.parse(JSON.stringify(stripForApi(messages).at(-1))).kwargs.additional_kwargs, {});
  });

  test('the summary is a HumanMessage, even if the conversation contains none', async () => {
    for (const first of [new HumanMessage('begin'), new AIMessage('begin')]) {
      const { messages } = await compressed([first, ...conversation().slice(1)]);
      const summaryMessage = /** @type {any} */ (
        messages.find((message) => /** @type {any} */ (message).additional_kwargs.isCompressed)
      );
      assert.equal(summaryMessage.getType(), 'human');
      assert.ok(HumanMessage.isInstance(summaryMessage));
      assert.equal(JSON.parse(JSON.stringify(summaryMessage)).id.at(-1), 'HumanMessage');
      const sent = stripForApi(messages);
      assert.ok(!JSON.stringify(sent).includes('originalMessages'));
    }
  });

  test('stored messages of mapChatMessagesToStoredMessages are counted, compressed and expanded like instances', async () => {
    const stored = mapChatMessagesToStoredMessages(conversation());
    assert.equal(prepareMessages(/** @type {any} */ (stored)).report.unrecognised, 0);
    const counter = new TokenCounter();
    assert.equal(counter.countMessages(stored), counter.countMessages(conversation()));
    const { messages } = await compressed(stored);
    const summaryMessage = messages.find(({ data }) => data.additional_kwargs.isCompressed);
    assert.equal(summaryMessage.type, 'human');
    assert.equal(messages[0].type, 'system');
  });
});

describe('token counts and reported usage', () => {
  test('R6.2 a refusal that is replaced in place is counted again, as a field and as a part', () => {
    const counter = new TokenCounter();
    for (const message of [
      { role: 'assistant', content: null, refusal: 'No.' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ]) {
      const before = counter.countMessages([message]);
      const longer = words(40);
      if (Array.isArray(message.content)) /** @type {any} */ (message.content[0]).refusal = longer;
      else message.refusal = longer;
      const after = counter.countMessages([message]);
      assert.ok(after > before + 30);
      assert.equal(after, new TokenCounter().countMessages(structuredClone([message])));
    }
  });

  test('R6.2 an object in place of a text or a list of parts counts as the text in it', () => {
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

  test('R7.3 the usage on pi’s messages is read, cached tokens included', async () => {
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
    const { events } = await compressed(messages, { maxContextTokens: 4_500 });
    assert.equal(events[0].source, 'reported');
    assert.ok(events[0].used_tokens >= 3_910, String(events[0].used_tokens));
  });
});
