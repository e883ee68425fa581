// @ts-check
/** A view answers a call that never got a result, whatever message the application appended after it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView } from 'palimpsest';

const NOW = 1_700_000_000_000;

/** @type {Record<string, any>} */
const CALLS = {
  anthropic: { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Read', input: {} }] },
  'ai-sdk': { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'Read', input: {} }] },
  gemini: { role: 'model', parts: [{ functionCall: { name: 'Read', args: {} } }] },
  'openai-chat': {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'Read', arguments: '{}' } }],
  },
};

/** @type {Record<string, any>} */
const FOLLOWERS = {
  'a user message whose content is null': { role: 'user', content: null },
  'one without content': { role: 'user' },
  'one whose content is a number': { role: 'user', content: 5 },
  'one whose content is an object': { role: 'user', content: {} },
  'one whose parts are text': { role: 'user', parts: 'x' },
};

/** A message whose field `key` is an empty list and a number in turn. */
const changing = (/** @type {string} */ key, /** @type {string} */ role) => {
  let reads = 0;
  return new Proxy(
    { role },
    { get: (target, name) => (name === key ? [[], 7][reads++ % 2] : Reflect.get(target, name)) },
  );
};

describe('R11.4 an interrupted call', () => {
  for (const [dialect, call] of Object.entries(CALLS)) {
    for (const [what, follower] of Object.entries(FOLLOWERS)) {
      test(`${dialect}: is answered before ${what}, which is sent unchanged`, () => {
        const stored = [{ role: 'user', content: 'Read it.' }, call, follower, { role: 'user', content: 'And?' }];
        const { messages } = new ContextView({}).project(stored, { now: NOW });
        assert.equal(messages.length, stored.length + 1);
        assert.deepEqual([messages[0], messages[1], messages[3], messages[4]], stored);
        assert.match(JSON.stringify(messages[2]), /interrupted/);
      });
    }

    test(`${dialect}: is sent even if the next message changes at each read`, () => {
      for (const [key, role] of [
        ['content', 'user'],
        ['content', 'tool'],
        ['parts', 'user'],
      ]) {
        const follower = changing(String(key), String(role));
        const stored = [{ role: 'user', content: 'Read it.' }, call, follower, { role: 'user', content: 'And?' }];
        for (const sent of new ContextView({}).project(/** @type {any} */ (stored), { now: NOW }).messages) {
          if (sent !== follower) assert.ok(JSON.stringify(sent).length > 0);
        }
      }
    });
  }

  const chatCall = (/** @type {string} */ id) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{}' } }],
  });

  test('of the turn in progress is answered only after the next user message, and then always the same', () => {
    const view = new ContextView();
    const turnInProgress = [{ role: 'user', content: 'go' }, chatCall('a')];
    assert.deepEqual(view.project(turnInProgress).messages, turnInProgress);
    const { messages } = view.project([...turnInProgress, { role: 'user', content: 'stop' }]);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'user'],
    );
    const later = view.project([
      ...turnInProgress,
      { role: 'user', content: 'stop' },
      { role: 'assistant', content: 'ok' },
    ]);
    assert.equal(later.messages[2], messages[2], 'the same object in later requests');
  });
});
