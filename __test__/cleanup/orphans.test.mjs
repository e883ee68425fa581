// @ts-check
/** Calls without results and results without calls, as strict providers pair them. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as product from 'palimpsest';
import { runs } from '../support/comparison.mjs';
import { testEachSession } from '../support/corpus.mjs';
import { callsOf, resultOf, userMessage } from '../support/histories.mjs';
import { withoutOrphans } from '../support/old-results.mjs';
import { plainView } from '../support/plain-view.mjs';
import { problemsIn } from '../support/providers/openai-chat.mjs';
import { testEachRecording } from '../support/recorded-chats.mjs';

const require = createRequire(import.meta.url);
const { CALL_NAMES } = require('../../lib/cleanup/row-flags.js');
const { Transcript } = require('../../lib/cleanup/transcript.js');

describe('R3.1 an id that is used again', () => {
  test('a second call without a result is removed, although an earlier call with its id has one', () => {
    const first = [callsOf('call_0'), resultOf('call_0')];
    assert.deepEqual(withoutOrphans([...first, userMessage('go on'), callsOf('call_0')]), [
      ...first,
      userMessage('go on'),
    ]);
  });

  test('a result belongs to the nearest call before it, and an earlier call with its id is removed', () => {
    const last = [userMessage('again'), callsOf('call_0'), resultOf('call_0')];
    assert.deepEqual(withoutOrphans([callsOf('call_0'), ...last]), last);
  });

  test('parallel calls of which one has no result are removed with their own results, not with those of an earlier turn', () => {
    const first = [callsOf('call_0', 'call_1'), resultOf('call_0', 'a'), resultOf('call_1', 'b')];
    assert.deepEqual(withoutOrphans([...first, callsOf('call_0', 'call_1'), resultOf('call_0', 'c')]), first);
  });

  test('the last of two calls with one id in a message stays', () => {
    const [message, result] = [callsOf('call_0', 'call_0'), resultOf('call_0')];
    const expected = [{ ...message, tool_calls: message.tool_calls.slice(1) }, result];
    assert.deepEqual(withoutOrphans([message, result]), expected);
  });

  test('prepareMessages and a view remove the same messages', () => {
    const messages = [callsOf('call_0'), resultOf('call_0'), callsOf('call_0', 'call_1'), resultOf('call_0')];
    assert.deepEqual(product.prepareMessages(messages).messages, messages.slice(0, 2));
    const view = plainView();
    for (let length = 1; length <= messages.length; length++) {
      const part = messages.slice(0, length);
      assert.deepEqual(view.project(part).messages, withoutOrphans(part), `${length} messages`);
    }
  });
});

/** @param {any[]} messages */
function assertEveryPrefixAccepted(messages) {
  for (let length = 1; length <= messages.length; length++) {
    assert.deepEqual(problemsIn(withoutOrphans(messages.slice(0, length))), [], `the first ${length} messages`);
  }
}

testEachSession('R3.1 a strict provider accepts every prefix of a recorded session after cleanup', ({ messages }) =>
  assertEveryPrefixAccepted(messages),
);
testEachRecording(
  'R3.1 a strict provider accepts every prefix of a recording after cleanup',
  assertEveryPrefixAccepted,
);

