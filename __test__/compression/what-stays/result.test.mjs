// @ts-check
/** What a compression leaves, and what a provider gets of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  defaultSummaryPrompt,
  expandHistory,
  managerWith,
  NOW,
  noticeIn,
  OVER,
  processed,
  scripted,
  session,
  stripForApi,
  summary,
  summaryIn,
} from '../../support/compression.mjs';

const broken = () => scripted(new Error('away'));

describe('R7.7 the form of the result', () => {
  it('R7.7 system, summary, recent', async () => {
    const { messages, before } = await processed(session());
    assert.deepEqual(messages[0], before[0]);
    assert.deepEqual(Object.keys(messages[1]).sort(), [
      'compressedAt',
      'compression',
      'content',
      'isCompressed',
      'role',
    ]);
    assert.deepEqual(messages.slice(2), before.slice(-4));
  });

  it('R7.7 the summary says what it is', async () => {
    const { messages, before } = await processed(session());
    const { role, content, isCompressed, compressedAt, compression } = messages[1];
    assert.deepEqual([role, isCompressed, compressedAt], ['user', true, NOW]);
    assert.ok(content.startsWith('[压缩摘要]\n'));
    const { id, originalMessages, tokensBefore, tokensAfter, durationMs, ...rest } = compression;
    assert.match(id, /^cmp_[0-9a-f]{16}$/);
    assert.deepEqual(originalMessages, before.slice(1, -4));
    assert.ok(Number.isInteger(tokensBefore) && Number.isInteger(tokensAfter) && tokensBefore > tokensAfter);
    assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
    const { level, kind, beforeCount, afterCount, model } = rest;
    assert.deepEqual(
      { level, kind, beforeCount, afterCount, model },
      { level: 1, kind: 'summary', beforeCount: before.length, afterCount: 6, model: 'small-model' },
    );
  });

  it('R0.4 the same session at the same time gives the same record', async () => {
    const [first, second] = [await processed(session()), await processed(session())].map(({ messages }) =>
      messages.map((message) =>
        message.compression ? { ...message, compression: { ...message.compression, durationMs: 0 } } : message,
      ),
    );
    assert.deepEqual(first, second);
  });

  it('R7.7 another history has another id, and the same history at another time the same', async () => {
    const ids = new Set();
    for (const now of [NOW, NOW + 1]) {
      for (const task of ['one', 'two']) {
        const messages = session(undefined, { task });
        await managerWith().manager.process(messages, { now });
        ids.add(summaryIn(messages).compression.id);
      }
    }
    assert.equal(ids.size, 2);
  });

  it('R7.7 usage is cleared on copies: the stored objects keep theirs', async () => {
    const messages = session().map((message) => ({
      ...message,
      tokens: 54,
      usage: undefined,
      tokenUsage: { total: 1 },
    }));
    const { stored, before } = await processed(messages);
    assert.ok(messages.every((message) => !('tokens' in message) && !('tokenUsage' in message)));
    assert.deepEqual(stored, before);
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R0.1 no object of the host is written to: summary, truncation and shortening of frozen messages work', async () => {
    for (const [size, words, model] of /** @type {const} */ ([
      [3_400, 40, scripted(summary())],
      [OVER, 40, broken()],
      [9_000, 4_000, broken()],
    ])) {
      const messages = deepFrozen(session(size, { words }).map((message) => ({ ...message, tokens: 0 })));
      const { before, stored } = await processed(messages, { model });
      assert.deepEqual(stored, before);
      assert.notDeepEqual(messages, before);
      assert.deepEqual(expandHistory(messages), before);
    }
  });

  it('R7.7 what is kept and has no usage is the very same object', async () => {
    const { messages, stored } = await processed(session());
    assert.equal(messages[0], stored[0]);
    assert.ok(messages.slice(2).every((message, at) => message === stored.at(at - 4)));
  });

  it('R7.7 a copy keeps prototype, symbols and hidden fields', async () => {
    const mark = Symbol('mark');
    class HostMessage {
      role = 'user';
      content = 'of a class';
      tokens = 7;
      [mark] = 'kept';
      shout() {
        return this.content.toUpperCase();
      }
    }
    const own = Object.defineProperty(new HostMessage(), 'hidden', { value: 1, enumerable: false });
    const { messages } = await processed([...session(), own]);
    const copy = /** @type {any} */ (messages.at(-1));
    assert.equal(Object.getPrototypeOf(copy), HostMessage.prototype);
    assert.ok(copy !== own && !('tokens' in copy));
    assert.equal(copy.shout(), 'OF A CLASS');
    assert.equal(copy[mark], 'kept');
    assert.equal(copy.hidden, 1);
  });

  it('R7.7 a text that looks like a replacement pattern stays literal', async () => {
    const odd = "$& $1 $` $' $$ {history} {previous}";
    const { messages, calls } = await processed(session(undefined, { task: odd }), { model: scripted(summary(odd)) });
    assert.ok(messages[1].content.includes(`## Goal\n${odd}\n`));
    assert.ok(calls[0].messages[1].content.includes(odd));
  });

  it('R7.7 a second compression takes the first one in and says so', async () => {
    const { manager, messages, calls } = await processed(session());
    messages.push(...session(undefined, { from: 300 }).slice(2));
    await manager.process(messages, { now: NOW + 1 });
    assert.equal(messages.filter(({ isCompressed }) => isCompressed).length, 1);
    assert.equal(messages[1].compression.level, 2);
    // The first summary is updated, not quoted as history.
    assert.ok(calls[1].messages[1].content.includes('repair the login page'));
  });
});

