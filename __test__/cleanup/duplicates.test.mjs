// @ts-check
/** Several results for one call, and several calls with one id: providers refuse both. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ContextView, cleanOrphanedToolCalls, prepareMessages } from 'palimpsest';
import { runs } from '../support/comparison.mjs';
import { convert, copies, DIALECTS, idsIn, resultAt } from '../support/dialects.mjs';
import { callsOf, resultOf, userMessage } from '../support/histories.mjs';
import { neutralSession } from '../support/neutral-sessions.mjs';

/** @typedef {any} Message */

const INTERRUPTED = 'Error: this tool call was interrupted and returned no result';

/** @param {readonly Message[]} messages */
function cleaned(messages) {
  const api = [...messages];
  const report = cleanOrphanedToolCalls(api);
  return { api, report };
}

describe('R3.1 several results for one call', () => {
  test('the last result stays that is no text about an interruption', () => {
    for (const interruption of [
      INTERRUPTED,
      'Tool execution aborted',
      '[Request interrupted by user for tool use]',
      'No result provided',
    ]) {
      for (const order of [
        [interruption, 'real'],
        ['real', interruption],
        ['old', 'real'],
        ['real', interruption, interruption],
      ]) {
        const messages = [
          userMessage('hi'),
          callsOf('c'),
          ...order.map((content) => resultOf('c', content)),
          userMessage('go on'),
        ];
        const { api, report } = cleaned(messages);
        assert.deepEqual(
          api.filter(({ role }) => role === 'tool').map(({ content }) => content),
          ['real'],
          order.join(),
        );
        assert.deepEqual(
          [report.changed, report.duplicates, report.byRule.orphans?.changed],
          Array(3).fill(order.length - 1),
        );
        assert.deepEqual(prepareMessages(messages).messages, api);
        assert.deepEqual(prepareMessages(messages, { orphans: 'answer' }).messages, api);
        assert.equal(cleaned(api).report.changed, 0);
      }
    }
  });

  test('a later call with the same id keeps its own result', () => {
    const messages = [
      callsOf('c'),
      resultOf('c', 'a'),
      callsOf('c'),
      resultOf('c', 'b'),
      userMessage('hi'),
      callsOf('c'),
      resultOf('c', 'c'),
    ];
    assert.deepEqual(cleaned(messages).api, messages);
    const twice = [callsOf('c'), resultOf('c', 'a'), callsOf('c'), resultOf('c', 'b'), resultOf('c', 'd')];
    assert.deepEqual(cleaned(twice).api, [...twice.slice(0, 3), twice[4]]);
  });

  test('a second result after a user message is removed, unless the first one is about an interruption', () => {
    const messages = [callsOf('c'), resultOf('c', 'a'), userMessage('hi'), resultOf('c', 'a')];
    assert.deepEqual(cleaned(messages).api, messages.slice(0, 3));
    const late = [callsOf('c'), resultOf('c', INTERRUPTED), userMessage('hi'), resultOf('c', 'a')];
    assert.deepEqual(cleaned(late).api, [late[0], late[2], late[3]], 'the real result is not lost');
  });

  test('`orphans: false` keeps all results', () => {
    const messages = [callsOf('c'), resultOf('c'), resultOf('c')];
    const { messages: sent, report } = prepareMessages(messages, { orphans: false });
    assert.deepEqual([sent, report.duplicates], [messages, 0]);
  });

  test('results that are edited in place or appended later are considered', () => {
    const messages = /** @type {Message[]} */ ([callsOf('c'), resultOf('c', INTERRUPTED)]);
    assert.equal(prepareMessages(messages).messages.length, 2);
    messages.push(resultOf('c', 'real'));
    assert.deepEqual(prepareMessages(messages).messages, [messages[0], messages[2]]);
    messages[2].content = 'Tool execution aborted';
    messages[1].content = 'real';
    assert.deepEqual(prepareMessages(messages).messages, [messages[0], messages[1]]);
    assert.deepEqual(cleaned(messages).api, [messages[0], messages[1]]);
    messages.pop();
    assert.deepEqual(prepareMessages(messages).messages, messages);
  });
});

