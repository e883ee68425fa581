// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView } from 'palimpsest';
import { START } from '../support/histories.mjs';
import { bashSession } from '../support/view-sessions.mjs';

const HOUR = 3_600_000;

/** The last result came after a pause that no cache outlives. @param {any[]} messages */
function withPause(messages) {
  return messages.with(-1, { ...messages.at(-1), timestamp: START + HOUR });
}

/** The whole conversation after a pause. @param {any} view @param {any[]} messages */
function afterPause(view, messages) {
  view.project(messages.slice(0, -2));
  return view.project(messages);
}

describe('the host goes another way', () => {
  const all = withPause(bashSession(20, 'a'));
  const AGED = /** @type {const} */ ({ outdatedBy: 'age', price: 'anthropic' });
  /** @param {any} [options] */
  const flushed = (options) => {
    const view = new ContextView({ outdatedBy: 'age', price: 'anthropic', ...options });
    const { report } = afterPause(view, all);
    assert.equal(report.changed, 15);
    return view;
  };

  test('after a rewind over more results than are kept, messages of every dialect are read again', () => {
    const result = (/** @type {number} */ nth) => ({
      type: 'tool_result',
      tool_use_id: `c${nth}`,
      content: 'a line\n'.repeat(99),
    });
    const messages = [{ role: 'user', content: 'Read the files' }];
    for (let nth = 0; nth < 4500; nth++) {
      const call = { type: 'tool_use', id: `c${nth}`, name: 'Read', input: { file_path: `/a${nth % 7}.ts` } };
      messages.push(/** @type {any} */ ({ role: 'assistant', content: [call] }));
      messages.push(/** @type {any} */ ({ role: 'user', content: [result(nth)] }));
    }
    const view = new ContextView({ price: 'none' });
    view.project(messages);
    const rewound = messages.slice(0, 101);
    const expected = new ContextView({ price: 'none' }).project(rewound).messages;
    assert.deepEqual(view.project(rewound).messages, expected);
  });

  test('an edit in place of a replaced result is sent, wherever it stands', () => {
    const view = new ContextView({ outdatedBy: 'age', price: 'anthropic' });
    const messages = structuredClone(all);
    afterPause(view, messages);
    messages[3].content = 'Error: it went wrong';
    const { messages: sent } = view.project(messages, { now: START + HOUR + 1000 });
    assert.equal(sent[3], messages[3]);
  });

  test('a field beside the content that is edited in place comes along', () => {
    const view = new ContextView({ outdatedBy: 'age', price: 'anthropic' });
    const messages = structuredClone(all);
    afterPause(view, messages);
    messages[3].cache_control = { type: 'ephemeral' };
    const { messages: sent } = view.project(messages, { now: START + HOUR + 1000 });
    assert.deepEqual(sent[3]?.cache_control, { type: 'ephemeral' });
    assert.notEqual(sent[3]?.content, messages[3].content);
  });

  test('an edit that nothing points to is read before anything is replaced', () => {
    const view = new ContextView({ outdatedBy: 'age', price: 'anthropic' });
    const messages = structuredClone(all);
    assert.equal(view.project(messages.slice(0, -2)).report.changed, 0);
    messages[3].messageStatus = 'error';
    const { messages: sent, report } = view.project(messages, { now: START + HOUR });
    assert.equal(sent[3], messages[3]);
    assert.equal(report.changed, 14);
  });

  /** Another way from an earlier message on. */
  const rewound = [...all.slice(0, 14), { role: 'user', content: 'Do it otherwise.' }];

  test('R10.15 an earlier part gets what was sent when it was all there was, and changes nothing', () => {
    const [view, other] = [flushed(), flushed()];
    const { messages } = view.project(all.slice(0, 14), { now: START + HOUR + 2000 });
    assert.deepEqual(messages, all.slice(0, 14), 'nothing was outdated then');
    const further = [...all, { role: 'assistant', content: 'ok' }, { role: 'user', content: 'And now?' }];
    assert.deepEqual(
      view.project(further, { now: START + 3 * HOUR }).messages,
      other.project(further, { now: START + 3 * HOUR }).messages,
    );
  });

  for (const [what, again] of /** @type {[string, (view: any) => any][]} */ ([
    ['goes on', (view) => view],
    ['is exported', (view) => view.export() && view],
    ['is imported', (view) => ContextView.import(view.export(), view.options ?? AGED)],
  ])) {
    test(`R10.7 what was edited where it stands before the view ${what} is sent as it is`, () => {
      const view = new ContextView({ outdatedBy: 'age', price: 'anthropic' });
      const messages = structuredClone(all);
      afterPause(view, messages);
      messages[3].content = 'Error: it went wrong';
      const { messages: sent, report } = again(view).project(messages, { now: START + HOUR + 1000 });
      assert.equal(sent[3], messages[3]);
      assert.equal(report.changed, 14);
    });

    test(`R10.7 a result without a time that was edited before the view ${what} is as old as the request that had it`, () => {
      const options = /** @type {const} */ ({ price: 'none', outdatedBy: 'age' });
      const messages = bashSession(20, 'untimed').map(({ timestamp: _, ...message }) => message);
      const view = new ContextView(options);
      view.project(messages.slice(0, -2), { now: START });
      const knowing = ContextView.import(view.export(), options);
      messages[3].content = `new output ${'word '.repeat(300)}`;
      const { messages: sent, report } = again(view).project(messages, { now: START + HOUR });
      assert.equal(report.changed, 15);
      assert.deepEqual(sent, knowing.project(structuredClone(messages), { now: START + HOUR }).messages);
    });

    test(`R10.7 after a rewind before the view ${what} a result that is among the newest again is sent in full`, () => {
      const { messages } = again(flushed()).project(rewound, { now: START + HOUR + 1000 });
      assert.deepEqual(messages.slice(4), rewound.slice(4));
    });
  }

  test('a clone of what was sent costs nothing and changes no byte', () => {
    const view = flushed();
    const before = JSON.stringify(view.project(all, { now: START + HOUR + 1000 }).messages);
    const { messages } = view.project(structuredClone(all), { now: START + HOUR + 2000 });
    assert.equal(JSON.stringify(messages), before);
    assert.ok(view.plan({ now: START + HOUR + 3000 }).cachedTokens > 1024);
  });
});

test('a result without a call that is edited where it stands weighs nothing, as before', () => {
  const view = new ContextView({ price: 'none', outdatedBy: 'age' });
  const ask = { role: 'user', content: 'Go on. '.repeat(50) };
  const messages = [
    ask,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'here', name: 'Bash', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'here', content: 'ok' }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'gone', content: 'long output '.repeat(400) },
        { type: 'text', text: 'And now this. '.repeat(40) },
      ],
    },
  ];
  view.project(messages, { now: START });
  const { totalTokens } = view.plan({ now: START });
  const edited = structuredClone(messages);
  /** @type {any} */ (edited[3]).content[0].content = 'short';
  view.project(edited, { now: START + 1000 });
  assert.ok(Math.abs(view.plan({ now: START + 1000 }).totalTokens - totalTokens) < 1);
});
