// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanOrphanedToolCalls, prepareMessages, stripForApi, TokenCounter } from 'palimpsest';
import { foreignForms } from '../support/message-forms.mjs';

/** @typedef {any} Untyped */
const OLD = { keepRecent: 0, maxAgeMs: 0, terminalTools: ['bash'] };
const OUTPUT = 'The outdated output of a command. '.repeat(10);
const GONE = '[Outdated command output removed]';
/** Behind a result it is over with the turn that the result belongs to. */
const ANSWER = { role: 'assistant', content: 'Done.' };
const cache = { cache_control: { type: 'ephemeral' } };

/** @param {Untyped[]} messages @param {object} [options] */
const old = (messages, options) => prepareMessages([...messages, ANSWER], { terminal: OLD, ...options });

/** @param {Untyped[]} messages */
function cleaned(messages) {
  const api = [...messages];
  cleanOrphanedToolCalls(api);
  return api;
}

const uses = (/** @type {string[]} */ ...ids) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'bash', input: { command: 'ls' } })),
});
const toolResult = (/** @type {string} */ id, more = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: OUTPUT,
  ...more,
});

describe('R11.2 Anthropic: one result of several in a message', () => {
  test('only the old one changes, and keeps its id, its mark and its cache_control', () => {
    const question = { type: 'text', text: 'Go on', ...cache };
    const failed = toolResult('b', { is_error: true });
    const messages = [uses('a', 'b'), { role: 'user', content: [toolResult('a', cache), failed, question], own: {} }];
    const { messages: sent, report } = old(messages);
    assert.deepEqual(sent[1], {
      ...messages[1],
      content: [{ ...toolResult('a', cache), content: GONE }, failed, question],
    });
    const [, user] = /** @type {Untyped[]} */ (sent);
    assert.equal(user.content[1], failed);
    assert.equal(user.content[2], question);
    assert.equal(user.own, /** @type {Untyped} */ (messages[1]).own);
    assert.deepEqual([report.changed, report.indices], [1, [1]]);
  });

  test('a mark inside of the content stays, and an image goes with its result, however short the text', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(500) } };
    const content = [{ type: 'text', text: 'ok', ...cache }, image];
    const { messages: sent, report } = old([uses('a'), { role: 'user', content: [toolResult('a', { content })] }]);
    const [, user] = /** @type {Untyped[]} */ (sent);
    assert.deepEqual(user.content[0].content, [{ type: 'text', text: GONE, ...cache }]);
    assert.ok(report.unitsRemoved > 500);
  });

  test('a part of a kind that nobody knows keeps its result as it is', () => {
    const content = [
      { type: 'text', text: OUTPUT },
      { type: 'hologram', data: 'x' },
    ];
    const messages = [uses('a'), { role: 'user', content: [toolResult('a', { content })] }];
    assert.equal(old(messages).messages[1], messages[1]);
  });
});

describe('R11.4 Anthropic: results stand in the user message right after the call, before any text', () => {
  const text = { type: 'text', text: 'And now?' };
  test('one that stands apart is none, and its call has none', () => {
    const apart = [uses('a'), { role: 'user', content: 'Wait' }, { role: 'user', content: [toolResult('a'), text] }];
    assert.deepEqual(cleaned(apart), [apart[1], { role: 'user', content: [text] }]);
    const behind = [uses('a'), { role: 'user', content: [text, toolResult('a')] }];
    assert.deepEqual(cleaned(behind), [{ role: 'user', content: [text] }]);
  });

  test('a message that would be left empty goes; the results of the other calls go along', () => {
    const messages = [uses('a', 'b'), { role: 'user', content: [toolResult('a')] }, { role: 'user', content: 'Again' }];
    assert.deepEqual(cleaned(messages), [messages[2]]);
  });

  test('an answer stands with the other results, before the text, and nothing else is lost', () => {
    const messages = [uses('a', 'b'), { role: 'user', content: [toolResult('b'), text] }];
    const { messages: sent } = prepareMessages(messages, { orphans: 'answer', placeholderLanguage: 'en' });
    const [assistant, user] = /** @type {Untyped[]} */ (sent);
    assert.equal(assistant, messages[0]);
    assert.deepEqual(
      user.content.map((/** @type {Untyped} */ block) => block.tool_use_id),
      ['b', 'a', undefined],
    );
    assert.match(user.content[1].content, /^Error: .*interrupted/);
    assert.equal(user.content[1].is_error, true);
  });

  test('tools that the server runs are no orphans', () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'text', text: 'found' },
    ];
    const messages = [{ role: 'assistant', content }];
    assert.deepEqual(cleaned(messages), messages);
  });
});

