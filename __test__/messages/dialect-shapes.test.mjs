// @ts-check
/** What each provider's message shapes need: which fields of a replaced result stay, and which calls and results are orphans. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { prepareMessages, stripForApi, TokenCounter } from 'palimpsest';
import { foreignForms } from '../support/message-forms.mjs';
import { withoutOrphans } from '../support/old-results.mjs';

/** @typedef {any} Untyped */
const OLD = { keepRecent: 0, maxAgeMs: 0, terminalTools: ['bash'] };
const OUTPUT = 'The outdated output of a command. '.repeat(10);
const PLACEHOLDER = '[Outdated command output removed]';
/** An assistant message after the results: only then are they replaced. */
const ANSWER = { role: 'assistant', content: 'Done.' };
const cache = { cache_control: { type: 'ephemeral' } };

/** @param {Untyped[]} messages @param {object} [options] */
const prepared = (messages, options) => prepareMessages([...messages, ANSWER], { terminal: OLD, ...options });

const uses = (/** @type {string[]} */ ...ids) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'bash', input: { command: 'ls' } })),
});
const toolResult = (/** @type {string} */ id, fields = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: OUTPUT,
  ...fields,
});

describe('R11.2 Anthropic: a message with several results', () => {
  test('only the outdated result changes, and keeps its id and cache_control', () => {
    const question = { type: 'text', text: 'Go on', ...cache };
    const failed = toolResult('b', { is_error: true });
    const messages = [uses('a', 'b'), { role: 'user', content: [toolResult('a', cache), failed, question], own: {} }];
    const { messages: sent, report } = prepared(messages);
    assert.deepEqual(sent[1], {
      ...messages[1],
      content: [{ ...toolResult('a', cache), content: PLACEHOLDER }, failed, question],
    });
    const [, user] = /** @type {Untyped[]} */ (sent);
    assert.equal(user.content[1], failed);
    assert.equal(user.content[2], question);
    assert.equal(user.own, /** @type {Untyped} */ (messages[1]).own);
    assert.deepEqual([report.changed, report.indices], [1, [1]]);
  });

  test('R11.5 a result’s image is removed with its text, however short, and cache_control in the content stays', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(500) } };
    const content = [{ type: 'text', text: 'ok', ...cache }, image];
    const { messages: sent, report } = prepared([uses('a'), { role: 'user', content: [toolResult('a', { content })] }]);
    const [, user] = /** @type {Untyped[]} */ (sent);
    assert.deepEqual(user.content[0].content, [{ type: 'text', text: PLACEHOLDER, ...cache }]);
    assert.ok(report.unitsRemoved > 500);
  });

  test('a result with a part of an unknown type is kept', () => {
    const content = [
      { type: 'text', text: OUTPUT },
      { type: 'hologram', data: 'x' },
    ];
    const messages = [uses('a'), { role: 'user', content: [toolResult('a', { content })] }];
    assert.equal(prepared(messages).messages[1], messages[1]);
  });
});

describe('R11.4 Anthropic: results must be in the user message right after the call, before any text', () => {
  const text = { type: 'text', text: 'And now?' };
  test('a result that isn’t in the message after its call, or follows a text, is removed with its call', () => {
    const apart = [uses('a'), { role: 'user', content: 'Wait' }, { role: 'user', content: [toolResult('a'), text] }];
    assert.deepEqual(withoutOrphans(apart), [apart[1], { role: 'user', content: [text] }]);
    const afterText = [uses('a'), { role: 'user', content: [text, toolResult('a')] }];
    assert.deepEqual(withoutOrphans(afterText), [{ role: 'user', content: [text] }]);
  });

  test('an assistant message with an unanswered call is removed with the results of its other calls, and emptied messages too', () => {
    const messages = [uses('a', 'b'), { role: 'user', content: [toolResult('a')] }, { role: 'user', content: 'Again' }];
    assert.deepEqual(withoutOrphans(messages), [messages[2]]);
  });

  test('orphans: "answer" adds an error result after the other results and before the text, and keeps everything else', () => {
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

  test('calls and results of server tools are no orphans', () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'text', text: 'found' },
    ];
    const messages = [{ role: 'assistant', content }];
    assert.deepEqual(withoutOrphans(messages), messages);
  });
});

