// @ts-check
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
/** A field that holds nothing is sent or not as the message's other fields have it. @param {Untyped} message */
const withoutEmpty = (message) =>
  message && Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined && value !== null));
/** What a report says of decisions. @param {Untyped} report */
const decided = ({ changed, indices, unitsRemoved, byRule, unrecognised, timestamps }) =>
  JSON.parse(JSON.stringify({ changed, indices, unitsRemoved, byRule, unrecognised, timestamps }));

describe('R0.7 R11.1 messages in camelCase are read like those in the request’s own spelling', () => {
  const spelling = fc.constantFrom(...SPELLINGS);
  const runs = { numRuns: 200 };

  it('every rule decides the same', () => {
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

  it('tokens are the same, and so are the fields that are sent', () => {
    const property = fc.property(history, spelling, ({ messages }, how) => {
      const camel = messages.map((/** @type {Untyped} */ message) => camelCase(message, how));
      assert.equal(new TokenCounter().countMessages(camel), new TokenCounter().countMessages(messages));
      const respelt = stripForApi(messages).map((/** @type {Untyped} */ message) => camelCase(message, how));
      assert.deepEqual(stripForApi(camel).map(withoutEmpty), respelt.map(withoutEmpty));
    });
    fc.assert(property, runs);
  });

  it('a summary is asked for with the same text, and no turn is parted from its results', async () => {
    const asked = async (/** @type {Untyped[]} */ messages) => {
      /** @type {Untyped[]} */
      const requests = [];
      const llm = async (/** @type {Untyped} */ request) => {
        requests.push(request.messages);
        throw Object.assign(new Error('no model'), { code: 'ENONE' });
      };
      const manager = new AutoCompressionManager(configuration(), llm);
      await manager.process(messages, { now: THEN });
      assert.equal(requests.length > 0, true, 'a summary was asked for');
      return requests;
    };
    const messages = session();
    const camel = messages.map((message) => camelCase(message, 'flat'));
    assert.deepEqual(await asked(camel), await asked(messages));
  });

  it('arguments may be parsed: file reads are grouped by their path', () => {
    const messages = Array.from({ length: 7 }, (_, step) => [
      { role: 'assistant', toolCalls: [{ id: `c${step}`, name: 'filesystem-read', arguments: { filePath: 'a.ts' } }] },
      { role: 'tool', toolCallId: `c${step}`, content: `text ${step}`, timestamp: NOW + step },
    ]).flat();
    assert.deepEqual(simplifyHistoricalFileReads([...messages], { now: NOW }).indices, [1, 3]);
    // They are compared as they are now: a host may edit what it keeps parsed.
    /** @type {Untyped} */ (messages[0]).toolCalls[0].arguments.filePath = 'b.ts';
    assert.deepEqual(simplifyHistoricalFileReads([...messages], { now: NOW }).indices, [3]);
  });

  it('an error mark keeps a result: isError beside toolCallId', () => {
    const results = (/** @type {object} */ mark) => [
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'bash', input: {} }] },
      { role: 'tool', toolCallId: 'a', content: SUCCESS, timestamp: NOW - 3_600_000, ...mark },
      ...fiveNewer(),
    ];
    assert.equal(simplifyOutdatedTerminalResults(results({}), { now: NOW }).changed, 1);
    assert.equal(simplifyOutdatedTerminalResults(results({ isError: true }), { now: NOW }).changed, 0);
  });

  it('a field in place is seen: a call that is added, an id that is changed', () => {
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
  it('the request’s own holds, whatever the other says', () => {
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

  it('only that one is sent: the other is the host’s note', () => {
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

  it('null is no field: the other spelling is read', () => {
    const messages = [
      { role: 'assistant', content: '', tool_calls: null, toolCalls: [{ id: 'a', name: 'bash', arguments: {} }] },
      { role: 'tool', tool_call_id: null, toolCallId: 'a', content: SUCCESS, timestamp: NOW - 3_600_000 },
      ...fiveNewer(),
    ];
    assert.equal(simplifyOutdatedTerminalResults(/** @type {Untyped} */ (messages), { now: NOW }).changed, 1);
  });
});

describe('R0.3 odd camelCase messages are data', () => {
  const cyclic = /** @type {Untyped} */ ({});
  cyclic.self = cyclic;
  const throwing = {
    get toolCalls() {
      throw new Error('no');
    },
  };
  for (const [what, odd] of Object.entries({
    'calls that are no list': { role: 'assistant', toolCalls: { id: 'a' } },
    'a call that is null': { role: 'assistant', toolCalls: [null, 3, 'a'] },
    'cyclic arguments': { role: 'assistant', content: 'x', toolCalls: [{ id: 'z', name: 'bash', arguments: cyclic }] },
    'a getter that throws': Object.assign(Object.create(throwing), { role: 'assistant', content: 'x' }),
    'a proxy that throws': new Proxy(
      { role: 'tool' },
      {
        get: () => {
          throw new Error('no');
        },
      },
    ),
  })) {
    it(what, () => {
      const messages = /** @type {Untyped[]} */ ([...oldTerminalResult('a'), odd, ...fiveNewer()]);
      for (let round = 0; round < 2; round++) {
        const api = [...messages];
        assert.equal(simplifyOutdatedTerminalResults(api, { now: NOW }).changed, 1);
        assert.equal(api[2], odd);
        assert.ok(new TokenCounter().countMessages(messages) > 0);
        assert.equal(stripForApi(messages).length, messages.length);
      }
    });
  }
});

describe('one reader: what is counted is compared and told', () => {
  it('R6.4 a refusal that is replaced is counted anew', () => {
    const counter = new TokenCounter();
    const message = { role: 'assistant', content: null, refusal: 'No.' };
    const short = counter.countMessages([message]);
    message.refusal = 'I can’t help with that, since it would hand the keys of the server to whoever asks for them.';
    const long = new TokenCounter().countMessages([{ ...message }]);
    assert.ok(long > short + 10);
    assert.equal(counter.countMessages([message]), long);
  });

  it('OpenAI’s custom tools and the one call of old count, whichever field they stand in', () => {
    const count = (/** @type {object} */ fields) =>
      new TokenCounter().countMessage({ role: 'assistant', content: null, ...fields });
    const text = 'select the port from the settings where the host is local';
    const none = count({});
    assert.ok(count({ tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'sql', input: text } }] }) > none + 10);
    const legacy = count({ function_call: { name: 'sql', arguments: text } });
    assert.ok(legacy > none + 10);
    assert.equal(count({ functionCall: { name: 'sql', arguments: text } }), legacy);
  });

  it('R7.5 a refusal and the one call of old reach the summary', async () => {
    /** @type {string[]} */
    const texts = [];
    const llm = async (/** @type {Untyped} */ { messages }) => {
      texts.push(...messages.map((/** @type {Untyped} */ { content }) => content));
      throw new Error('enough');
    };
    const messages = session();
    messages.splice(
      2,
      0,
      { role: 'assistant', content: null, refusal: 'I refuse to open the vault door.' },
      { role: 'assistant', content: null, function_call: { name: 'lock_pick', arguments: '{"door":"vault 77"}' } },
    );
    await new AutoCompressionManager(configuration(), llm).process(messages, { now: THEN });
    const request = texts.join('\n');
    for (const told of ['I refuse to open the vault door.', 'lock_pick', 'vault 77']) {
      assert.ok(request.includes(told), told);
    }
  });
});
