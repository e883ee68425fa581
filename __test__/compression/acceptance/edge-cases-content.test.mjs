// @ts-check
/** Defects of other systems (docs/spec/edge-cases.md) in pairs of calls and results, text encoding and images. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  exchange,
  exchangeWith,
  expandHistory,
  FULL,
  failingModel,
  filler,
  OVER,
  processed,
  scripted,
  session,
  stripForApi,
  summary,
  summaryIn,
  tokensOf,
  unpaired,
  WINDOW,
} from '../../support/compression.mjs';

/** All text that is sent to a provider. @param {any[]} calls @param {any[]} messages */
const sentText = (calls, messages) =>
  JSON.stringify([calls.map(({ messages: prompt }) => prompt), stripForApi(messages)]);
const LONE_SURROGATE = /\\ud[89a-f][0-9a-f]{2}/i;

describe('pairs of calls and results', () => {
  for (const [name, model] of /** @type {const} */ ([
    ['summary', scripted(summary())],
    ['cut', failingModel()],
  ])) {
    it(`EDGE 23 a ${name} leaves no result without its call, with each keepRecentCount from 0 to 8`, async () => {
      for (let keep = 0; keep < 9; keep++) {
        const config = configuration({ autoCompressionKeepRecentCount: keep });
        const { messages } = await processed(session(OVER), { config, model });
        assert.deepEqual(unpaired(messages), [], `${keep}`);
      }
    });
  }

  it('EDGE 23 a message with a tool result and text is removed or kept as a whole', async () => {
    const messages = session(300).slice(0, 2);
    for (let at = 0; at < 50; at++) {
      messages.push({ role: 'assistant', content: [{ type: 'tool_use', id: `u${at}`, name: 'read', input: { at } }] });
      const content = [
        { type: 'tool_result', tool_use_id: `u${at}`, content: filler(50) },
        { type: 'text', text: `and please note ${at}` },
      ];
      messages.push({ role: 'user', content });
    }
    for (const model of [scripted(summary()), failingModel()]) {
      const { messages: after, before } = await processed([...messages], { model });
      assert.ok(after.length < before.length);
      assert.deepEqual(unpaired(after), []);
      assert.deepEqual(after.at(-1), before.at(-1));
      assert.deepEqual(expandHistory(after), before);
    }
  });

  it('EDGE 23 compressing a session with an orphaned result and an unanswered call adds no orphans', async () => {
    const orphan = { role: 'tool', tool_call_id: 'nobody', content: 'lost' };
    const unanswered = exchange(901)[0];
    const messages = session();
    messages.splice(9, 0, orphan, unanswered);
    const { messages: after, before } = await processed([...messages]);
    assert.ok(summaryIn(after));
    assert.ok(unpaired(after).length <= 2);
    assert.deepEqual(expandHistory(after), before);
  });
});

describe('text encoding and images', () => {
  it('EDGE 27 shortening a result or a request never splits a surrogate pair', async () => {
    for (let shift = 0; shift < 8; shift++) {
      const text = 'x'.repeat(shift) + '👩‍👩‍👧🙂𠮷'.repeat(2_500);
      const config = configuration({
        autoCompressionSummaryContextTokens: 3_000,
        autoCompressionSummaryMaxTokens: 500,
      });
      const task = Array.from(text).slice(0, 1_000).join('');
      const messages = [...session(FULL, { task }), ...exchangeWith(900, text)];
      const { calls } = await processed(messages, { config, model: scripted(summary(task + task)) });
      assert.ok(!LONE_SURROGATE.test(sentText(calls, messages)), `${shift}`);
    }
  });

  it('EDGE 27 a history with lone surrogates is compressed and restored exactly', async () => {
    for (const model of [scripted(summary('\ud83d cut')), failingModel()]) {
      const messages = session(OVER, { task: 'half \ud83d and half \udc00' });
      messages.push(...exchangeWith(900, '\udc00'.repeat(500)));
      const { before } = await processed(messages, { model });
      assert.ok(messages.length < before.length);
      assert.deepEqual(expandHistory(messages), before);
    }
  });

  it('EDGE 28 the request for a summary contains the text of a result, without its control characters', async () => {
    const messages = session();
    messages.splice(
      6,
      0,
      ...exchangeWith(900, 'before\u0000\u0001\u0007\u001b[31mred\u001b[0m\u001b]0;title\u0007after'),
    );
    const { calls, before } = await processed(messages);
    const prompt = calls[0].messages[1].content;
    const isControl = (/** @type {string} */ letter) => letter < ' ' && letter !== '\n' && letter !== '\t';
    assert.deepEqual([...prompt].filter(isControl), []);
    assert.ok(prompt.includes('before') && prompt.includes('red') && prompt.includes('after'));
    assert.ok(!prompt.includes('[31m'));
    assert.deepEqual(expandHistory(messages), before);
  });

  it('EDGE 29 an image counts as between 50 and 5,000 tokens, whatever the length of its base64', async () => {
    const data = 'iVBORw0KGgo'.repeat(20_000);
    const image = {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }],
    };
    const config = configuration({
      autoCompressionThreshold: 0.0001,
      autoCompressionSummaryModel: undefined,
      maxContextTokens: 100_000,
    });
    const usedTokens = async (/** @type {any[]} */ messages) =>
      (await processed(messages, { config })).event('triggered').used_tokens;
    const imageTokens = (await usedTokens([...session(500), image])) - (await usedTokens(session(500)));
    assert.ok(imageTokens > 50 && imageTokens < 5_000, `${imageTokens}`);
  });

  it("EDGE 29 the request for a summary names an image and doesn't contain its base64", async () => {
    const data = 'QUJDREVGR0hJSktMTU5P'.repeat(500);
    const messages = session();
    messages.splice(4, 0, {
      role: 'user',
      content: [
        { type: 'text', text: 'see this' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
      ],
    });
    const { calls, before } = await processed(messages);
    const prompt = calls[0].messages[1].content;
    assert.ok(!prompt.includes(data.slice(0, 60)));
    assert.ok(prompt.includes('see this') && prompt.includes('[image_url]'));
    assert.deepEqual(expandHistory(messages), before);
  });

  it('EDGE 29 a session of 40 images is cut below the hard limit', async () => {
    const data = 'iVBORw0KGgo'.repeat(50);
    const image = (/** @type {number} */ at) => ({
      role: 'user',
      content: [
        { type: 'text', text: `picture ${at}` },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${data}${at}` } },
      ],
    });
    const { messages, before } = await processed(
      [...session(200), ...Array.from({ length: 40 }, (_, at) => image(at))],
      { model: failingModel() },
    );
    assert.ok(tokensOf(messages) <= WINDOW * 0.95);
    assert.deepEqual(expandHistory(messages), before);
  });
});
