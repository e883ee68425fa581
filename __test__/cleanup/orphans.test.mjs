// @ts-check
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as product from 'palimpsest';
import { runs } from '../support/comparison.mjs';
import { testEachSession } from '../support/corpus.mjs';
import { plainView } from '../support/plain-view.mjs';
import { refusal } from '../support/providers/openai-chat.mjs';
import { testEachRecording } from '../support/recorded-chats.mjs';

const require = createRequire(import.meta.url);
const { CALL_NAMES } = require('../../lib/cleanup/row-flags.js');
const { Transcript } = require('../../lib/cleanup/transcript.js');

/** @param {...string} ids */
const asks = (...ids) => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'bash', arguments: '{}' } })),
});
const answers = (/** @type {string} */ id, content = 'done') => ({ role: 'tool', tool_call_id: id, content });
const says = (/** @type {string} */ content) => ({ role: 'user', content });

/** @param {any[]} messages */
function cleaned(messages) {
  const api = [...messages];
  product.cleanOrphanedToolCalls(api);
  return api;
}

describe('R3.1 an id that is used again', () => {
  test('a second call without a result goes, though an earlier one of its id was answered', () => {
    const first = [asks('call_0'), answers('call_0')];
    assert.deepEqual(cleaned([...first, says('go on'), asks('call_0')]), [...first, says('go on')]);
  });

  test('a result answers the nearest call before it: an interrupted earlier one goes', () => {
    const last = [says('again'), asks('call_0'), answers('call_0')];
    assert.deepEqual(cleaned([asks('call_0'), ...last]), last);
  });

  test('parallel calls of which one has no result take along their own results, not those of an earlier turn', () => {
    const first = [asks('call_0', 'call_1'), answers('call_0', 'a'), answers('call_1', 'b')];
    assert.deepEqual(cleaned([...first, asks('call_0', 'call_1'), answers('call_0', 'c')]), first);
  });

  test('of a message that names an id twice one call stays', () => {
    const twice = [asks('call_0', 'call_0'), answers('call_0')];
    assert.deepEqual(cleaned(twice), [asks('call_0'), answers('call_0')]);
  });

  test('prepareMessages and a view leave out the same messages', () => {
    const messages = [asks('call_0'), answers('call_0'), asks('call_0', 'call_1'), answers('call_0')];
    assert.deepEqual(product.prepareMessages(messages).messages, messages.slice(0, 2));
    const view = plainView();
    for (let length = 1; length <= messages.length; length++) {
      const sofar = messages.slice(0, length);
      assert.deepEqual(view.project(sofar).messages, cleaned(sofar), `${length} messages`);
    }
  });
});

/** @param {any[]} messages */
function acceptedAtEveryPrefix(messages) {
  for (let length = 1; length <= messages.length; length++) {
    const why = refusal(cleaned(messages.slice(0, length)));
    assert.equal(why, null, `the first ${length} messages: ${why}`);
  }
}

testEachSession('R3.1 a strict provider accepts every prefix of a recorded session', ({ messages }) =>
  acceptedAtEveryPrefix(messages),
);
testEachRecording('R3.1 a strict provider accepts every prefix of a recording', acceptedAtEveryPrefix);

/** Turns whose calls number from zero, as providers do that count per turn; some are never answered, or nobody's. */
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
      ...(question ? [says(`question ${index}`)] : []),
      ...(calls.length > 0 ? [asks(...calls)] : [{ role: 'assistant', content: 'text' }]),
      ...calls.filter((id) => !unanswered.includes(id)).map((id) => answers(id, `${index} ${id}`)),
      ...(stray ? [answers(`nobody_${index}`)] : []),
    ]),
  );

/** @param {(session: any[], kept: any[]) => void} claim */
function holdsForSessions(claim) {
  const property = fc.property(sessions, (session) => claim(session, cleaned(session)));
  fc.assert(property, runs(0.2));
}

test('R3.1 what is left of a session with reused ids is accepted, and cleaning it again changes nothing', () => {
  holdsForSessions((_, kept) => {
    assert.equal(refusal(kept), null);
    assert.deepEqual(cleaned(kept), kept);
  });
});

test('R3.2 what is left of a session with reused ids are stored objects in their order', () => {
  holdsForSessions((session, kept) => {
    let at = -1;
    for (const message of kept) {
      at = session.indexOf(message, at + 1);
      assert.notEqual(at, -1);
    }
  });
});

test('R3.1 nothing goes that a strict provider would accept: no removed call with its results, no removed result', () => {
  holdsForSessions((session, kept) => {
    const isKept = new Set(kept);
    session.forEach((message, index) => {
      if (isKept.has(message)) return;
      let end = index + 1;
      if (message.role === 'assistant') while (session[end]?.role === 'tool') end++;
      const back = new Set(session.slice(index, end).filter((other) => !/^nobody/.test(other.tool_call_id)));
      if (message.role === 'tool') back.add(message);
      const more = session.filter((other) => isKept.has(other) || back.has(other));
      assert.notEqual(refusal(more), null, `message ${index} need not have gone`);
    });
  });
});

test('R3 results before their calls are looked at once each: the work is linear', () => {
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
  const { unwatched } = transcript.watched;
  unwatched.previous = counted(unwatched.previous);
  for (let index = 0; index < COUNT; index++) transcript.append({ ...answers(`c${index}`), timestamp: index });
  for (let index = 0; index < COUNT; index++) transcript.append(asks(`c${index}`));
  assert.equal(transcript.unread.length, COUNT);
  assert.ok(steps < 40 * 2 * COUNT, `${steps} looks at ${2 * COUNT} messages`);
});

test('R2 R3 reads that stand before their calls are simplified like any others, in whatever order they are told', () => {
  const read = (/** @type {number} */ index) => ({ ...answers(`c${index}`, `text ${index}`), timestamp: index });
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
  // Rewound to before the first call, the results are nobody's again, and then another's.
  const rewound = [...growing.slice(0, 8), ...indices.map((index) => declare(7 - index))];
  assert.deepEqual(product.simplifyHistoricalFileReads([...rewound.slice(0, 8)]).changed, 0);
  assert.deepEqual(product.simplifyHistoricalFileReads([...rewound]).indices, [0, 1, 2]);
});
