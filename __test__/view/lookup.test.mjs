// @ts-check
/** Removed results are retrieved by the number at the beginning of their placeholders. */
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
const resultText = (/** @type {number} */ at) => `result ${at}\n${`a line of output ${at}\n`.repeat(200)}`;

/** A view that has removed the results of `CALLS`, and the placeholders. @param {string} dialect @param {string} [words] of the user */
function removedResults(dialect, words) {
  const calls = CALLS.map(([tool, input], at) => /** @type {[string, any, string]} */ ([tool, input, resultText(at)]));
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
  test(`EDGE 35 ${dialect}: each placeholder names the removed result, and the lookup tool returns it by its number`, async () => {
    const { view, texts } = removedResults(dialect);
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
      assert.ok((await handler({ id })).includes(resultText(at).trim()), id);
    }
  });
}

const archive = /** @type {any} */ ({
  getMany: async (/** @type {string} */ session, /** @type {string[]} */ ids) =>
    ids.map((id) => ({ messages: [{ role: 'user', content: `archived ${session} ${id}` }], at: 0 })),
  search: async (/** @type {string} */ query) => [
    { sessionId: 's', batchId: 'b', index: 0, at: 0, snippet: query, message: { role: 'user', content: query } },
  ],
});

describe('lookupTool of a view', () => {
  test('R3b.2 placeholders are in the language of the user, and stay the same in later requests', () => {
    const { view, converted, texts } = removedResults('openai-chat', '请继续。');
    assert.match(texts[0] ?? '', /^\[#1 已移除:bash npm test -- --only core,201 行;需要时请重新运行\]$/);
    const longer = [
      ...converted.messages,
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'And now?' },
    ];
    const sent = view.project(longer, { now: START + 1 }).messages;
    const newView = new ContextView({ price: 'none' }).project(longer, { now: START + 2 }).messages;
    const toolContents = (/** @type {any[]} */ messages) =>
      messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    assert.deepEqual([toolContents(sent), toolContents(newView)], [texts, texts]);
  });

  test('returns a sentence for an unknown number and for missing arguments', async () => {
    const { handler } = removedResults('anthropic').view.lookupTool();
    assert.match(await handler({ id: '#99' }), /Nothing has this number/);
    assert.match(await handler({ id: 'a record' }), /Nothing has this number/);
    assert.match(await handler({}), /Wrong arguments/);
    assert.match(await new ContextView().lookupTool().handler({ id: '#1' }), /Nothing has this number/);
  });

  test('without an archive, `query` searches the removed results', async () => {
    const { handler } = removedResults('anthropic').view.lookupTool();
    const found = await handler({ query: '"output 3" line' });
    assert.ok(found.includes('#2.2') && found.includes('a line of output 3') && !found.includes('#2.3'), found);
  });

  test('with an archive, numbers are looked up in the view, and other ids and `query` in the archive', async () => {
    const { view } = removedResults('anthropic');
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

describe('lookupTool of ContextViews', () => {
  test('returns results of the conversation that `conversationId` names, whatever was sent in between', async () => {
    const views = new ContextViews({ price: 'none' });
    const { handler } = views.lookupTool({ conversationId: 'b', maxTokens: 5_000 });
    assert.match(await handler({ id: '#1' }), /Nothing has this number/, 'before its first request');
    for (const id of ['a', 'b', 'c']) {
      const { messages } = outdatedSession('anthropic', [
        [['bash', { command: 'make' }, `made by ${id}\n${resultText(0)}`]],
      ]);
      views.project(messages, { conversationId: id, now: START });
    }
    assert.match(await handler({ id: '#1' }), /made by b/);
    assert.match(await views.lookupTool({ conversationId: 'd' }).handler({ id: '#1' }), /Nothing has this number/);
    assert.match(await views.lookupTool({ conversationId: 'b', archive }).handler({ id: 'x1' }), /archived b x1/);
    assert.throws(() => views.lookupTool(/** @type {any} */ ({})), /options\.conversationId/);
    assert.throws(() => views.lookupTool(/** @type {any} */ ({ conversationID: 'b' })), /conversationId/);
  });
});
