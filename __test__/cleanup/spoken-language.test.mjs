// @ts-check
/** Placeholders and the lookup tool are in the language of the user's messages. */
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
import { exchange, START, userMessage } from '../support/histories.mjs';

/** @typedef {any} Message */
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
    return exchange(`c${ids++}`, 'bash', {}, OUTPUT, { timestamp: START });
  }).flat();
}
const answer = { role: 'assistant', content: 'Done.' };
const placeholders = (/** @type {readonly Message[]} */ messages) =>
  new Set(messages.flatMap(({ role, content }) => (role === 'tool' && content !== OUTPUT ? [content] : [])));
const LATER = { now: START + HOUR };

test('R3b.2 placeholders of prepareMessages and views are in the language of the user', () => {
  for (const [request, expected] of /** @type {[string, string][]} */ ([
    [IN_CHINESE, CHINESE],
    [IN_ENGLISH, ENGLISH],
  ])) {
    // Views take the time from the last message.
    const messages = [userMessage(request), ...commands(8), { ...answer, timestamp: LATER.now }];
    assert.deepEqual(placeholders(prepareMessages(messages, LATER).messages), new Set([expected]));
    const prepared = prepareMessages(messages, { ...LATER, placeholderLanguage: 'auto' });
    assert.deepEqual(placeholders(prepared.messages), new Set([expected]));
    for (const view of [
      new ContextView({ price: 'none', outdatedBy: 'age' }),
      new ContextViews({ price: 'none', outdatedBy: 'age' }),
    ]) {
      assert.deepEqual(placeholders(view.project(messages, LATER).messages), new Set([expected]));
    }
    const inChinese = prepareMessages(messages, { ...LATER, placeholderLanguage: 'zh' });
    assert.deepEqual(placeholders(inChinese.messages), new Set([CHINESE]));
    simplifyOutdatedTerminalResults(messages, LATER);
    assert.deepEqual(placeholders(messages), new Set([CHINESE]), 'the drop-in function always writes Chinese');
  }
});

test('R3b.2 the language stays when the user changes to another one', () => {
  const later = { ...userMessage(IN_CHINESE), timestamp: LATER.now };
  const first = [userMessage(IN_CHINESE), ...commands(8), answer, later, answer];
  const inEnglish = [...Array.from({ length: 5 }, () => userMessage(IN_ENGLISH)), ...commands(8), answer];
  const view = new ContextView({ price: 'none', outdatedBy: 'age' });
  view.project(first, LATER);
  const imported = ContextView.import(JSON.parse(JSON.stringify(view.export())), { price: 'none', outdatedBy: 'age' });
  for (const each of [view, imported]) {
    assert.deepEqual(placeholders(each.project([...first, ...inEnglish], LATER).messages), new Set([CHINESE]));
  }
  assert.deepEqual(placeholders(prepareMessages([...first, ...inEnglish], LATER).messages), new Set([CHINESE]));
});

test('R3b.2 a view chooses the language when it makes the first placeholder', () => {
  const view = new ContextView({ price: 'none', outdatedBy: 'age' });
  const first = [userMessage('npm test, please run it again'), ...commands(2), answer];
  view.project(first, LATER);
  const chinese = [
    userMessage(IN_CHINESE),
    userMessage('再看看日志，告诉我哪里错了'),
    ...commands(8),
    { ...answer, timestamp: LATER.now },
  ];
  const { messages } = view.project([...first, ...chinese], LATER);
  assert.deepEqual(placeholders(messages), new Set([CHINESE]));
});

test('R3b.2 a tool result in a user message does not count for the language', () => {
  const blocks = [
    userMessage(IN_ENGLISH),
    ...Array.from({ length: 8 }, (_, at) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'bash', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: '输出'.repeat(400) }] },
    ]).flat(),
    answer,
  ];
  const { messages } = prepareMessages(/** @type {Message[]} */ (blocks), { ...LATER, unknownAge: 'old' });
  assert.equal(/** @type {Message} */ (messages[2]).content[0].content, ENGLISH);
});

test('the lookup tool is described in the language of its `messages` or its `language`', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'));
  const archive = new SessionArchive(join(folder, 'archive.db'));
  t.after(async () => {
    await archive.close();
    rmSync(folder, { recursive: true });
  });
  const description = (/** @type {Message} */ options) =>
    archive.lookupTool({ sessionId: 's', ...options }).definition.function.description;
  assert.match(description({ messages: [userMessage(IN_CHINESE)] }), /^查阅/);
  assert.match(description({ messages: [userMessage(IN_ENGLISH)] }), /^Looks up/);
  assert.match(description({}), /^Looks up/);
  assert.match(description({ language: 'zh' }), /^查阅/);
});
