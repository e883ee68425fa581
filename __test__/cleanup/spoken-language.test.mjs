// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  ContextView,
  ContextViews,
  prepareMessages,
  SessionArchive,
  simplifyOutdatedTerminalResults,
} from 'palimpsest';

/** @typedef {any} Odd */
const START = 1_780_000_000_000;
const HOUR = 3_600_000;
const OUTPUT = 'a line of output\n'.repeat(80);
const CHINESE = '此命令返回内容已过时';
const ENGLISH = '[Outdated command output removed]';
const IN_CHINESE = '帮我修复解析器里的错误，然后运行测试';
const IN_ENGLISH = 'Fix the error in the parser, then run the tests';

let ids = 0;
/** @param {number} count */
function commands(count) {
  return Array.from({ length: count }, () => {
    const id = `c${ids++}`;
    return [
      { role: 'assistant', content: '', tool_calls: [{ id, function: { name: 'bash', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: id, content: OUTPUT, timestamp: START },
    ];
  }).flat();
}
const user = (/** @type {string} */ content) => ({ role: 'user', content });
const answer = { role: 'assistant', content: 'Done.' };
const placeholders = (/** @type {readonly Odd[]} */ messages) =>
  new Set(messages.flatMap(({ role, content }) => (role === 'tool' && content !== OUTPUT ? [content] : [])));
const LATER = { now: START + HOUR };

test('ISSUE 20.5 placeholders of prepareMessages and views are in the language that the user speaks', () => {
  for (const [said, expected] of /** @type {[string, string][]} */ ([
    [IN_CHINESE, CHINESE],
    [IN_ENGLISH, ENGLISH],
  ])) {
    // Its time is how views that go by the messages alone know that it is later.
    const messages = [user(said), ...commands(8), { ...answer, timestamp: LATER.now }];
    assert.deepEqual(placeholders(prepareMessages(messages, LATER).messages), new Set([expected]));
    const prepared = prepareMessages(messages, { ...LATER, placeholderLanguage: 'auto' });
    assert.deepEqual(placeholders(prepared.messages), new Set([expected]));
    for (const view of [
      new ContextView({ price: 'none', outdatedBy: 'age' }),
      new ContextViews({ price: 'none', outdatedBy: 'age' }),
    ]) {
      assert.deepEqual(placeholders(view.project(messages, LATER).messages), new Set([expected]));
    }
    const asked = prepareMessages(messages, { ...LATER, placeholderLanguage: 'zh' });
    assert.deepEqual(placeholders(asked.messages), new Set([CHINESE]));
    simplifyOutdatedTerminalResults(messages, LATER);
    assert.deepEqual(placeholders(messages), new Set([CHINESE]), 'the seed’s text stays');
  }
});

test('ISSUE 20.5 the language stays when the user goes on in another one', () => {
  const later = { ...user(IN_CHINESE), timestamp: LATER.now };
  const first = [user(IN_CHINESE), ...commands(8), answer, later, answer];
  const more = [...Array.from({ length: 5 }, () => user(IN_ENGLISH)), ...commands(8), answer];
  const view = new ContextView({ price: 'none', outdatedBy: 'age' });
  view.project(first, LATER);
  const imported = ContextView.import(JSON.parse(JSON.stringify(view.export())), { price: 'none', outdatedBy: 'age' });
  for (const each of [view, imported]) {
    assert.deepEqual(placeholders(each.project([...first, ...more], LATER).messages), new Set([CHINESE]));
  }
  assert.deepEqual(placeholders(prepareMessages([...first, ...more], LATER).messages), new Set([CHINESE]));
});

test('ISSUE 20.5 a view goes by what the user has said when the first placeholder is made', () => {
  const view = new ContextView({ price: 'none', outdatedBy: 'age' });
  const first = [user('npm test, please run it again'), ...commands(2), answer];
  view.project(first, LATER);
  const chinese = [
    user(IN_CHINESE),
    user('再看看日志，告诉我哪里错了'),
    ...commands(8),
    { ...answer, timestamp: LATER.now },
  ];
  const { messages } = view.project([...first, ...chinese], LATER);
  assert.deepEqual(placeholders(messages), new Set([CHINESE]));
});

test('ISSUE 20.5 in every dialect it is the user who is heard, and a result is not the user', () => {
  const blocks = [
    user(IN_ENGLISH),
    ...Array.from({ length: 8 }, (_, at) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'bash', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: '输出'.repeat(400) }] },
    ]).flat(),
    answer,
  ];
  const { messages } = prepareMessages(/** @type {Odd[]} */ (blocks), { ...LATER, unknownAge: 'old' });
  assert.equal(/** @type {Odd} */ (messages[2]).content[0].content, ENGLISH);
});

test('ISSUE 20.5 the lookup tool speaks the language of the conversation that it is given', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'));
  const archive = new SessionArchive(join(folder, 'archive.db'));
  t.after(async () => {
    await archive.close();
    rmSync(folder, { recursive: true });
  });
  const description = (/** @type {Odd} */ options) =>
    archive.lookupTool({ sessionId: 's', ...options }).definition.function.description;
  assert.match(description({ messages: [user(IN_CHINESE)] }), /^查阅/);
  assert.match(description({ messages: [user(IN_ENGLISH)] }), /^Looks up/);
  assert.match(description({}), /^Looks up/);
  assert.match(description({ language: 'zh' }), /^查阅/);
});
