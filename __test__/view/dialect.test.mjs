// @ts-check
/** The option `dialect` of a view, which forces one dialect for all messages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContextView } from 'palimpsest';
import { START } from '../support/histories.mjs';
import { COMPRESSION_CONFIG, SUMMARY } from '../support/view-sessions.mjs';

const HOUR = 3_600_000;

/** In Anthropic's dialect. @param {number} turns */
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

test('R11.1 a view and its import detect the dialect of messages, unless `dialect` forces one', () => {
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

test('R11.1 the compression of a view reads messages in its `dialect`', async () => {
  const plain = Array.from({ length: 80 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `Message ${at}: ${'and this is what it says. '.repeat(30)}` }],
    timestamp: START + at,
  }));
  const compression = { config: COMPRESSION_CONFIG, llmClient: async () => SUMMARY };
  const summaryIn = async (/** @type {import('palimpsest').MessageDialect | undefined} */ dialect) => {
    const view = new ContextView({ dialect, compression });
    const { history } = await view.prepare(/** @type {any[]} */ (plain), { now: START + HOUR });
    assert.ok(history.length < plain.length);
    return /** @type {any} */ (history[0]);
  };
  assert.equal(typeof (await summaryIn(undefined)).content, 'string');
  const inPi = await summaryIn('pi');
  assert.deepEqual([inPi.content[0].type, typeof inPi.timestamp], ['text', 'number'], 'the form of pi');
});

test('R11.1 an unknown `dialect` is rejected', () => {
  assert.throws(() => new ContextView({ dialect: /** @type {any} */ ('cohere') }), { code: 'ERR_OUT_OF_RANGE' });
  assert.throws(() => new ContextView({ dialect: /** @type {any} */ (7) }), { code: 'ERR_INVALID_ARG_TYPE' });
});
