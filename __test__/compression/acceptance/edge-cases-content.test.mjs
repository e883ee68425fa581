// @ts-check
/** What went wrong for others (docs of the project, part 1): validity, bytes and media. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  exchange,
  expandHistory,
  FULL,
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

const broken = () => scripted(new Error('away'));
const result = (/** @type {number} */ at, /** @type {string} */ content) => {
  const [call, answer] = exchange(at);
  return [call, { ...answer, content }];
};

/** Every text that goes to a provider. @param {any[]} calls @param {any[]} messages */
const sent = (calls, messages) => JSON.stringify([calls.map(({ messages: asked }) => asked), stripForApi(messages)]);
const LONE = /\\ud[89a-f][0-9a-f]{2}/i;

describe('validity', () => {
  for (const [name, model] of /** @type {const} */ ([
    ['a summary', scripted(summary())],
    ['a truncation', broken()],
  ])) {
    it(`EDGE 23 ${name} leaves no result without its call, wherever the cut falls`, async () => {
      for (let keep = 0; keep < 9; keep++) {
        const config = configuration({ autoCompressionKeepRecentCount: keep });
        const { messages } = await processed(session(OVER), { config, model });
        assert.deepEqual(unpaired(messages), [], `${keep}`);
      }
    });
  }

  it('EDGE 23 text beside a tool result in one message stays with it', async () => {
    const messages = session(300).slice(0, 2);
    for (let at = 0; at < 50; at++) {
      messages.push({ role: 'assistant', content: [{ type: 'tool_use', id: `u${at}`, name: 'read', input: { at } }] });
      const content = [
        { type: 'tool_result', tool_use_id: `u${at}`, content: filler(50) },
        { type: 'text', text: `and please note ${at}` },
      ];
      messages.push({ role: 'user', content });
    }
    for (const model of [scripted(summary()), broken()]) {
      const { messages: after, before } = await processed([...messages], { model });
      assert.ok(after.length < before.length);
      assert.deepEqual(unpaired(after), []);
      assert.deepEqual(after.at(-1), before.at(-1));
      assert.deepEqual(expandHistory(after), before);
    }
  });

  it('EDGE 23 a session that is broken already is compressed, and made no worse', async () => {
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

describe('bytes and media', () => {
  it('EDGE 27 no cut falls inside an emoji', async () => {
    for (let shift = 0; shift < 8; shift++) {
      const text = 'x'.repeat(shift) + '👩‍👩‍👧🙂𠮷'.repeat(2_500);
      const config = configuration({
        autoCompressionSummaryContextTokens: 3_000,
        autoCompressionSummaryMaxTokens: 500,
      });
      const task = Array.from(text).slice(0, 1_000).join('');
      const messages = [...session(FULL, { task }), ...result(900, text)];
      const { calls } = await processed(messages, { config, model: scripted(summary(task + task)) });
      assert.ok(!LONE.test(sent(calls, messages)), `${shift}`);
    }
  });

  it('EDGE 27 a lone surrogate that is in the history does no harm', async () => {
    for (const model of [scripted(summary('\ud83d cut')), broken()]) {
      const messages = session(OVER, { task: 'half \ud83d and half \udc00' });
      messages.push(...result(900, '\udc00'.repeat(500)));
      const { before } = await processed(messages, { model });
      assert.ok(messages.length < before.length);
      assert.deepEqual(expandHistory(messages), before);
    }
  });

  it('EDGE 28 NUL and control bytes do not reach the model that summarises, the text does', async () => {
    const messages = session();
    messages.splice(6, 0, ...result(900, 'before\u0000\u0001\u0007\u001b[31mred\u001b[0m\u001b]0;title\u0007after'));
    const { calls, before } = await processed(messages);
    const prompt = calls[0].messages[1].content;
    const isControl = (/** @type {string} */ letter) => letter < ' ' && letter !== '\n' && letter !== '\t';
    assert.deepEqual([...prompt].filter(isControl), []);
    assert.ok(prompt.includes('before') && prompt.includes('red') && prompt.includes('after'));
    assert.ok(!prompt.includes('[31m'));
    assert.deepEqual(expandHistory(messages), before);
  });

  it('EDGE 29 an image is neither counted as text nor as nothing', async () => {
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
    const used = async (/** @type {any[]} */ messages) =>
      (await processed(messages, { config })).event('triggered').used_tokens;
    const more = (await used([...session(500), image])) - (await used(session(500)));
    assert.ok(more > 50 && more < 5_000, `${more}`);
  });

  it('EDGE 29 the bytes of an image are not sent to the model that summarises', async () => {
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

  it('EDGE 29 a session full of images comes under the limit', async () => {
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
      { model: broken() },
    );
    assert.ok(tokensOf(messages) <= WINDOW * 0.95);
    assert.deepEqual(expandHistory(messages), before);
  });
});
