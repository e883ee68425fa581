// @ts-check
/** A call that never got a result is answered by the view, whatever the host appended behind it. */
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

/** Content that is a list when it is first asked for, and none from then on. */
const changing = (/** @type {string} */ key, /** @type {string} */ role) => {
  let asked = 0;
  return new Proxy({ role }, { get: (of, name) => (name === key ? [[], 7][asked++ % 2] : Reflect.get(of, name)) });
};

describe('R3 an interrupted call is answered', () => {
  for (const [dialect, call] of Object.entries(CALLS)) {
    for (const [what, follower] of Object.entries(FOLLOWERS)) {
      test(`${dialect}: ahead of ${what}, which is sent as it is`, () => {
        const stored = [{ role: 'user', content: 'Read it.' }, call, follower, { role: 'user', content: 'And?' }];
        const { messages } = new ContextView({}).project(stored, { now: NOW });
        assert.equal(messages.length, stored.length + 1);
        assert.deepEqual([messages[0], messages[1], messages[3], messages[4]], stored);
        assert.match(JSON.stringify(messages[2]), /interrupted/);
      });
    }

    test(`${dialect}: ahead of a message that is another each time it is asked`, () => {
      for (const [key, role] of [
        ['content', 'user'],
        ['content', 'tool'],
        ['parts', 'user'],
      ]) {
        const odd = changing(String(key), String(role));
        const stored = [{ role: 'user', content: 'Read it.' }, call, odd, { role: 'user', content: 'And?' }];
        for (const message of new ContextView({}).project(/** @type {any} */ (stored), { now: NOW }).messages) {
          if (message !== odd) assert.ok(JSON.stringify(message).length > 0);
        }
      }
    });
  }
});

describe('interrupted calls', () => {
  const call = (/** @type {string} */ id) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{}' } }],
  });

  test('R11.4 the calls of the turn in progress are left alone until someone else speaks', () => {
    const view = new ContextView();
    const begun = [{ role: 'user', content: 'go' }, call('a')];
    assert.deepEqual(view.project(begun).messages, begun);
    const { messages } = view.project([...begun, { role: 'user', content: 'stop' }]);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'user'],
    );
    const again = view.project([...begun, { role: 'user', content: 'stop' }, { role: 'assistant', content: 'ok' }]);
    assert.equal(again.messages[2], messages[2], 'the same answer from then on');
  });
});