describe('R11.4 the AI SDK', () => {
  const call = (/** @type {string} */ id, more = {}) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'bash',
    input: { command: 'ls' },
    ...more,
  });
  const result = (/** @type {string} */ id, /** @type {object} */ output, more = {}) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'bash',
    output,
    ...more,
  });

  test('calls that wait for approval or that the provider runs are no orphans', () => {
    const request = { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' };
    for (const content of [[call('a'), request], [call('b', { providerExecuted: true })]]) {
      const messages = [{ role: 'assistant', content }];
      assert.deepEqual(cleaned(messages), messages);
      assert.deepEqual(prepareMessages(messages, { orphans: 'answer' }).messages, messages);
    }
    const dangling = [{ role: 'assistant', content: [call('a')] }];
    assert.deepEqual(cleaned(dangling), []);
  });

  test('an approval goes with the call that it is about', () => {
    const request = { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' };
    const response = { type: 'tool-approval-response', approvalId: 'p', approved: true };
    const messages = [
      { role: 'user', content: 'Do' },
      { role: 'assistant', content: [call('a'), request, call('b')] },
      { role: 'tool', content: [response] },
    ];
    assert.deepEqual(cleaned(messages), [messages[0]]);
  });

  test('R11.3 what its output’s type or the object in it calls an error stays; an unknown type, too', () => {
    const object = { stdout: OUTPUT, stderr: '', exitCode: 0 };
    for (const [output, goes] of /** @type {[Untyped, boolean][]} */ ([
      [{ type: 'text', value: OUTPUT }, true],
      [{ type: 'json', value: object }, true],
      [{ type: 'content', value: [{ type: 'text', text: OUTPUT }] }, true],
      [{ type: 'error-text', value: OUTPUT }, false],
      [{ type: 'error-json', value: object }, false],
      [{ type: 'execution-denied', reason: OUTPUT }, false],
      [{ type: 'json', value: { ...object, exitCode: 2 } }, false],
      [{ type: 'json', value: { ...object, stderr: 'no' } }, false],
      [{ type: 'unheard-of', value: OUTPUT }, false],
    ])) {
      const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
      const part = result('a', { ...output, providerOptions }, { providerOptions });
      const messages = [
        { role: 'assistant', content: [call('a')] },
        { role: 'tool', content: [part], providerOptions },
      ];
      const expected = {
        ...messages[1],
        content: [{ ...part, output: { type: 'text', value: GONE, providerOptions } }],
      };
      assert.deepEqual(old(messages).messages[1], goes ? expected : messages[1], output.type);
    }
  });
});

describe('R11.4 Gemini: calls without ids are matched by order and name', () => {
  const calls = (/** @type {string[]} */ ...names) => ({
    role: 'model',
    parts: names.map((name) => ({ functionCall: { name, args: {} }, thoughtSignature: 's' })),
  });
  const answers = (/** @type {[string, object][]} */ ...all) => ({
    role: 'user',
    parts: all.map(([name, response]) => ({ functionResponse: { name, response } })),
  });
  test('two calls of one tool, and one of another', () => {
    const output = { output: OUTPUT };
    const whole = [
      calls('bash', 'read', 'bash'),
      answers(['bash', output], ['read', output], ['bash', { error: 'no' }]),
    ];
    assert.deepEqual(cleaned(whole), whole);
    const { messages } = old(whole);
    const [, after] = /** @type {Untyped[]} */ (messages);
    assert.deepEqual(
      after.parts.map((/** @type {Untyped} */ part) => part.functionResponse.response),
      [{ output: GONE }, output, { error: 'no' }],
    );
    const partial = [calls('bash', 'read'), answers(['read', output])];
    assert.deepEqual(cleaned(partial), []);
    const { messages: answered } = prepareMessages(partial, { orphans: 'answer' });
    const [, both] = /** @type {Untyped[]} */ (answered);
    assert.deepEqual(
      both.parts.map((/** @type {Untyped} */ part) => part.functionResponse.name),
      ['bash', 'read'],
    );
  });
});

