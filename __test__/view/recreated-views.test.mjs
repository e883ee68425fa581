// @ts-check
/** A view may be dropped at any moment, because what is sent is a function of messages, options and facts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ContextView, ContextViews } from 'palimpsest';
import { runs } from '../support/comparison.mjs';
import { lives, playLife } from '../support/conversation-lives.mjs';
import { START } from '../support/histories.mjs';
import { problemsIn } from '../support/providers/anthropic.mjs';
import { COMPRESSION_CONFIG, SUMMARY } from '../support/view-sessions.mjs';

test('R10.12 in any dialect, a view that is dropped at any moment sends the same bytes, whatever the application does', () => {
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

/** @param {number} at @returns {any} */
const longMessage = (at) => ({
  role: at % 2 ? 'assistant' : 'user',
  content: `message ${at}: ${`longMessage ${at} times. `.repeat(60)}`,
});

const change = fc.record({
  does: fc.constantFrom('grow', 'grow', 'grow', 'cut', 'edit', 'edit in place'),
  by: fc.integer({ min: 1, max: 24 }),
});

test('R10.13 an imported view sends the same bytes after compressions, cuts and edits, and no fact holds an original', async () => {
  let summaries = 0;
  const llmClient = async () => {
    summaries++;
    return SUMMARY;
  };
  const options = { compression: { config: COMPRESSION_CONFIG, llmClient } };
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 14 }), async (plan) => {
      const view = new ContextView(options);
      let stored = [longMessage(0), longMessage(1)];
      for (const [at, { does, by }] of plan.entries()) {
        const place = by % stored.length;
        if (does === 'cut') stored = stored.slice(0, Math.max(2, stored.length - by));
        else if (does === 'edit') stored = stored.with(place, { ...stored[place], content: `edited ${at}` });
        else if (does === 'edit in place') stored[place].content = `edited ${at}`;
        else for (let added = 0; added < by; added++) stored = [...stored, longMessage(stored.length)];
        const requestOptions = { now: START + at * 1_000 };
        const { messages } = await view.prepare(stored, requestOptions);
        const earlierSummaries = summaries;
        const facts = JSON.stringify(view.export());
        assert.ok(!facts.includes('said 3 times'), 'an original is in a fact');
        const imported = await ContextView.import(facts, options).prepare(structuredClone(stored), requestOptions);
        assert.equal(JSON.stringify(imported.messages), JSON.stringify(messages), does);
        assert.equal(summaries, earlierSummaries, 'the other process requests no summary');
      }
    }),
    { ...runs(0.02), endOnFailure: true },
  );
  assert.ok(summaries > 0, 'something is compressed');
});

test('R10.12 the answer to an interrupted Bedrock call stays the same after a later result with a `status`', () => {
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

test('R10.14 an old result that was replaced by a new object with other text is sent with its call', async () => {
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
