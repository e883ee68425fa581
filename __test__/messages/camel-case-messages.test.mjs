// @ts-check
/** Chat messages with `toolCalls` and `toolCallId` instead of `tool_calls` and `tool_call_id`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  AutoCompressionManager,
  cleanOrphanedToolCalls,
  prepareMessages,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  stripForApi,
  TokenCounter,
} from 'palimpsest';
import { configuration, session, NOW as THEN } from '../support/compression.mjs';
import { cleanupOptions, delay, history, MINUTE } from '../support/histories.mjs';
import { camelCase, SPELLINGS } from '../support/message-forms.mjs';
import {
  ANSWER,
  fiveNewer,
  IN_CHINESE,
  NOW,
  oldTerminalResult,
  SUCCESS,
  TERMINAL_PLACEHOLDER,
} from '../support/old-results.mjs';

/** @typedef {any} Untyped */
/** Without empty fields: whether those are sent depends on the spelling. @param {Untyped} message */
const withoutEmpty = (message) =>
  message && Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined && value !== null));
/** A report's fields about decisions. @param {Untyped} report */
const decided = ({ changed, indices, unitsRemoved, byRule, unrecognised, timestamps }) =>
  JSON.parse(JSON.stringify({ changed, indices, unitsRemoved, byRule, unrecognised, timestamps }));

describe('R0.7 R11.1 messages in camelCase are read like those in snake_case', () => {
  const spelling = fc.constantFrom(...SPELLINGS);
  const runs = { numRuns: 200 };

  it('prepareMessages and cleanOrphanedToolCalls give the same result, in camelCase', () => {
    const property = fc.property(
      history,
      cleanupOptions,
      delay,
      spelling,
      ({ messages, end }, options, minutes, how) => {
        const now = end + minutes * MINUTE;
        const camel = messages.map((/** @type {Untyped} */ message) => camelCase(message, how));
        const expected = prepareMessages(messages, { ...options, now });
        const actual = prepareMessages(camel, { ...options, now });
        assert.deepEqual(decided(actual.report), decided(expected.report));
        const respelt = expected.messages.map((/** @type {Untyped} */ message) => camelCase(message, how));
        assert.deepEqual(actual.messages, respelt);
        const [snakeApi, camelApi] = [[...messages], [...camel]];
        cleanOrphanedToolCalls(snakeApi);
        cleanOrphanedToolCalls(camelApi);
        assert.deepEqual(
          camelApi,
          snakeApi.map((message) => camelCase(message, how)),
        );
      },
    );
    fc.assert(property, runs);
  });

  it('TokenCounter counts the same, and stripForApi sends the same fields', () => {
    const property = fc.property(history, spelling, ({ messages }, how) => {
      const camel = messages.map((/** @type {Untyped} */ message) => camelCase(message, how));
      assert.equal(new TokenCounter().countMessages(camel), new TokenCounter().countMessages(messages));
      const respelt = stripForApi(messages).map((/** @type {Untyped} */ message) => camelCase(message, how));
      assert.deepEqual(stripForApi(camel).map(withoutEmpty), respelt.map(withoutEmpty));
    });
    fc.assert(property, runs);
  });

  it('the summary model gets the same request', async () => {
    const summaryRequests = async (/** @type {Untyped[]} */ messages) => {
      /** @type {Untyped[]} */
      const requests = [];
      const llm = async (/** @type {Untyped} */ request) => {
        requests.push(request.messages);
        throw Object.assign(new Error('no model'), { code: 'ENONE' });
      };
      const manager = new AutoCompressionManager(configuration(), llm);
      await manager.process(messages, { now: THEN });
      assert.equal(requests.length > 0, true, 'a summary was requested');
      return requests;
    };
    const messages = session();
    const camel = messages.map((message) => camelCase(message, 'flat'));
    assert.deepEqual(await summaryRequests(camel), await summaryRequests(messages));
  });

  it('R2.2 file reads are grouped by the path in parsed arguments, also after an edit', () => {
    const messages = Array.from({ length: 7 }, (_, step) => [
      { role: 'assistant', toolCalls: [{ id: `c${step}`, name: 'filesystem-read', arguments: { filePath: 'a.ts' } }] },
      { role: 'tool', toolCallId: `c${step}`, content: `text ${step}`, timestamp: NOW + step },
    ]).flat();
    assert.deepEqual(simplifyHistoricalFileReads([...messages], { now: NOW }).indices, [1, 3]);
    /** @type {Untyped} */ (messages[0]).toolCalls[0].arguments.filePath = 'b.ts';
    assert.deepEqual(simplifyHistoricalFileReads([...messages], { now: NOW }).indices, [3]);
  });

  it('R11.3 a result with toolCallId and isError is kept', () => {
    const results = (/** @type {object} */ mark) => [
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'bash', input: {} }] },
      { role: 'tool', toolCallId: 'a', content: SUCCESS, timestamp: NOW - 3_600_000, ...mark },
      ...fiveNewer(),
    ];
    assert.equal(simplifyOutdatedTerminalResults(results({}), { now: NOW }).changed, 1);
    assert.equal(simplifyOutdatedTerminalResults(results({ isError: true }), { now: NOW }).changed, 0);
  });

  it('a call added in place, and a changed toolCallId, are noticed', () => {
    const call = { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'bash', arguments: {} }] };
    const result = { role: 'tool', toolCallId: 'a', content: SUCCESS, timestamp: NOW };
    const messages = [call, result];
    assert.equal(prepareMessages(messages, { now: NOW }).messages.length, 2);
    result.toolCallId = 'b';
    assert.equal(prepareMessages(messages, { now: NOW }).messages.length, 0);
    call.toolCalls.push({ id: 'b', name: 'bash', arguments: {} });
    assert.equal(prepareMessages([...messages, { ...result, toolCallId: 'a' }], { now: NOW }).messages.length, 3);
  });
});

