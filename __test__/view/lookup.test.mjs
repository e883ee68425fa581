// @ts-check
/** What went can be had back: by the number that its placeholder begins with. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView, ContextViews } from 'palimpsest';
import { changedResults, DIALECTS, resultAt } from '../support/dialects.mjs';
import { START } from '../support/histories.mjs';
import { outdatedSession } from '../support/outdated-session.mjs';

const SECRET = 'sk-0123456789';
/** @type {[string, Record<string, string>][]} */
const CALLS = [
  ['bash', { command: `API_KEY=${SECRET} npm test -- --only core` }],
  ['Read', { file_path: 'src/a.ts', note: SECRET }],
  ['Grep', { pattern: SECRET }],
  ['Edit', { file_path: 'src/a.ts', old_string: SECRET }],
  ['ask_database', { sql: SECRET }],
];
const said = (/** @type {number} */ at) => `result ${at}\n${`a line of output ${at}\n`.repeat(200)}`;

/** @param {string} dialect @param {string} [words] */
function shown(dialect, words) {
  const calls = CALLS.map(([tool, input], at) => /** @type {[string, any, string]} */ ([tool, input, said(at)]));
  const converted = outdatedSession(dialect, [calls.slice(0, 2), calls.slice(2)], words);
  const view = new ContextView({ price: 'none' });
  const { messages } = view.project(converted.messages, { now: START });
  assert.equal(changedResults(converted, messages).length, CALLS.length);
  const { outputOf } = /** @type {any} */ (DIALECTS[dialect]);
  const texts = converted.places.map((place) => {
    const output = outputOf(resultAt(dialect, messages, place));
    return typeof output === 'string' ? output : JSON.stringify(output);
  });
  return { view, converted, texts };
}

for (const dialect of Object.keys(DIALECTS)) {
  test(`issue 22.7 ${dialect}: each placeholder says what stood there, and its number gives it back`, async () => {
    const { view, texts } = shown(dialect);
    const expected = [
      '[#1 removed: bash npm test -- --only core, 201 lines; run again if needed]',
      '[#1.2 removed: Read src/a.ts, 201 lines; read again if needed]',
      '[#2 removed: Grep, 201 lines; search again if needed]',
      '[#2.2 removed: Edit src/a.ts, 201 lines]',
      '[#2.3 removed: ask_database, 201 lines; call again if needed]',
    ];
    const { handler } = view.lookupTool({ maxTokens: 5_000 });
    for (const [at, text] of expected.entries()) {
      assert.ok(texts[at]?.includes(text), `${texts[at]} has ${text}`);
      assert.ok(!texts[at]?.includes(SECRET));
      const id = /#[\d.]+/.exec(text)?.[0];
      assert.ok((await handler({ id })).includes(said(at).trim()), id);
    }
  });
}

describe('what went', () => {
  test('issue 22.7 the placeholders are in the language that the user speaks, and stay byte for byte', () => {
    const { view, converted, texts } = shown('openai-chat', '请继续。');
    assert.match(texts[0] ?? '', /^\[#1 已移除:bash npm test -- --only core,201 行;需要时请重新运行\]$/);
    const more = [
      ...converted.messages,
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'And now?' },
    ];
    const sent = view.project(more, { now: START + 1 }).messages;
    const again = new ContextView({ price: 'none' }).project(more, { now: START + 2 }).messages;
    const of = (/** @type {any[]} */ messages) =>
      messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    assert.deepEqual([of(sent), of(again)], [texts, texts]);
  });

  test('issue 22.7 a number that nothing has, and nothing at all, get a sentence', async () => {
    const { handler } = shown('anthropic').view.lookupTool();
    assert.match(await handler({ id: '#99' }), /Nothing has this number/);
    assert.match(await handler({ id: 'a record' }), /Nothing has this number/);
    assert.match(await handler({}), /Wrong arguments/);
    assert.match(await new ContextView().lookupTool().handler({ id: '#1' }), /Nothing has this number/);
  });

  test('issue 22.7 without an archive words are looked for in what was replaced', async () => {
    const { handler } = shown('anthropic').view.lookupTool();
    const found = await handler({ query: '"output 3" line' });
    assert.ok(found.includes('#2.2') && found.includes('a line of output 3') && !found.includes('#2.3'), found);
  });

  test('issue 22.7 with an archive a number is the view’s, and other ids and words are the archive’s', async () => {
    const archive = /** @type {any} */ ({
      getMany: async (/** @type {string} */ session, /** @type {string[]} */ ids) =>
        ids.map((id) => ({ messages: [{ role: 'user', content: `archived ${session} ${id}` }], at: 0 })),
      search: async (/** @type {string} */ query) => [
        { sessionId: 's', batchId: 'b', index: 0, at: 0, snippet: query, message: { role: 'user', content: query } },
      ],
    });
    const { view } = shown('anthropic');
    const { handler, definition } = view.lookupTool({ archive, sessionId: 's' });
    assert.ok((await handler(JSON.stringify({ id: '#2' }))).includes('a line of output 2'));
    assert.match(await handler({ id: 'c1' }), /archived s c1/);
    assert.match(await handler({ query: 'only there' }), /only there/);
    assert.match(definition.function.description, /#12/);
    assert.throws(() => view.lookupTool({ archive }), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => view.lookupTool(/** @type {any} */ ({ archive: 'a.db', sessionId: 's' })), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
  });
});

describe('one tool for each of many conversations', () => {
  const archive = /** @type {any} */ ({
    getMany: async (/** @type {string} */ session, /** @type {string[]} */ ids) =>
      ids.map((id) => ({ messages: [{ role: 'user', content: `archived ${session} ${id}` }], at: 0 })),
    search: async () => [],
  });

  test('issue 22.7 it answers from the conversation of that name, whatever was asked for in between', async () => {
    const views = new ContextViews({ price: 'none' });
    const { handler } = views.lookupTool({ conversationId: 'b', maxTokens: 5_000 });
    assert.match(await handler({ id: '#1' }), /Nothing has this number/, 'before its first request');
    for (const id of ['a', 'b', 'c']) {
      const { messages } = outdatedSession('anthropic', [[['bash', { command: 'make' }, `made by ${id}\n${said(0)}`]]]);
      views.project(messages, { conversationId: id, now: START });
    }
    assert.match(await handler({ id: '#1' }), /made by b/);
    assert.match(await views.lookupTool({ conversationId: 'd' }).handler({ id: '#1' }), /Nothing has this number/);
    assert.match(await views.lookupTool({ conversationId: 'b', archive }).handler({ id: 'x1' }), /archived b x1/);
    assert.throws(() => views.lookupTool(/** @type {any} */ ({})), /options\.conversationId/);
    assert.throws(() => views.lookupTool(/** @type {any} */ ({ conversationID: 'b' })), /conversationId/);
  });
});