describe('R3.1 several calls with one id in one message', () => {
  test('the last call stays with its result, and the message keeps its other fields', () => {
    const message = { ...callsOf('c', 'd', 'c'), content: 'text', own: {} };
    const messages = [message, resultOf('c'), resultOf('d'), userMessage('go on')];
    const { api, report } = cleaned(messages);
    const [, second, third] = message.tool_calls;
    assert.deepEqual(api, [{ ...message, tool_calls: [second, third] }, ...messages.slice(1)]);
    assert.equal(/** @type {Message} */ (api[0]).own, message.own);
    assert.deepEqual([report.changed, report.duplicates, report.indices], [1, 1, [0]]);
    assert.equal(report.unitsRemoved, '{"nth":0}'.length);
    assert.equal(message.tool_calls.length, 3, 'R0.1: a stored message was written to');
  });

  test('the call whose result stays is kept, if results are in the order of the calls', () => {
    const messages = [callsOf('c', 'c'), resultOf('c', 'first'), resultOf('c', INTERRUPTED)];
    const [message] = /** @type {Message[]} */ (cleaned(messages).api);
    assert.deepEqual(message.tool_calls, [/** @type {Message} */ (messages[0]).tool_calls[0]]);
  });

  test('rules use the name of the call that stays', () => {
    const read = { id: 'c', type: 'function', function: { name: 'Read', arguments: '{}' } };
    const run = { id: 'c', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } };
    const result = resultOf('c', 'the text of the file, which is longer than a placeholder');
    const messages = [{ role: 'assistant', content: '', tool_calls: [read, run] }, result, resultOf('c', INTERRUPTED)];
    const options = { terminal: { keepRecent: 0, maxAgeMs: 0 }, fileReads: false, unknownAge: 'old', now: 1 };
    const prepared = prepareMessages(messages, /** @type {any} */ (options));
    assert.deepEqual(/** @type {Message} */ (prepared.messages[0]).tool_calls, [read]);
    assert.equal(
      /** @type {Message} */ (prepared.messages[1]).content,
      result.content,
      'it is no result of a terminal',
    );
  });

  test('a message that is inserted before them, or changes places with them, is sent', () => {
    /** @type {[string, (messages: Message[]) => unknown][]} */ const edits = [
      ['insert', (messages) => messages.unshift(userMessage('before'))],
      ['swap', (messages) => messages.splice(0, 2, messages[1], messages[0])],
    ];
    for (const [edit, change] of edits) {
      for (const orphans of /** @type {const} */ (['remove', 'answer'])) {
        const view = new ContextView();
        const messages = [
          userMessage('hi'),
          callsOf('c', 'c', 'd'),
          resultOf('c'),
          resultOf('d'),
          callsOf('e'),
          userMessage('x'),
        ];
        const send = () => [prepareMessages(messages, { orphans }).messages, view.project(messages).messages];
        send();
        change(messages);
        const fresh = structuredClone(messages);
        const expected = [prepareMessages(fresh, { orphans }).messages, new ContextView().project(fresh).messages];
        assert.deepEqual(send(), expected, `${edit}, ${orphans}`);
        assert.ok(expected.flat().some((/** @type {Message} */ { content }) => content === messages[0].content));
      }
    }
  });

  test('`toolCalls` keeps its spelling', () => {
    const { tool_calls: toolCalls, ...rest } = callsOf('c', 'c');
    const messages = [
      { ...rest, toolCalls },
      { role: 'tool', toolCallId: 'c', content: 'done' },
    ];
    assert.deepEqual(cleaned(messages).api[0], { ...rest, toolCalls: toolCalls.slice(1) });
  });
});

/** Why a dialect can't have two results of one call. @type {Record<string, string>} */
const WITHOUT_DUPLICATES = {
  opencode: 'a call and its result are one part',
  'gemini without ids': 'a second result belongs to no call',
};

/**
 * A copy of the messages with a second result of one call.
 * @param {string} dialect @param {Message[]} messages @param {import('../support/dialects.mjs').Place} place
 */
function withSecondResult(dialect, messages, place) {
  const doubled = copies(dialect, messages);
  const own = resultAt(dialect, doubled, place);
  const message = doubled[place.message];
  const [copy] = copies(dialect, [messages[place.message]]);
  const second = resultAt(dialect, [copy], { ...place, message: 0 });
  DIALECTS[dialect]?.replaceOutput(second, 'second result');
  const list = [message.content, message.parts].find((parts) => parts?.includes?.(own));
  if (list === undefined) return doubled.toSpliced(place.message + 1, 0, copy);
  list.splice(list.indexOf(own) + 1, 0, second);
  return doubled;
}

