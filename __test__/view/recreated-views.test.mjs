// @ts-check
/** What is sent is a function of the messages, the options and the facts: a view may be dropped at any moment. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ContextView, ContextViews } from 'palimpsest';
import { runs } from '../support/comparison.mjs';
import { lives, playLife } from '../support/conversation-lives.mjs';
import { START } from '../support/histories.mjs';
import { problemsIn } from '../support/providers/anthropic.mjs';

const CONFIG = { autoCompressionSummaryModel: 'small', autoCompressionKeepRecentCount: 4, maxContextTokens: 8_000 };
const SUMMARY = '目标: go on\n决定: none\n已完成: all of it\n未完成: nothing\n文件: a.ts\n失败: none';

test('R10.12 a view that is dropped at any moment sends not one other byte, in any dialect, whatever the application does', () => {
  let removals = 0;
  const count = (/** @type {string} */ what) => {
    if (what === 'with placeholders') removals++;
  };
  fc.assert(
    fc.property(lives(40), (life) => playLife(life, count)),
    { ...runs(0.06), endOnFailure: true },
  );
  assert.ok(removals > 0, 'something is removed');
});

/** Answers that were given already. @param {number} at @returns {any} */
const said = (at) => ({
  role: at % 2 ? 'assistant' : 'user',
  content: `message ${at}: ${`said ${at} times. `.repeat(60)}`,
});

const change = fc.record({
  does: fc.constantFrom('grow', 'grow', 'grow', 'cut', 'edit', 'edit in place'),
  by: fc.integer({ min: 1, max: 24 }),
});

test('R10.12 so it is where conversations are compressed, cut and edited: a summary is a fact, and no original is in it', async () => {
  let summaries = 0;
  const llmClient = async () => {
    summaries++;
    return SUMMARY;
  };
  const options = { compression: { config: CONFIG, llmClient } };
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 14 }), async (plan) => {
      const view = new ContextView(options);
      let stored = [said(0), said(1)];
      for (const [at, { does, by }] of plan.entries()) {
        const place = by % stored.length;
        if (does === 'cut') stored = stored.slice(0, Math.max(2, stored.length - by));
        else if (does === 'edit') stored = stored.with(place, { ...stored[place], content: `edited ${at}` });
        else if (does === 'edit in place') stored[place].content = `edited ${at}`;
        else for (let more = 0; more < by; more++) stored = [...stored, said(stored.length)];
        const asked = { now: START + at * 1_000 };
        const { messages } = await view.prepare(stored, asked);
        const known = summaries;
        const facts = JSON.stringify(view.export());
        assert.ok(!facts.includes('said 3 times'), 'an original is in a fact');
        const other = await ContextView.import(facts, options).prepare(structuredClone(stored), asked);
        assert.equal(JSON.stringify(other.messages), JSON.stringify(messages), does);
        assert.equal(summaries, known, 'the other process asks for no summary');
      }
    }),
    { ...runs(0.02), endOnFailure: true },
  );
  assert.ok(summaries > 0, 'something is compressed');
});

test('R10.12 a result that answers an interrupted call stays the same when a later result of Bedrock’s has a status', () => {
  const call = (/** @type {string} */ toolUseId) => [{ toolUse: { toolUseId, name: 'bash', input: {} } }];
  const failed = { toolUseId: 'two', content: [{ text: 'no such file' }], status: 'error' };
  const messages = [
    { role: 'user', content: [{ text: 'Begin.' }] },
    { role: 'assistant', content: call('one') },
    { role: 'user', content: [{ text: 'Go on.' }] },
    { role: 'assistant', content: call('two') },
    { role: 'user', content: [{ toolResult: failed }] },
    { role: 'assistant', content: [{ text: 'It failed.' }] },
  ];
  const sent = (/** @type {number} */ length) => new ContextView().project(messages.slice(0, length)).messages;
  const before = sent(3);
  assert.ok(JSON.stringify(before).includes('"toolUseId":"one","content"'), 'the call is answered');
  assert.equal(JSON.stringify(sent(messages.length).slice(0, before.length)), JSON.stringify(before));
});

test('an old result that a new object with other text takes the place of is sent, and so is its call', async () => {
  const call = (/** @type {number} */ at) => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id: `c${at}`, name: 'bash', input: {} }],
  });
  const result = (/** @type {number} */ at, /** @type {string} */ content) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: `c${at}`, content }],
  });
  /** @type {any[]} */ const messages = [{ role: 'user', content: 'hi' }];
  for (let at = 0; at < 12; at++) messages.push(call(at), result(at, `out ${at}`));
  for (let at = 0; at < 12; at++) {
    const views = new ContextViews({});
    await views.prepare(messages, { conversationId: 'a' });
    const edited = messages.with(2 + 2 * at, result(at, '[redacted]'));
    const { messages: sent, report } = await views.prepare(edited, { conversationId: 'a' });
    assert.deepEqual(sent, edited);
    assert.equal(report.changed, 0);
    assert.deepEqual(problemsIn(sent), []);
  }
});
