// @ts-check
/** Binary data in the tool results of whole conversations, in each dialect. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { prepareMessages } from 'palimpsest';
import { filtered } from '../support/contents.mjs';
import { testEachSession } from '../support/corpus.mjs';

const { binaryIn } = createRequire(import.meta.url)('../../lib/cleanup/messages-without-binary.js');
const withoutBinary = (/** @type {any} */ message) => binaryIn(message)?.message ?? message;

const bytes = randomBytes(30_000);
const image = bytes.toString('base64');
const json = JSON.stringify({ screenshot: image, width: 1280 });
const sanitizedJson = JSON.stringify({ screenshot: filtered(image.length), width: 1280 });
const imageBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } };

/** A message with a result that has this text, by dialect. @type {Record<string, (text: string) => any>} */
const dialects = {
  chat: (text) => ({ role: 'tool', tool_call_id: 'a', content: text }),
  'chat in parts': (text) => ({ role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text }] }),
  anthropic: (text) => ({
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text }, imageBlock] },
      { type: 'text', text: 'go on' },
    ],
  }),
  responses: (text) => ({ type: 'function_call_output', call_id: 'a', output: text }),
  shell: (text) => ({
    type: 'shell_call_output',
    call_id: 'a',
    output: [{ stdout: text, stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  }),
  'ai-sdk': (text) => {
    const output = text === json ? { type: 'json', value: JSON.parse(json) } : { type: 'text', value: text };
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 't', output }] };
  },
  gemini: (text) => ({ role: 'user', parts: [{ functionResponse: { name: 't', response: { output: text } } }] }),
  pi: (text) => ({
    role: 'toolResult',
    toolCallId: 'a',
    toolName: 't',
    content: [{ type: 'text', text }],
    isError: false,
  }),
};

test('R5.3 binary data in a result’s text is replaced on a copy of the message, in each dialect', () => {
  for (const [name, messageWith] of Object.entries(dialects)) {
    const message = messageWith(json);
    const copy = withoutBinary(message);
    assert.deepEqual(copy, messageWith(sanitizedJson), name);
    assert.deepEqual(message, messageWith(json), `${name}: the original is unchanged`);
    assert.equal(withoutBinary(message), copy, `${name}: the same copy again`);
    assert.equal(withoutBinary(copy), copy, `${name}: a second call changes nothing`);
  }
});

test('R5.3 the copy of a ToolMessage is a ToolMessage', () => {
  const message = new ToolMessage({ content: json, tool_call_id: 'a' });
  const copy = withoutBinary(message);
  assert.ok(copy instanceof ToolMessage && copy !== message);
  assert.equal(copy.content, sanitizedJson);
  assert.equal(message.content, json);
});

test('R5.3 user and assistant messages, images and calls stay the same objects', () => {
  const messages = [
    { role: 'user', content: json },
    { role: 'assistant', content: json },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [imageBlock] }] },
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

test('R5.3 a message that was edited in place is read again', () => {
  for (const [name, messageWith] of Object.entries(dialects)) {
    const message = messageWith(json);
    withoutBinary(message);
    message.extra = 1;
    assert.deepEqual(withoutBinary(message), { ...messageWith(sanitizedJson), extra: 1 }, name);
  }
  /** @type {any} */
  const result = { role: 'tool', tool_call_id: 'a', content: 'ok' };
  assert.equal(withoutBinary(result), result);
  result.content = json;
  assert.equal(withoutBinary(result).content, sanitizedJson);
  result.content = 'ok again';
  assert.equal(withoutBinary(result), result);
});

test('R5.3 prepareMessages replaces and counts binary data only with `binary: true`', () => {
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
  assert.equal(sent[2]?.content, sanitizedJson);
  assert.equal(sent[0], messages[0]);
  assert.equal(report.changed, 1);
  assert.deepEqual(report.indices, [2]);
  assert.equal(report.byRule.binary?.changed, 1);
  assert.equal(report.byRule.binary?.unitsRemoved, json.length - sanitizedJson.length);
  assert.equal(report.unitsRemoved, json.length - sanitizedJson.length);
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

test('R5.3 prepareMessages with `binary` also runs the rules and removes orphans', () => {
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

testEachSession('R5.3 recorded messages without binary data in their texts stay the same objects', ({ messages }) => {
  for (const message of messages) assert.equal(withoutBinary(message), message);
  const { report } = prepareMessages(messages, { binary: true, orphans: false, terminal: false, fileReads: false });
  assert.equal(report.changed, 0);
});
