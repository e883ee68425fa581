// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContextView } from 'palimpsest';
import { START } from '../support/histories.mjs';

const HOUR = 3_600_000;

/** Anthropic's form. @param {number} turns */
function session(turns) {
  /** @type {any[]} */
  const messages = [{ role: 'user', content: 'Go on.' }];
  for (let turn = 0; turn < turns; turn++) {
    const id = `toolu_${turn}`;
    const text = `out ${id} `.repeat(100);
    messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'bash', input: { command: 'ls' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }], timestamp: START },
    );
  }
  messages.push({ role: 'user', content: 'And now?', timestamp: START + HOUR });
  return messages;
}

test('R11 a view reads messages as what they look like, or all in the dialect that it is given, also after an import', () => {
  const changed = (/** @type {import('palimpsest').MessageDialect | undefined} */ dialect) => {
    const view = new ContextView({ price: 'none', outdatedBy: 'age', dialect });
    return [view, ContextView.import(view.export(), { price: 'none', outdatedBy: 'age', dialect })].map(
      (each) => each.project(session(12), { now: START + HOUR }).report.changed,
    );
  };
  assert.deepEqual(changed(undefined), [7, 7]);
  assert.deepEqual(changed('anthropic'), [7, 7]);
  assert.deepEqual(changed('openai-chat'), [0, 0]);
});

test('R11 the compression of a view reads messages in its dialect', async () => {
  const config = {
    autoCompressionSummaryModel: 'small',
    autoCompressionKeepRecentCount: 4,
    maxContextTokens: 8_000,
  };
  const plain = Array.from({ length: 80 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `Message ${at}: ${'and this is what it says. '.repeat(30)}` }],
    timestamp: START + at,
  }));
  const llmClient = async () => '目标: go on\n决定: none\n已完成: all of it\n未完成: nothing\n文件: a.ts\n失败: none';
  const summaryIn = async (/** @type {import('palimpsest').MessageDialect | undefined} */ dialect) => {
    const view = new ContextView({ dialect, compression: { config, llmClient } });
    const { history } = await view.prepare(/** @type {any[]} */ (plain), { now: START + HOUR });
    assert.ok(history.length < plain.length);
    return /** @type {any} */ (history[0]);
  };
  assert.equal(typeof (await summaryIn(undefined)).content, 'string');
  const inPi = await summaryIn('pi');
  assert.deepEqual([inPi.content[0].type, typeof inPi.timestamp], ['text', 'number'], 'as pi keeps its messages');
});

test('R11 a dialect that is none is refused before anything is done', () => {
  assert.throws(() => new ContextView({ dialect: /** @type {any} */ ('cohere') }), { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => new ContextView({ dialect: /** @type {any} */ (7) }), { code: 'ERR_INVALID_ARG_TYPE' });
});
