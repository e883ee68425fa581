// @ts-check
/** The array after a compression, `stripForApi`, and the prompt of the request for a summary. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deepFreeze } from '../../support/compressed-host.mjs';
import {
  configuration,
  defaultSummaryPrompt,
  expandHistory,
  failingModel,
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

describe('R7.7 the array after a compression', () => {
  it('R7.7 the array is the system prompt, a summary message with five fields, and the newest messages', async () => {
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

  it('R7.7 the summary is a user message with a prefix and a record of originals, tokens, counts and model', async () => {
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

  it('R0.4 the same session and now give the same record, apart from durationMs', async () => {
    const [first, second] = [await processed(session()), await processed(session())].map(({ messages }) =>
      messages.map((message) =>
        message.compression ? { ...message, compression: { ...message.compression, durationMs: 0 } } : message,
      ),
    );
    assert.deepEqual(first, second);
  });

  it('R7.7 the id of a record depends on the history and not on the time', async () => {
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

  it('R7.7 token counts are removed from copies of the kept messages, and expandHistory restores them', async () => {
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

  it('R0.1 frozen messages are summarised, cut and shortened without being modified', async () => {
    for (const [size, words, model] of /** @type {const} */ ([
      [3_400, 40, scripted(summary())],
      [OVER, 40, failingModel()],
      [9_000, 4_000, failingModel()],
    ])) {
      const messages = session(size, { words }).map((message) => deepFreeze({ ...message, tokens: 0 }));
      const { before, stored } = await processed(messages, { model });
      assert.deepEqual(stored, before);
      assert.notDeepEqual(messages, before);
      assert.deepEqual(expandHistory(messages), before);
    }
  });

  it('R7.7 kept messages without usage are the same objects', async () => {
    const { messages, stored } = await processed(session());
    assert.equal(messages[0], stored[0]);
    assert.ok(messages.slice(2).every((message, at) => message === stored.at(at - 4)));
  });

  it('R0.1 the copy of a kept message keeps prototype, symbol keys and non-enumerable fields', async () => {
    const mark = Symbol('mark');
    class CustomMessage {
      role = 'user';
      content = 'of a class';
      tokens = 7;
      [mark] = 'kept';
      shout() {
        return this.content.toUpperCase();
      }
    }
    const message = Object.defineProperty(new CustomMessage(), 'hidden', { value: 1, enumerable: false });
    const { messages } = await processed([...session(), message]);
    const copy = /** @type {any} */ (messages.at(-1));
    assert.equal(Object.getPrototypeOf(copy), CustomMessage.prototype);
    assert.ok(copy !== message && !('tokens' in copy));
    assert.equal(copy.shout(), 'OF A CLASS');
    assert.equal(copy[mark], 'kept');
    assert.equal(copy.hidden, 1);
  });

  it('R7.7 a second compression replaces the first summary by one of level 2', async () => {
    const { manager, messages, calls } = await processed(session());
    messages.push(...session(undefined, { from: 300 }).slice(2));
    await manager.process(messages, { now: NOW + 1 });
    assert.equal(messages.filter(({ isCompressed }) => isCompressed).length, 1);
    assert.equal(messages[1].compression.level, 2);
    assert.ok(calls[1].messages[1].content.includes('repair the login page'));
  });
});

describe('R7.8 stripForApi', () => {
  it('R7.8 after a summary and after a cut stripForApi leaves only fields of the API', async () => {
    for (const { messages } of [
      await processed(session()),
      await processed(session(OVER), { model: failingModel() }),
    ]) {
      const known = ['role', 'content', 'tool_calls', 'tool_call_id'];
      for (const message of stripForApi(messages)) {
        assert.deepEqual(
          Object.keys(message).filter((field) => !known.includes(field)),
          [],
        );
      }
    }
  });

  it('R7.8 stripForApi returns messages with only API fields as the same objects, and modifies none', async () => {
    const { messages } = await processed(session());
    const before = structuredClone(messages);
    const api = stripForApi(messages);
    assert.equal(api[0], messages[0]);
    assert.notEqual(api[1], messages[1]);
    assert.deepEqual(messages, before);
  });

  it("R7.8 stripForApi drops the application's own fields unless keep names them", () => {
    const message = { role: 'user', content: 'x', timestamp: 1, editorContext: {}, id: 'm', name: 'bob' };
    assert.deepEqual(stripForApi([message]), [{ role: 'user', content: 'x', name: 'bob' }]);
    assert.deepEqual(stripForApi([message], { keep: ['id'] }), [{ role: 'user', content: 'x', id: 'm', name: 'bob' }]);
  });

  it('R7.8 stripForApi keeps thinking, signatures and cache breakpoints', () => {
    const message = {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 't', signature: 's' }],
      reasoning_content: 'r',
      thoughtSignature: 'g',
      cache_control: { type: 'ephemeral' },
    };
    assert.equal(stripForApi([message])[0], message);
  });

  it('R0.3 stripForApi throws for wrong arguments and keeps invalid messages', () => {
    assert.throws(() => stripForApi(/** @type {any} */ ('x')), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.throws(() => stripForApi([], { keep: 'id' }), { code: 'ERR_INVALID_ARG_TYPE' });
    assert.deepEqual(stripForApi([null, undefined, 7]), [null, undefined, 7]);
  });
});

describe('R7.5 the prompt of the request for a summary', () => {
  it('R7.5 defaultSummaryPrompt has seven sections in Chinese and English, and throws for other languages', () => {
    for (const language of ['zh', 'en']) {
      const { system, user, repair, sections } = defaultSummaryPrompt(language);
      assert.equal(sections.length, 7);
      assert.ok(system.includes('{boundary}') && user.includes('{history}') && user.includes('{previous}'));
      assert.ok(repair.includes('{missing}'));
    }
    assert.throws(() => defaultSummaryPrompt('fr'), RangeError);
  });

  it("R7.5 the prompt is in the history's language unless the option language is set", async () => {
    const chinese = session(undefined, { task: '请修复登录页面，端口保持为 8443。'.repeat(12) });
    const systemPrompt = async (/** @type {any[]} */ messages, /** @type {any} */ options) =>
      (await processed(messages, { options })).calls[0].messages[0].content;
    const { system: zh } = defaultSummaryPrompt('zh');
    const { system: en } = defaultSummaryPrompt('en');
    const isIn = (/** @type {string} */ text) =>
      text.startsWith(zh.slice(0, 20)) ? 'zh' : text.startsWith(en.slice(0, 20)) ? 'en' : '';
    for (const message of chinese) if (message.role === 'assistant') message.content = '我来执行这一步。';
    assert.equal(isIn(await systemPrompt([...chinese], {})), 'zh');
    assert.equal(isIn(await systemPrompt(session(), {})), 'en');
    assert.equal(isIn(await systemPrompt([...chinese], { language: 'en' })), 'en');
    assert.equal(isIn(await systemPrompt(session(), { language: 'zh' })), 'zh');
  });

  it('R7.5 the option prompt replaces the prompt, and without sections none is checked', async () => {
    const prompt = { system: 'You sum up.', user: 'Sum up: {history}' };
    const { calls, messages } = await processed(session(), {
      options: { prompt },
      model: scripted('All is well so far.'),
    });
    assert.equal(calls.length, 1, 'missing sections were requested');
    assert.equal(calls[0].messages[0].content, 'You sum up.');
    assert.ok(calls[0].messages[1].content.startsWith('Sum up: '));
    assert.ok(summaryIn(messages));
  });

  it('R7.5 a range larger than autoCompressionSummaryContextTokens is summarised in parts, each of which fits', async () => {
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
