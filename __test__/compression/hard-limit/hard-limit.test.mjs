// @ts-check
/** The hard limit: what is left is under it, by count. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenCounter } from 'palimpsest';
import {
  configuration,
  exchange,
  expandHistory,
  FULL,
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
  TASK,
  tokensOf,
  unpaired,
  WINDOW,
} from '../../support/compression.mjs';

const LIMIT = WINDOW * 0.95;
const broken = () => scripted(new Error('away'));
/** @param {any[]} messages @param {any} [given] */
const cut = (messages, given) => processed(messages, { model: broken(), ...given });
const result = (/** @type {number} */ at, /** @type {string} */ content) => {
  const [call, answer] = exchange(at);
  return [call, { ...answer, content }];
};

describe('R7.11 the result is under the limit', () => {
  /** @type {[string, () => any[]][]} */
  const sessions = [
    ['many small messages', () => session(3 * WINDOW, { words: 3 })],
    ['few large ones', () => session(3 * WINDOW, { words: 900 })],
    ['one result larger than the window', () => [...session(100), ...result(1, 'word '.repeat(9_000))]],
    ['one result of Chinese', () => [...session(100), ...result(1, '日志内容'.repeat(4_000))]],
    ['one result of emoji', () => [...session(100), ...result(1, '🙂👩‍👩‍👧'.repeat(2_500))]],
    ['one line without a space', () => [...session(100), ...result(1, 'a1b2'.repeat(9_000))]],
    [
      'ten large results of one turn',
      () => {
        const pairs = Array.from({ length: 10 }, (_, at) => result(at, 'word '.repeat(900)));
        const calls = pairs.map(([call]) => call.tool_calls[0]);
        return [
          ...session(100),
          { role: 'assistant', content: '', tool_calls: calls },
          ...pairs.map(([, answer]) => answer),
        ];
      },
    ],
    ['a task larger than the window', () => session(100, { task: 'do this: '.repeat(5_000) })],
    [
      'user messages only',
      () => Array.from({ length: 90 }, (_, at) => ({ role: 'user', content: `${at} ${'word '.repeat(90)}` })),
    ],
    [
      "Anthropic's results",
      () => [
        ...session(100),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'word '.repeat(9_000) }] },
          ],
        },
      ],
    ],
    [
      'arguments larger than the window',
      () => {
        const [call, answer] = exchange(1);
        call.tool_calls[0].function.arguments = JSON.stringify({ content: 'word '.repeat(9_000) });
        return [...session(100), call, answer];
      },
    ],
    ['a call in flight behind it all', () => [...session(OVER), exchange(900)[0]]],
  ];
  for (const [name, make] of sessions) {
    it(`R7.11 ${name}`, async () => {
      const { messages, before } = await cut(make());
      assert.ok(tokensOf(messages) <= LIMIT, `${tokensOf(messages)}`);
      assert.deepEqual(
        messages[0].role === 'system' ? messages[0] : null,
        before[0].role === 'system' ? before[0] : null,
      );
      const openBefore = unpaired(before);
      assert.deepEqual(
        unpaired(messages).filter((id) => !openBefore.includes(id)),
        [],
      );
      assert.deepEqual(expandHistory(messages), before);
    });
  }

  it('R7.11 at every limit', async () => {
    for (let share = 0.1; share < 1; share += 0.06) {
      const config = configuration({ hardLimitThreshold: share, autoCompressionSummaryModel: undefined });
      const { messages } = await processed(session(OVER), { config });
      assert.ok(tokensOf(messages) <= WINDOW * share, `${share}: ${tokensOf(messages)}`);
    }
  });

  it('R7.11 by the count of the configured model', async () => {
    for (const model of ['gpt-4o', 'claude-sonnet-4-5', 'deepseek-chat']) {
      const { messages } = await cut(session(2 * WINDOW, { words: 300 }), { options: { model } });
      const tokens = new TokenCounter({ model }).countMessages(stripForApi(messages));
      assert.ok(tokens <= LIMIT, `${model}: ${tokens}`);
    }
  });

  it('R7.11 by the figures of the provider, when these are higher than the count', async () => {
    const messages = [...session(2_000)];
    messages.push({ role: 'assistant', content: 'ok', usage: { prompt_tokens: 3_990, completion_tokens: 5 } });
    const { event } = await cut(messages);
    assert.ok(tokensOf(messages) < 2_000 * 0.95, 'what was counted as half of the truth is cut by half of it');
    assert.ok(event('truncated'));
  });

  it('R7.11 also after a summary that was not enough', async () => {
    const messages = session(OVER);
    messages.push(...result(990, 'word '.repeat(4_500)), ...exchange(991));
    const { before } = await processed(messages, { model: scripted(summary()) });
    assert.ok(tokensOf(messages) <= LIMIT);
    assert.ok(summaryIn(messages), 'the newest summary is what keeps the task');
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.11 exactly at the limit nothing is cut', async () => {
    const messages = session(1_000);
    messages.push({ role: 'assistant', content: 'ok', usage: { prompt_tokens: LIMIT - 10, completion_tokens: 10 } });
    await cut(messages);
    assert.equal(noticeIn(messages), undefined);
  });

  it('R7.11 a system prompt that is too large by itself: nothing is cut, and the log says why', async () => {
    const messages = session(OVER, { system: 'rule '.repeat(5_000) });
    const { before, log, types } = await cut(messages);
    assert.deepEqual(messages, before);
    assert.ok(types().includes('cannot_fit'));
    const { level, fields } = log.heard.find((/** @type {any} */ entry) => entry.fields.event === 'cannot_fit');
    assert.equal(level, 'error');
    assert.ok(fields.system_tokens > fields.limit_tokens && fields.limit_tokens === LIMIT);
  });

  it('R7.11 with tool definitions that are too large the log says why as well', async () => {
    const tools = [{ type: 'function', function: { name: 'x', description: 'word '.repeat(5_000), parameters: {} } }];
    const { types } = await cut(session(1_000), { options: { tools } });
    assert.ok(types().includes('cannot_fit'));
  });
});