describe('R11.4 the AI SDK', () => {
  const call = (/** @type {string} */ id, fields = {}) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'bash',
    input: { command: 'ls' },
    ...fields,
  });
  const result = (/** @type {string} */ id, /** @type {object} */ output, fields = {}) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'bash',
    output,
    ...fields,
  });

  test('calls that await approval or that the provider executes are no orphans', () => {
    const request = { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' };
    for (const content of [[call('a'), request], [call('b', { providerExecuted: true })]]) {
      const messages = [{ role: 'assistant', content }];
      assert.deepEqual(withoutOrphans(messages), messages);
      assert.deepEqual(prepareMessages(messages, { orphans: 'answer' }).messages, messages);
    }
    const dangling = [{ role: 'assistant', content: [call('a')] }];
    assert.deepEqual(withoutOrphans(dangling), []);
  });

  test('an approval request and its response are removed with their call', () => {
    const request = { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' };
    const response = { type: 'tool-approval-response', approvalId: 'p', approved: true };
    const messages = [
      { role: 'user', content: 'Do' },
      { role: 'assistant', content: [call('a'), request, call('b')] },
      { role: 'tool', content: [response] },
    ];
    assert.deepEqual(withoutOrphans(messages), [messages[0]]);
  });

  test('R11.3 results with an error type, an error inside their JSON, or an unknown type are kept', () => {
    const object = { stdout: OUTPUT, stderr: '', exitCode: 0 };
    for (const [output, isReplaced] of /** @type {[Untyped, boolean][]} */ ([
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
        content: [{ ...part, output: { type: 'text', value: PLACEHOLDER, providerOptions } }],
      };
      assert.deepEqual(prepared(messages).messages[1], isReplaced ? expected : messages[1], output.type);
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
  test('two calls of one tool and one of another get their own results', () => {
    const output = { output: OUTPUT };
    const whole = [
      calls('bash', 'read', 'bash'),
      answers(['bash', output], ['read', output], ['bash', { error: 'no' }]),
    ];
    assert.deepEqual(withoutOrphans(whole), whole);
    const { messages } = prepared(whole);
    const [, after] = /** @type {Untyped[]} */ (messages);
    assert.deepEqual(
      after.parts.map((/** @type {Untyped} */ part) => part.functionResponse.response),
      [{ output: PLACEHOLDER }, output, { error: 'no' }],
    );
    const partial = [calls('bash', 'read'), answers(['read', output])];
    assert.deepEqual(withoutOrphans(partial), []);
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
  const output = (/** @type {string} */ id, fields = {}) => ({
    type: 'function_call_output',
    call_id: id,
    output: OUTPUT,
    ...fields,
  });
  const reasoning = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'x' };
  test('a reasoning item is removed with the item after it, and kept if that item is kept', () => {
    assert.deepEqual(withoutOrphans([reasoning, call('a')]), []);
    const both = [reasoning, call('a'), call('b'), output('b')];
    assert.deepEqual(withoutOrphans(both), [both[0], both[2], both[3]]);
    assert.deepEqual(withoutOrphans([reasoning]), [reasoning], 'a reasoning item alone is kept');
  });

  test('R11.3 an incomplete output is an error, and the output of a call in an item_reference is no orphan', () => {
    const messages = [call('a'), output('a', { status: 'incomplete' })];
    assert.deepEqual(prepared(messages).messages, [...messages, ANSWER]);
    const referred = [{ type: 'item_reference', id: 'fc_a' }, output('a')];
    assert.deepEqual(withoutOrphans(referred), referred);
  });
});

describe('R7.8 stripForApi keeps the fields that the dialect’s provider accepts', () => {
  const ownFields = { timestamp: 1, isCompressed: true, messageStatus: 'success' };
  test('in messages of every dialect, and in text messages next to them', () => {
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
      assert.deepEqual(stripForApi([{ ...message, ...ownFields }]), [message]);
      assert.equal(stripForApi([message])[0], message);
    }
    const text = { role: 'user', id: 'm', type: 'message', status: 'completed', content: 'a' };
    const call = { type: 'function_call', call_id: 'a', name: 'bash', arguments: '{}' };
    assert.deepEqual(stripForApi([{ ...text, ...ownFields }, call]), [text, call]);
  });
});

describe('R11.1 pi', () => {
  test('rules, orphans and token counts read `toolCall` and `toolResult`', () => {
    const messages = foreignForms(8).pi;
    const options = { terminal: { ...OLD, terminalTools: ['grep'] } };
    assert.equal(prepareMessages([...messages, ANSWER], options).report.changed, 8);
    assert.deepEqual(withoutOrphans(messages.slice(0, -1)), messages.slice(0, -2));
    const counter = new TokenCounter();
    counter.countMessages(messages);
    assert.equal(counter.unrecognised, 0);
  });
});

test('R0.3 an invalid value of the option orphans is refused', () => {
  for (const orphans of /** @type {Untyped[]} */ (['ask', 7, {}])) {
    const code = typeof orphans === 'string' ? 'ERR_OUT_OF_RANGE' : 'ERR_INVALID_ARG_TYPE';
    assert.throws(() => prepareMessages([], { orphans }), { code });
  }
});