/** Turns whose call ids start from zero, as with some providers. Some calls have no result, and some results no call. */
const turn = fc.record({
  question: fc.boolean(),
  calls: fc.uniqueArray(fc.constantFrom('call_0', 'call_1', 'call_2'), { maxLength: 3 }),
  unanswered: fc.oneof(
    { weight: 3, arbitrary: fc.constant(/** @type {string[]} */ ([])) },
    { weight: 1, arbitrary: fc.subarray(['call_0', 'call_1', 'call_2'], { minLength: 1 }) },
  ),
  stray: fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

const sessions = fc
  .array(turn, { maxLength: 12, size: 'max' })
  .map((turns) =>
    turns.flatMap(({ question, calls, unanswered, stray }, index) => [
      ...(question ? [userMessage(`question ${index}`)] : []),
      ...(calls.length > 0 ? [callsOf(...calls)] : [{ role: 'assistant', content: 'text' }]),
      ...calls.filter((id) => !unanswered.includes(id)).map((id) => resultOf(id, `${index} ${id}`)),
      ...(stray ? [resultOf(`nobody_${index}`)] : []),
    ]),
  );

/** @param {(session: any[], kept: any[]) => void} check called with a session and what is kept of it */
function forSessions(check) {
  const property = fc.property(sessions, (session) => check(session, withoutOrphans(session)));
  fc.assert(property, runs(0.2));
}

test('R3.1 a session with reused ids is accepted after cleanup, and a second cleanup changes nothing', () => {
  forSessions((_, kept) => {
    assert.deepEqual(problemsIn(kept), []);
    assert.deepEqual(withoutOrphans(kept), kept);
  });
});

test('R3.2 kept messages of a session with reused ids are the stored objects in their order', () => {
  forSessions((session, kept) => {
    let at = -1;
    for (const message of kept) {
      at = session.indexOf(message, at + 1);
      assert.notEqual(at, -1);
    }
  });
});

test('R3.1 a strict provider refuses the kept messages with any removed result, or removed call and its results, added back', () => {
  forSessions((session, kept) => {
    const isKept = new Set(kept);
    session.forEach((message, index) => {
      if (isKept.has(message)) return;
      let end = index + 1;
      if (message.role === 'assistant') while (session[end]?.role === 'tool') end++;
      const addedBack = new Set(session.slice(index, end).filter((other) => !/^nobody/.test(other.tool_call_id)));
      if (message.role === 'tool') addedBack.add(message);
      const restored = session.filter((other) => isKept.has(other) || addedBack.has(other));
      assert.notDeepEqual(problemsIn(restored), [], `message ${index} should have stayed`);
    });
  });
});

test('R3.1 the work for results before their calls is linear', () => {
  const COUNT = 2_000;
  const policy = { callDepth: CALL_NAMES, watchesAllTools: false };
  const transcript = new Transcript(policy, () => 1);
  let steps = 0;
  const counted = (/** @type {any} */ column) =>
    new Proxy(column, {
      get(target, key) {
        steps++;
        return Reflect.get(target, key);
      },
    });
  for (const column of ['flags', 'ids']) transcript[column] = counted(transcript[column]);
  transcript.results.previous = counted(transcript.results.previous);
  for (let index = 0; index < COUNT; index++) transcript.append({ ...resultOf(`c${index}`), timestamp: index });
  for (let index = 0; index < COUNT; index++) transcript.append(callsOf(`c${index}`));
  assert.equal(transcript.unread.length, COUNT);
  assert.ok(steps < 40 * 2 * COUNT, `${steps} reads for ${2 * COUNT} messages`);
});

test('R2.1 reads before their calls are replaced like others, also after a rewind to before the calls', () => {
  const read = (/** @type {number} */ index) => ({ ...resultOf(`c${index}`, `text ${index}`), timestamp: index });
  const declare = (/** @type {number} */ index) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id: `c${index}`, function: { name: 'filesystem-read', arguments: '{"filePath":"a.ts"}' } }],
  });
  const indices = Array.from({ length: 8 }, (_, index) => index);
  const messages = [...indices.map(read), ...indices.map(declare)];
  const growing = [];
  for (const message of messages) {
    growing.push(message);
    product.simplifyHistoricalFileReads([...growing]);
  }
  const api = [...growing];
  assert.deepEqual(product.simplifyHistoricalFileReads(api).indices, [0, 1, 2]);
  // After a rewind to before the first call, the results have no calls, and then others.
  const rewound = [...growing.slice(0, 8), ...indices.map((index) => declare(7 - index))];
  assert.deepEqual(product.simplifyHistoricalFileReads([...rewound.slice(0, 8)]).changed, 0);
  assert.deepEqual(product.simplifyHistoricalFileReads([...rewound]).indices, [0, 1, 2]);
});