describe('a message with both spellings', () => {
  it('is read by its snake_case fields', () => {
    const [call, result] = /** @type {Untyped[]} */ (oldTerminalResult('a'));
    call.toolCalls = [{ id: 'unanswered', name: 'bash', arguments: '{}' }];
    result.toolCallId = 'nowhere';
    const messages = [call, result, ...fiveNewer(), ANSWER];
    const { messages: sent } = prepareMessages(messages, IN_CHINESE);
    assert.equal(sent.length, 8, 'neither is an orphan');
    assert.equal(sent[1].content, TERMINAL_PLACEHOLDER);
    const counter = new TokenCounter();
    assert.equal(
      counter.countMessages(messages),
      counter.countMessages([...oldTerminalResult('a'), ...fiveNewer(), ANSWER]),
    );
  });

  it('is sent without its camelCase fields', () => {
    const calls = [{ id: 'a', function: { name: 'bash', arguments: '{}' } }];
    const [both, camel, note] = stripForApi(
      /** @type {Untyped[]} */ ([
        { role: 'assistant', content: '', tool_calls: calls, toolCalls: calls, timestamp: 1 },
        { role: 'tool', content: 'x', toolCallId: 'a', toolName: 'bash', isError: true, timestamp: 1 },
        { role: 'tool', content: 'x', tool_call_id: 'a', toolName: 'bash', isError: true },
      ]),
    );
    assert.deepEqual(Object.keys(both), ['role', 'content', 'tool_calls']);
    assert.deepEqual(Object.keys(camel), ['role', 'content', 'toolCallId', 'toolName', 'isError']);
    assert.deepEqual(Object.keys(note), ['role', 'content', 'tool_call_id']);
  });

  it('is read by its camelCase fields if the snake_case ones are null', () => {
    const messages = [
      { role: 'assistant', content: '', tool_calls: null, toolCalls: [{ id: 'a', name: 'bash', arguments: {} }] },
      { role: 'tool', tool_call_id: null, toolCallId: 'a', content: SUCCESS, timestamp: NOW - 3_600_000 },
      ...fiveNewer(),
    ];
    assert.equal(simplifyOutdatedTerminalResults(/** @type {Untyped} */ (messages), { now: NOW }).changed, 1);
  });
});

describe('R0.3 invalid camelCase messages are data', () => {
  const cyclic = /** @type {Untyped} */ ({});
  cyclic.self = cyclic;
  const throwing = {
    get toolCalls() {
      throw new Error('no');
    },
  };
  for (const [what, invalid] of Object.entries({
    'calls that are no list': { role: 'assistant', toolCalls: { id: 'a' } },
    'a call that is null': { role: 'assistant', toolCalls: [null, 3, 'a'] },
    'cyclic arguments': { role: 'assistant', content: 'x', toolCalls: [{ id: 'z', name: 'bash', arguments: cyclic }] },
    'a getter that throws': Object.assign(Object.create(throwing), { role: 'assistant', content: 'x' }),
    'a throwing proxy around it': new Proxy(
      { role: 'tool' },
      {
        get: () => {
          throw new Error('no');
        },
      },
    ),
  })) {
    it(`a message with ${what} is kept, and others are processed`, () => {
      const messages = /** @type {Untyped[]} */ ([...oldTerminalResult('a'), invalid, ...fiveNewer()]);
      for (let round = 0; round < 2; round++) {
        const api = [...messages];
        assert.equal(simplifyOutdatedTerminalResults(api, { now: NOW }).changed, 1);
        assert.equal(api[2], invalid);
        assert.ok(new TokenCounter().countMessages(messages) > 0);
        assert.equal(stripForApi(messages).length, messages.length);
      }
    });
  }
});

it('R6.2 OpenAI’s custom tool calls, function_call and functionCall are counted', () => {
  const count = (/** @type {object} */ fields) =>
    new TokenCounter().countMessage({ role: 'assistant', content: null, ...fields });
  const text = 'select the port from the settings where the host is local';
  const none = count({});
  assert.ok(count({ tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'sql', input: text } }] }) > none + 10);
  const functionCall = count({ function_call: { name: 'sql', arguments: text } });
  assert.ok(functionCall > none + 10);
  assert.equal(count({ functionCall: { name: 'sql', arguments: text } }), functionCall);
});