describe('R11.4 Responses', () => {
  const call = (/** @type {string} */ id) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name: 'bash',
    arguments: '{}',
  });
  const output = (/** @type {string} */ id, more = {}) => ({
    type: 'function_call_output',
    call_id: id,
    output: OUTPUT,
    ...more,
  });
  const reasoning = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'x' };
  test('a reasoning item goes with the item that it belongs to, and stays with another', () => {
    assert.deepEqual(cleaned([reasoning, call('a')]), []);
    const both = [reasoning, call('a'), call('b'), output('b')];
    assert.deepEqual(cleaned(both), [both[0], both[2], both[3]]);
    assert.deepEqual(cleaned([reasoning]), [reasoning], 'what nobody was taken from is not ours to judge');
  });

  test('an output that is incomplete is an error; one whose call is only referred to stays', () => {
    const messages = [call('a'), output('a', { status: 'incomplete' })];
    assert.deepEqual(old(messages).messages, [...messages, ANSWER]);
    const referred = [{ type: 'item_reference', id: 'fc_a' }, output('a')];
    assert.deepEqual(cleaned(referred), referred);
  });
});

describe('R7.8 stripForApi keeps what the dialect’s provider takes', () => {
  const note = { timestamp: 1, isCompressed: true, messageStatus: 'success' };
  test('in each of them, and of text messages among them', () => {
    for (const message of [
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        status: 'completed',
        phase: 'final',
        content: [{ type: 'output_text', text: 'a' }],
      },
      { type: 'function_call', id: 'f', call_id: 'a', name: 'bash', arguments: '{}', status: 'completed' },
      { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', output: {} }], providerOptions: { a: {} } },
      { role: 'system', content: 'a', providerOptions: { anthropic: {} } },
      { role: 'user', content: [toolResult('a', cache)] },
      { role: 'model', parts: [{ text: 'a' }] },
    ]) {
      assert.deepEqual(stripForApi([{ ...message, ...note }]), [message]);
      assert.equal(stripForApi([message])[0], message);
    }
    const text = { role: 'user', id: 'm', type: 'message', status: 'completed', content: 'a' };
    const call = { type: 'function_call', call_id: 'a', name: 'bash', arguments: '{}' };
    assert.deepEqual(stripForApi([{ ...text, ...note }, call]), [text, call]);
  });
});

describe('R11.6 a new dialect is one file: pi', () => {
  test('rules, orphans and counts work on `toolCall` and `toolResult`', () => {
    const { messages } = foreignForms(8).pi;
    const options = { terminal: { ...OLD, terminalTools: ['grep'] } };
    assert.equal(prepareMessages([...messages, ANSWER], options).report.changed, 8);
    assert.deepEqual(cleaned(messages.slice(0, -1)), messages.slice(0, -2));
    const counter = new TokenCounter();
    counter.countMessages(messages);
    assert.equal(counter.unrecognised, 0);
  });
});

test('R11.1 an argument of orphans that is none is refused', () => {
  for (const orphans of /** @type {Untyped[]} */ (['ask', 7, {}])) {
    const code = typeof orphans === 'string' ? 'ERR_OUT_OF_RANGE' : 'ERR_INVALID_ARG_TYPE';
    assert.throws(() => prepareMessages([], { orphans }), { code });
  }
});