describe('R7.11 the notice', () => {
  it('R7.11 says how many messages and tokens went, and quotes the first request', async () => {
    const { messages, before } = await cut(session(OVER));
    const { role, content, compression } = noticeIn(messages);
    const dropped = before.length - (messages.length - 1);
    assert.equal(role, 'user');
    assert.equal(messages[1].content, TASK, 'the request stays where it was');
    assert.equal(messages.indexOf(noticeIn(messages)), 2);
    assert.ok(content.includes(`${dropped} earlier messages`) && content.includes(TASK));
    assert.deepEqual([compression.droppedCount, compression.messageCount, compression.model], [dropped, dropped, null]);
    const tokens = Number(/about (\d+) tokens/.exec(content)?.[1]);
    assert.ok(Math.abs(tokens - tokensOf(before.slice(2, 2 + dropped))) <= dropped, `${tokens}`);
  });

  it('R7.11 is Chinese for a Chinese session', async () => {
    const task = '请修复登录页面，端口保持为 8443。';
    const messages = session(OVER, { task });
    for (const message of messages) if (message.role === 'assistant') message.content = '继续执行下一步。';
    await cut(messages);
    assert.ok(noticeIn(messages).content.startsWith('[历史截断]') && noticeIn(messages).content.includes(task));
  });

  it('R7.11 a second and third truncation still quote the first request, and add up', async () => {
    const messages = session(OVER);
    const { manager } = await cut(messages);
    let { droppedCount } = noticeIn(messages).compression;
    for (const from of [300, 600]) {
      messages.push(...session(OVER, { from, task: 'something else' }).slice(2));
      const count = messages.length;
      await manager.process(messages, { now: NOW + from });
      const notices = messages.filter(({ isCompressed }) => isCompressed);
      assert.equal(notices.length, 1);
      const gone = count - messages.length;
      assert.ok(notices[0].content.includes(TASK));
      // The old notice went and a new one came.
      assert.equal(notices[0].compression.droppedCount, droppedCount + gone);
      droppedCount = notices[0].compression.droppedCount;
    }
  });

  it('R7.11 after a summary the first request is the one that was summarised', async () => {
    const messages = session(FULL);
    const { manager } = await processed(messages, { model: scripted(summary('x'), new Error('away')) });
    // Pinned by nobody and too old to stay.
    messages.push({ role: 'user', content: 'Now the other page.' }, ...session(OVER * 2, { from: 400 }).slice(2));
    await manager.process(messages, { now: NOW + 1 });
    const notice = noticeIn(messages);
    assert.ok(notice.compression.firstRequest.startsWith(TASK));
    assert.ok(notice.content.includes(TASK));
  });

  it('R7.11 a request that is too long is quoted by its beginning and end', async () => {
    const task = `BEGIN ${'and then '.repeat(1_500)} END`;
    const { messages } = await cut([
      ...session(300, { task }),
      { role: 'user', content: 'And now the other one.' },
      ...session(OVER).slice(2),
    ]);
    const { content } = noticeIn(messages);
    assert.ok(content.includes('BEGIN') && content.includes('END') && content.length < task.length / 2);
  });

  it('R7.11 the newest messages are those that stay', async () => {
    const { messages, before } = await cut(session(OVER));
    const newest = messages.slice(3);
    assert.ok(newest.length >= 4);
    assert.deepEqual(newest, before.slice(-newest.length));
  });

  it('R7.11 when the newest do not fit, fewer stay; then the largest results are shortened', async () => {
    const messages = [...session(300), ...result(1, 'word '.repeat(3_000)), ...result(2, 'word '.repeat(3_000))];
    const { before, manager } = await cut(messages);
    const [call, answer] = messages.slice(-2);
    assert.equal(
      call,
      messages.findLast(({ tool_calls: calls }) => calls?.[0].id === 'call-2'),
    );
    assert.ok(answer.content.length > 1_000);
    assert.ok(answer.content.length < 15_000 || !messages.some(({ tool_call_id: id }) => id === 'call-1'));
    assert.deepEqual(expandHistory(messages), before);
    assert.equal(manager.stats().truncated, 1);
  });

  it('R7.11 a shortened result keeps its beginning and end and says that something is missing', async () => {
    const messages = [...session(300), ...result(1, `FIRST ${'word '.repeat(9_000)} LAST`)];
    const { manager } = await cut(messages);
    const { content } = messages.at(-1);
    assert.ok(content.startsWith('FIRST') && content.endsWith('LAST') && /…|lines truncated/.test(content));
    assert.equal(manager.stats().shortened, 1);
  });

  it('R7.11 without a summary model the hard limit is all there is, and it works', async () => {
    const config = configuration({ autoCompressionSummaryModel: undefined });
    const { messages, calls } = await processed(session(OVER), { config });
    assert.equal(calls.length, 0);
    assert.ok(noticeIn(messages));
  });

  it('R7.11 the next call has nothing to do', async () => {
    const { messages, manager } = await cut(session(OVER));
    const before = structuredClone(messages);
    await manager.process(messages, { now: NOW + 1 });
    assert.deepEqual(messages, before);
    assert.equal(manager.stats().truncated, 1);
  });

  it('R7.11 what is cut is cut with room to spare, so that the next turn need not cut again', async () => {
    const { manager, messages } = await (async () => {
      const made = managerWith({ model: broken(), config: configuration({ autoCompressionKeepRecentCount: 60 }) });
      const all = session(OVER);
      await made.manager.process(all, { now: NOW });
      return { ...made, messages: all };
    })();
    messages.push(...exchange(950));
    await manager.process(messages, { now: NOW + 1 });
    assert.equal(manager.stats().truncated, 1);
  });
});
