// @ts-check
/** Applications edit, rewind and clone stored messages; a view must send what is stored now. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView } from 'palimpsest';
import { START } from '../support/histories.mjs';
import { bashSession } from '../support/view-sessions.mjs';

const HOUR = 3_600_000;

/** Sends the conversation without its last result, and then, after the pause, all of it. @param {any} view @param {any[]} messages */
function projectAroundPause(view, messages) {
  view.project(messages.slice(0, -2));
  return view.project(messages);
}

describe('edits, rewinds and clones of stored messages', () => {
  const session = bashSession(20, 'a');
  /** The last result came after a pause that no cache outlives. */
  const all = session.with(-1, { ...session.at(-1), timestamp: START + HOUR });
  const AGED = /** @type {const} */ ({ outdatedBy: 'age', price: 'anthropic' });
  /** A view that has removed the outdated results. */
  const viewAfterPause = () => {
    const view = new ContextView(AGED);
    const { report } = projectAroundPause(view, all);
    assert.equal(report.changed, 15);
    return view;
  };

  test('R10.12 after a rewind over 4,450 results, a view sends the same messages as a new view', () => {
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

  test('R10.14 a replaced result that is edited in place is sent with its new content', () => {
    const view = new ContextView(AGED);
    const messages = structuredClone(all);
    projectAroundPause(view, messages);
    messages[3].content = 'Error: it went wrong';
    const { messages: sent } = view.project(messages, { now: START + HOUR + 1000 });
    assert.equal(sent[3], messages[3]);
  });

  test('R10.14 a field that is added in place to a replaced message is in the sent copy', () => {
    const view = new ContextView(AGED);
    const messages = structuredClone(all);
    projectAroundPause(view, messages);
    messages[3].cache_control = { type: 'ephemeral' };
    const { messages: sent } = view.project(messages, { now: START + HOUR + 1000 });
    assert.deepEqual(sent[3]?.cache_control, { type: 'ephemeral' });
    assert.notEqual(sent[3]?.content, messages[3].content);
  });

  test('R10.14 a status that is set in place is read before results are replaced', () => {
    const view = new ContextView(AGED);
    const messages = structuredClone(all);
    assert.equal(view.project(messages.slice(0, -2)).report.changed, 0);
    messages[3].messageStatus = 'error';
    const { messages: sent, report } = view.project(messages, { now: START + HOUR });
    assert.equal(sent[3], messages[3]);
    assert.equal(report.changed, 14);
  });

  /** Continues differently after an earlier message. */
  const rewound = [...all.slice(0, 14), { role: 'user', content: 'Do it otherwise.' }];

  test('R10.15 an earlier part of the conversation is sent as it was then, and later requests stay the same', () => {
    const [view, other] = [viewAfterPause(), viewAfterPause()];
    const { messages } = view.project(all.slice(0, 14), { now: START + HOUR + 2000 });
    assert.deepEqual(messages, all.slice(0, 14), 'nothing was outdated then');
    const further = [...all, { role: 'assistant', content: 'ok' }, { role: 'user', content: 'And now?' }];
    assert.deepEqual(
      view.project(further, { now: START + 3 * HOUR }).messages,
      other.project(further, { now: START + 3 * HOUR }).messages,
    );
  });

  for (const [which, continued] of /** @type {[string, (view: any) => any][]} */ ([
    ['the same view', (view) => view],
    ['an exported view', (view) => view.export() && view],
    ['an imported view', (view) => ContextView.import(view.export(), AGED)],
  ])) {
    test(`R10.14 ${which} sends a result that was edited in place with its new content`, () => {
      const view = new ContextView(AGED);
      const messages = structuredClone(all);
      projectAroundPause(view, messages);
      messages[3].content = 'Error: it went wrong';
      const { messages: sent, report } = continued(view).project(messages, { now: START + HOUR + 1000 });
      assert.equal(sent[3], messages[3]);
      assert.equal(report.changed, 14);
    });

    test(`R10.12 in ${which}, an edited result without a time is as old as its first request`, () => {
      const options = /** @type {const} */ ({ price: 'none', outdatedBy: 'age' });
      const messages = bashSession(20, 'untimed').map(({ timestamp: _, ...message }) => message);
      const view = new ContextView(options);
      view.project(messages.slice(0, -2), { now: START });
      const imported = ContextView.import(view.export(), options);
      messages[3].content = `new output ${'word '.repeat(300)}`;
      const { messages: sent, report } = continued(view).project(messages, { now: START + HOUR });
      assert.equal(report.changed, 15);
      assert.deepEqual(sent, imported.project(structuredClone(messages), { now: START + HOUR }).messages);
    });

    test(`R10.14 after a rewind, ${which} sends results whole that are among the newest again`, () => {
      const { messages } = continued(viewAfterPause()).project(rewound, { now: START + HOUR + 1000 });
      assert.deepEqual(messages.slice(4), rewound.slice(4));
    });
  }

  test('R10.14 a clone of the messages is sent with the same bytes and stays cached', () => {
    const view = viewAfterPause();
    const before = JSON.stringify(view.project(all, { now: START + HOUR + 1000 }).messages);
    const { messages } = view.project(structuredClone(all), { now: START + HOUR + 2000 });
    assert.equal(JSON.stringify(messages), before);
    assert.ok(view.plan({ now: START + HOUR + 3000 }).cachedTokens > 1024);
  });
});

test('R10.14 `totalTokens` counts no result without a call, also after an edit in place', () => {
  const view = new ContextView({ price: 'none', outdatedBy: 'age' });
  const userMessage = { role: 'user', content: 'Go on. '.repeat(50) };
  const messages = [
    userMessage,
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
