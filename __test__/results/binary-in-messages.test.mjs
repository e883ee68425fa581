// @ts-check
/** Binary data in the tool results of whole conversations, in each dialect. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { prepareMessages } from 'palimpsest';
import { testEachSession } from '../support/corpus.mjs';

const { binaryIn } = createRequire(import.meta.url)('../../lib/results/binary-in-messages.js');
const withoutBinary = (/** @type {any} */ message) => binaryIn(message)?.message ?? message;

const bytes = randomBytes(30_000);
const image = bytes.toString('base64');
const large = `[LARGE_DATA_FILTERED: ${(image.length / 1024).toFixed(1)}KB]`;
const json = JSON.stringify({ screenshot: image, width: 1280 });
const shown = JSON.stringify({ screenshot: large, width: 1280 });
const media = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } };

/** A message with a result, and the texts that change, by dialect. @type {Record<string, [any, any]>} */
const dialects = {
  chat: [
    { role: 'tool', tool_call_id: 'a', content: json },
    { role: 'tool', tool_call_id: 'a', content: shown },
  ],
  'chat in parts': [
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: json }] },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: shown }] },
  ],
  anthropic: [
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: json }, media] },
        { type: 'text', text: 'go on' },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: shown }, media] },
        { type: 'text', text: 'go on' },
      ],
    },
  ],
  responses: [
    { type: 'function_call_output', call_id: 'a', output: json },
    { type: 'function_call_output', call_id: 'a', output: shown },
  ],
  shell: [
    {
      type: 'shell_call_output',
      call_id: 'a',
      output: [{ stdout: json, stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
    {
      type: 'shell_call_output',
      call_id: 'a',
      output: [{ stdout: shown, stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
  ],
  'ai-sdk': [
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 't',
          output: { type: 'json', value: { screenshot: image, width: 1280 } },
        },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 't', output: { type: 'text', value: shown } }],
    },
  ],
  gemini: [
    { role: 'user', parts: [{ functionResponse: { name: 't', response: { output: json } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 't', response: { output: shown } } }] },
  ],
  pi: [
    { role: 'toolResult', toolCallId: 'a', toolName: 't', content: [{ type: 'text', text: json }], isError: false },
    { role: 'toolResult', toolCallId: 'a', toolName: 't', content: [{ type: 'text', text: shown }], isError: false },
  ],
};

test('r5_3 each dialect loses binary data in the texts of its results, on copies', () => {
  for (const [name, [message, expected]] of Object.entries(dialects)) {
    const before = structuredClone(message);
    const copy = withoutBinary(message);
    assert.deepEqual(copy, expected, name);
    assert.deepEqual(message, before, `${name}: the original is only read`);
    assert.equal(withoutBinary(message), copy, `${name}: the same copy again`);
    assert.equal(withoutBinary(copy), copy, `${name}: twice changes nothing more`);
  }
});

test('r5_3 instances of classes stay instances', () => {
  const message = new ToolMessage({ content: json, tool_call_id: 'a' });
  const copy = withoutBinary(message);
  assert.ok(copy instanceof ToolMessage && copy !== message);
  assert.equal(copy.content, shown);
  assert.equal(message.content, json);
});

test('r5_3 what the user and the model say, images and calls stay the same objects', () => {
  const messages = [
    { role: 'user', content: json },
    { role: 'assistant', content: json },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [media] }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 't', arguments: json } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'ok' },
    new HumanMessage(json),
    new AIMessage(json),
    null,
    'text',
    Object.defineProperty({ role: 'tool' }, 'content', { get: () => assert.fail(), enumerable: true }),
  ];
  for (const message of messages) assert.equal(withoutBinary(message), message);
});

test('r5_3 a message that is edited in place is read again', () => {
  for (const [name, [given, expected]] of Object.entries(dialects)) {
    const message = structuredClone(given);
    withoutBinary(message);
    message.extra = 1;
    assert.deepEqual(withoutBinary(message), { ...expected, extra: 1 }, name);
  }
  /** @type {any} */
  const result = { role: 'tool', tool_call_id: 'a', content: 'ok' };
  assert.equal(withoutBinary(result), result);
  result.content = json;
  assert.equal(withoutBinary(result).content, shown);
  result.content = 'ok again';
  assert.equal(withoutBinary(result), result);
});

test('r5_3 prepareMessages replaces stored binary data where it is asked to, and counts it', () => {
  const call = { id: 'a', type: 'function', function: { name: 'screenshot', arguments: '{}' } };
  const messages = [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: json },
    { role: 'assistant', content: 'seen' },
  ];
  const before = structuredClone(messages);
  const { messages: sent, report } = prepareMessages(messages, { binary: true });
  assert.deepEqual(messages, before);
  assert.equal(sent[2]?.content, shown);
  assert.equal(sent[0], messages[0]);
  assert.equal(report.changed, 1);
  assert.deepEqual(report.indices, [2]);
  assert.equal(report.byRule.binary?.changed, 1);
  assert.equal(report.byRule.binary?.unitsRemoved, json.length - shown.length);
  assert.equal(report.unitsRemoved, json.length - shown.length);
  assert.ok((report.estimatedTokensSaved ?? 0) > 10_000);
  assert.equal(prepareMessages(messages, { binary: true }).messages[2], sent[2], 'the same copy for the next request');
  for (const options of [undefined, { binary: false }, { binary: undefined }]) {
    const { messages: same, report: none } = prepareMessages(messages, options);
    assert.equal(same[2], messages[2]);
    assert.equal(none.changed, 0);
    assert.ok(!('binary' in none.byRule));
  }
  const clean = prepareMessages(messages.slice(0, 1), { binary: true }).report;
  assert.equal(clean.byRule.binary?.changed, 0);
  assert.equal(JSON.parse(JSON.stringify(report)).byRule.binary.changed, 1);
  assert.throws(() => prepareMessages(messages, /** @type {any} */ ({ binary: 'yes' })), {
    message: /^options\.binary: /,
  });
});

test('r5_3 rules and orphans act on what is left', () => {
  const results = Array.from({ length: 8 }, (_, n) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${n}`, name: 'bash', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${n}`, content: `${n} ${json}` }] },
  ]).flat();
  const messages = [
    { role: 'user', content: 'hi' },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'gone', content: json },
        { type: 'text', text: 'x' },
      ],
    },
    ...results,
    { role: 'assistant', content: 'done' },
  ];
  const { messages: sent, report } = prepareMessages(messages, { binary: true, unknownAge: 'old' });
  assert.ok(JSON.stringify(sent).length < 5000);
  assert.equal(report.byRule.binary?.changed, 9);
  assert.equal(report.byRule.terminal?.changed, 3);
  assert.equal(report.byRule.orphans?.changed, 1);
});

testEachSession('r5_3 recorded conversations without binary data in their texts stay as they are', ({ messages }) => {
  for (const message of messages) assert.equal(withoutBinary(message), message);
  const { report } = prepareMessages(messages, { binary: true, orphans: false, terminal: false, fileReads: false });
  assert.equal(report.changed, 0);
});