describe('R7.8 stripForApi', () => {
  it('R7.8 nothing of ours reaches a provider', async () => {
    const made = [await processed(session()), await processed(session(OVER), { model: broken() })];
    for (const { messages } of made) {
      const known = ['role', 'content', 'tool_calls', 'tool_call_id'];
      for (const message of stripForApi(messages)) {
        assert.deepEqual(
          Object.keys(message).filter((field) => !known.includes(field)),
          [],
        );
      }
    }
  });

  it('R7.8 messages without such fields are the same objects, and the stored ones keep theirs', async () => {
    const { messages } = await processed(session());
    const before = structuredClone(messages);
    const api = stripForApi(messages);
    assert.equal(api[0], messages[0]);
    assert.notEqual(api[1], messages[1]);
    assert.deepEqual(messages, before);
  });

  it("R7.8 a host's own fields go, unless it asks to keep them", () => {
    const message = { role: 'user', content: 'x', timestamp: 1, editorContext: {}, id: 'm', name: 'bob' };
    assert.deepEqual(stripForApi([message]), [{ role: 'user', content: 'x', name: 'bob' }]);
    assert.deepEqual(stripForApi([message], { keep: ['id'] }), [{ role: 'user', content: 'x', id: 'm', name: 'bob' }]);
  });

  it('R7.8 thinking, signatures and cache marks pass', () => {
    const message = {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 't', signature: 's' }],
      reasoning_content: 'r',
      thoughtSignature: 'g',
      cache_control: { type: 'ephemeral' },
    };
    assert.equal(stripForApi([message])[0], message);
  });

  it('R7.8 wrong arguments throw, odd messages pass', () => {
    assert.throws(() => stripForApi(/** @type {any} */ ('x')), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => stripForApi([], { keep: 'id' }), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.deepEqual(stripForApi([null, undefined, 7]), [null, undefined, 7]);
  });
});

describe('R7.5 the prompt', () => {
  it('R7.5 the default prompt exists in Chinese and English, with the sections of R7.6, and nothing else', () => {
    for (const language of ['zh', 'en']) {
      const { system, user, repair, sections } = defaultSummaryPrompt(language);
      assert.equal(sections.length, 7);
      assert.ok(system.includes('{boundary}') && user.includes('{history}') && user.includes('{previous}'));
      assert.ok(repair.includes('{missing}'));
    }
    assert.throws(() => defaultSummaryPrompt('fr'), RangeError);
  });

  it("R7.5 it is chosen by the history's language, or by the option", async () => {
    const chinese = session(undefined, { task: '请修复登录页面，端口保持为 8443。'.repeat(12) });
    const asked = async (/** @type {any[]} */ messages, /** @type {any} */ options) =>
      (await processed(messages, { options })).calls[0].messages[0].content;
    const { system: zh } = defaultSummaryPrompt('zh');
    const { system: en } = defaultSummaryPrompt('en');
    const isIn = (/** @type {string} */ text) =>
      text.startsWith(zh.slice(0, 20)) ? 'zh' : text.startsWith(en.slice(0, 20)) ? 'en' : '';
    for (const message of chinese) if (message.role === 'assistant') message.content = '我来执行这一步。';
    assert.equal(isIn(await asked([...chinese], {})), 'zh');
    assert.equal(isIn(await asked(session(), {})), 'en');
    assert.equal(isIn(await asked([...chinese], { language: 'en' })), 'en');
    assert.equal(isIn(await asked(session(), { language: 'zh' })), 'zh');
  });

  it('R7.5 it can be replaced', async () => {
    const prompt = { system: 'You sum up.', user: 'Sum up: {history}' };
    const { calls, messages } = await processed(session(), {
      options: { prompt },
      model: scripted('All is well so far.'),
    });
    assert.equal(calls.length, 1, 'an own prompt has no sections to be missed');
    assert.equal(calls[0].messages[0].content, 'You sum up.');
    assert.ok(calls[0].messages[1].content.startsWith('Sum up: '));
    assert.ok(summaryIn(messages));
  });

  it('R7.5 a range too large for the model is summarised in parts, each of which fits', async () => {
    const config = configuration({
      autoCompressionSummaryContextTokens: 3_000,
      autoCompressionSummaryMaxTokens: 400,
      maxContextTokens: 16_000,
    });
    const { calls, messages, before, events } = await processed(session(14_000), { config });
    assert.ok(calls.length > 1);
    for (const { type, prompt_tokens: tokens } of events)
      if (type === 'summary_requested') assert.ok(tokens + 400 <= 3_000);
    assert.ok(summaryIn(messages));
    assert.deepEqual(expandHistory(messages), before);
    assert.equal(noticeIn(messages), undefined);
  });
});

/** @template T @param {T[]} messages @returns {T[]} the messages frozen, to the bottom; the array is not */
function deepFrozen(messages) {
  const freeze = (/** @type {any} */ value) => {
    if (value === null || typeof value !== 'object') return;
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  };
  messages.forEach(freeze);
  return messages;
}