for (const [dialect, { problemsIn }] of Object.entries(DIALECTS)) {
  const skip = WITHOUT_DUPLICATES[dialect] ?? false;
  test(`R3.1 ${dialect}: the last of two results of a call stays, and a strict provider accepts the messages`, {
    skip,
  }, () => {
    fc.assert(
      fc.property(neutralSession(2), fc.nat(), (session, choice) => {
        fc.pre(!session.isPending);
        const { messages, places } = convert(session, dialect);
        fc.pre(places.length > 0);
        const place = /** @type {Message} */ (places[choice % places.length]);
        const doubled = withSecondResult(dialect, messages, place);
        assert.notDeepEqual(problemsIn(doubled), [], 'the provider refuses two results');
        for (const orphans of /** @type {const} */ (['remove', 'answer'])) {
          const { messages: sent, report } = prepareMessages(doubled, { orphans, terminal: false, fileReads: false });
          assert.deepEqual(problemsIn(sent), [], orphans);
          assert.deepEqual(idsIn(dialect, sent), idsIn(dialect, messages));
          assert.deepEqual([report.changed, report.duplicates], [1, 1]);
          assert.ok(JSON.stringify(sent).includes('second result'), 'the last');
        }
        const { api } = cleaned(doubled);
        assert.deepEqual(problemsIn(api), []);
      }),
      runs(0.03),
    );
  });
}

describe('R3.1 several calls with one id in a message of other dialects', () => {
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'done' }] };
  const use = (/** @type {object} */ input) => ({ type: 'tool_use', id: 'c', name: 'bash', input });
  test('Anthropic, Bedrock, AI SDK: only the last call stays', () => {
    const message = { role: 'assistant', content: [{ type: 'text', text: 'a' }, use({}), use({ b: 1 })] };
    assert.deepEqual(cleaned([message, result]).api, [
      { ...message, content: [message.content[0], use({ b: 1 })] },
      result,
    ]);
    const call = (/** @type {number} */ nth) => ({ toolUse: { toolUseId: 'c', name: 'bash', input: { nth } } });
    const done = { role: 'user', content: [{ toolResult: { toolUseId: 'c', content: [{ text: 'done' }] } }] };
    const converse = [userMessage('x'), { role: 'assistant', content: [call(0), call(1)] }, done];
    assert.deepEqual(cleaned(converse).api, [userMessage('x'), { role: 'assistant', content: [call(1)] }, done]);
    const part = (/** @type {number} */ nth) => ({
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'bash',
      input: { nth },
    });
    const tool = {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'bash', output: { type: 'text', value: '' } }],
    };
    assert.deepEqual(cleaned([{ role: 'assistant', content: [part(0), part(1)] }, tool]).api[0], {
      role: 'assistant',
      content: [part(1)],
    });
  });

  test('Responses: only the last call stays, and the other one is not answered', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'bash', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'c', output: 'done' };
    for (const orphans of /** @type {const} */ (['remove', 'answer'])) {
      assert.deepEqual(prepareMessages([{ ...call }, call, output], { orphans }).messages, [call, output], orphans);
    }
  });

  test('LangChain: only the last call stays, in `tool_calls` and in Anthropic content', () => {
    const call = (/** @type {number} */ nth) => ({ id: 'c', name: 'bash', args: { nth } });
    const fields = { content: [use({ nth: 0 }), use({ nth: 1 })], tool_calls: [call(0), call(1)] };
    const messages = [
      { type: 'ai', data: fields },
      { type: 'tool', data: { content: 'done', tool_call_id: 'c' } },
    ];
    assert.deepEqual(/** @type {Message} */ (cleaned(messages).api[0]).data, {
      content: [use({ nth: 1 })],
      tool_calls: [call(1)],
    });
  });
});

describe('R3.1 a call with two ids', () => {
  const call = { id: 'fc_1', call_id: 'call_1', function: { name: 'bash', arguments: '{}' } };
  const declares = { role: 'assistant', content: '', tool_calls: [call] };
  test('keeps a result that names either id', () => {
    for (const id of ['call_1', 'fc_1']) {
      for (const messages of [
        [declares, resultOf(id)],
        [resultOf(id), declares],
      ]) {
        assert.deepEqual(cleaned(messages).api, messages, id);
        assert.deepEqual(prepareMessages(messages, { orphans: 'answer' }).messages, messages);
      }
    }
    const both = [declares, resultOf('fc_1', 'a'), resultOf('call_1', 'b')];
    assert.deepEqual(cleaned(both).api, [declares, both[2]], 'two results of one call');
  });

  test('is answered with `call_id`', () => {
    const { messages } = prepareMessages([declares, userMessage('go on')], { orphans: 'answer' });
    assert.equal(/** @type {Message} */ (messages[1]).tool_call_id, 'call_1');
  });

  test('keeps only results of its own turn, if `call_id` is the same in each turn', () => {
    const second = { ...declares, tool_calls: [{ ...call, id: 'fc_2' }] };
    const messages = [declares, resultOf('call_1'), second, resultOf('call_1')];
    assert.deepEqual(cleaned(messages).api, messages);
    assert.deepEqual(cleaned(messages.slice(0, 3)).api, messages.slice(0, 2));
  });
});
