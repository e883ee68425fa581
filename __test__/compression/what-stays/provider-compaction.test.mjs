// @ts-check
/** What a provider's own compaction leaves holds everything before it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  expandHistory,
  filler,
  managerWith,
  NOW,
  scripted,
  stripForApi,
  summary,
  summaryIn,
} from '../../support/compression.mjs';

const KEPT = 'The user wants invoice 4711 repaired; the port stays 8443.';
const SEALED = { type: 'compaction', encrypted_content: `gAAAA${'x'.repeat(400)}` };

/** @param {any[]} first */
function anthropic(first) {
  /** @type {any[]} */
  const messages = [{ role: 'user', content: 'Go on.' }, ...first];
  for (let at = 0; at < 60; at++) {
    const call = { type: 'tool_use', id: `c${at}`, name: 'bash', input: { command: `step ${at}` } };
    messages.push({ role: 'assistant', content: [{ type: 'text', text: `Step ${at}.` }, call] });
    messages.push({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: call.id, content: `result ${at}: ${filler(40)}` }],
    });
  }
  return messages;
}

/** @param {any[]} first @param {number} [words] */
function responses(first, words = 40) {
  /** @type {any[]} */
  const items = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] }, ...first];
  for (let at = 0; at < 60; at++) {
    items.push({ type: 'function_call', call_id: `c${at}`, name: 'bash', arguments: `{"command":"step ${at}"}` });
    items.push({ type: 'function_call_output', call_id: `c${at}`, output: `result ${at}: ${filler(words)}` });
  }
  return items;
}

/** @param {any[]} messages @param {Record<string, unknown>} [settings] @param {any} [model] */
async function compressed(messages, settings, model = scripted(summary())) {
  const before = structuredClone(messages);
  const made = managerWith({ model, config: configuration(settings) });
  await made.manager.process(messages, { now: NOW });
  return { ...made, messages, before };
}

describe('R7.5 the provider’s own compaction', () => {
  it('R7.5 as text it goes to the summary model as an earlier summary', async () => {
    const block = { role: 'assistant', content: [{ type: 'compaction', content: KEPT }] };
    const { messages, before, model } = await compressed(anthropic([block]));
    const question = model.calls[0].messages[1].content;
    assert.ok(summaryIn(messages));
    assert.ok(
      question.indexOf(KEPT) > 0 && question.indexOf(KEPT) === question.lastIndexOf(KEPT),
      question.slice(0, 900),
    );
    assert.ok(question.indexOf(KEPT) < question.indexOf('Step 1.') || question.includes('previous summary'));
    assert.ok(!question.includes('[compaction]'));
    assert.deepEqual(await expandHistory(messages), before);
  });

  it('R7.5 as text beside a call it is carried on, and the call stays in what is quoted', async () => {
    const call = { type: 'tool_use', id: 'first', name: 'bash', input: { command: 'make bricks' } };
    const first = [
      { role: 'assistant', content: [{ type: 'compaction', content: KEPT }, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'first', content: 'bricks made' }] },
    ];
    const { model } = await compressed(anthropic(first));
    const question = model.calls[0].messages[1].content;
    for (const words of [KEPT, 'make bricks', 'bricks made']) assert.ok(question.includes(words), words);
  });

  it('R7.5 encrypted it stays in front of the summary, untouched', async () => {
    const { messages, before, model } = await compressed(responses([SEALED]));
    const sent = stripForApi(messages);
    const at = sent.findIndex(({ type }) => type === 'compaction');
    assert.deepEqual(sent[at], SEALED);
    assert.ok(at >= 0 && at < messages.indexOf(summaryIn(messages)));
    assert.equal(sent.filter(({ type }) => type === 'compaction').length, 1);
    assert.ok(!JSON.stringify(model.calls[0].messages).includes('gAAAA'));
    assert.deepEqual(await expandHistory(messages), before);
    // And once more, when it is a copy already.
    messages.push(
      ...responses([])
        .slice(1)
        .map((item) => ({ ...item, call_id: `n${item.call_id}` })),
    );
    const again = await compressed(messages);
    const left = stripForApi(again.messages).filter(({ type }) => type === 'compaction');
    assert.deepEqual(left, [SEALED]);
  });

  it('R7.11 a cut at the hard limit does not take it out', async () => {
    const { messages } = await compressed(responses([SEALED], 60), {}, scripted(new Error('away')));
    assert.ok(messages.some((item) => item?.compression?.kind === 'truncation'));
    assert.deepEqual(
      stripForApi(messages).filter(({ type }) => type === 'compaction'),
      [SEALED],
    );
  });
});
