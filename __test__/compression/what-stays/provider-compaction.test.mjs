// @ts-check
/** Compaction items of a provider, which contain all earlier messages: they reach the summary or stay. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  expandHistory,
  failingModel,
  filler,
  noticeIn,
  processed,
  stripForApi,
  summaryIn,
} from '../../support/compression.mjs';

const COMPACTED_TEXT = 'The user wants invoice 4711 repaired; the port stays 8443.';
const ENCRYPTED = { type: 'compaction', encrypted_content: `gAAAA${'x'.repeat(400)}` };

/** A session in Anthropic's form that begins with these messages. @param {any[]} first */
function anthropicSession(first) {
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

/** A session of items of the Responses API that begins with these items. @param {any[]} first @param {number} [words] */
function responsesSession(first, words = 40) {
  /** @type {any[]} */
  const items = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] }, ...first];
  for (let at = 0; at < 60; at++) {
    items.push({ type: 'function_call', call_id: `c${at}`, name: 'bash', arguments: `{"command":"step ${at}"}` });
    items.push({ type: 'function_call_output', call_id: `c${at}`, output: `result ${at}: ${filler(words)}` });
  }
  return items;
}

describe('compaction items of a provider', () => {
  it('R7.5 a compaction with text is quoted once in the request for a summary, before the later messages', async () => {
    const block = { role: 'assistant', content: [{ type: 'compaction', content: COMPACTED_TEXT }] };
    const { messages, before, model } = await processed(anthropicSession([block]));
    const prompt = model.calls[0].messages[1].content;
    assert.ok(summaryIn(messages));
    assert.ok(
      prompt.indexOf(COMPACTED_TEXT) > 0 && prompt.indexOf(COMPACTED_TEXT) === prompt.lastIndexOf(COMPACTED_TEXT),
      prompt.slice(0, 900),
    );
    assert.ok(prompt.indexOf(COMPACTED_TEXT) < prompt.indexOf('Step 1.') || prompt.includes('previous summary'));
    assert.ok(!prompt.includes('[compaction]'));
    assert.deepEqual(await expandHistory(messages), before);
  });

  it('R7.5 a compaction with text and the call in the same message are both quoted in the request for a summary', async () => {
    const call = { type: 'tool_use', id: 'first', name: 'bash', input: { command: 'make bricks' } };
    const first = [
      { role: 'assistant', content: [{ type: 'compaction', content: COMPACTED_TEXT }, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'first', content: 'bricks made' }] },
    ];
    const { model } = await processed(anthropicSession(first));
    const prompt = model.calls[0].messages[1].content;
    for (const words of [COMPACTED_TEXT, 'make bricks', 'bricks made']) assert.ok(prompt.includes(words), words);
  });

  it('R7.4 an encrypted compaction stays unmodified before the summary, also after a second compression', async () => {
    const { messages, before, model } = await processed(responsesSession([ENCRYPTED]));
    const sent = stripForApi(messages);
    const at = sent.findIndex(({ type }) => type === 'compaction');
    assert.deepEqual(sent[at], ENCRYPTED);
    assert.ok(at >= 0 && at < messages.indexOf(summaryIn(messages)));
    assert.equal(sent.filter(({ type }) => type === 'compaction').length, 1);
    assert.ok(!JSON.stringify(model.calls[0].messages).includes('gAAAA'));
    assert.deepEqual(await expandHistory(messages), before);
    messages.push(
      ...responsesSession([])
        .slice(1)
        .map((item) => ({ ...item, call_id: `n${item.call_id}` })),
    );
    await processed(messages);
    const compactions = stripForApi(messages).filter(({ type }) => type === 'compaction');
    assert.deepEqual(compactions, [ENCRYPTED]);
  });

  it('R7.11 a cut keeps an encrypted compaction', async () => {
    const { messages } = await processed(responsesSession([ENCRYPTED], 60), { model: failingModel() });
    assert.ok(noticeIn(messages));
    assert.deepEqual(
      stripForApi(messages).filter(({ type }) => type === 'compaction'),
      [ENCRYPTED],
    );
  });
});
