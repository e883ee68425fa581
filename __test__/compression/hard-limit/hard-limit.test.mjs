// @ts-check
/** The cut at the hard limit: the array is below it by count, and the notice describes the removed messages. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenCounter } from 'palimpsest';
import {
  configuration,
  exchange,
  exchangeWith,
  expandHistory,
  FULL,
  failingModel,
  NOW,
  noticeIn,
  OVER,
  parallelExchanges,
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
/** The session after `process` with a failing model. @param {any[]} messages @param {any} [given] */
const cut = (messages, given) => processed(messages, { model: failingModel(), ...given });

describe('R7.11 the array after a cut', () => {
  /** @type {[string, () => any[]][]} */
  const sessions = [
    ['many small messages', () => session(3 * WINDOW, { words: 3 })],
    ['few large messages', () => session(3 * WINDOW, { words: 900 })],
    ['one result larger than the window', () => [...session(100), ...exchangeWith(1, 'word '.repeat(9_000))]],
    ['one result of Chinese', () => [...session(100), ...exchangeWith(1, '日志内容'.repeat(4_000))]],
    ['one result of emoji', () => [...session(100), ...exchangeWith(1, '🙂👩‍👩‍👧'.repeat(2_500))]],
    ['one line without a space', () => [...session(100), ...exchangeWith(1, 'a1b2'.repeat(9_000))]],
    ['ten large results of one message', () => [...session(100), ...parallelExchanges(10, 900)]],
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
    ['an unanswered call at the end', () => [...session(OVER), exchange(900)[0]]],
  ];
  for (const [name, make] of sessions) {
    it(`R7.11 a session with ${name} is cut below the hard limit without new orphans`, async () => {
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

  it('R7.11 a session is cut below each hardLimitThreshold from 0.1 to 0.94', async () => {
    for (let share = 0.1; share < 1; share += 0.06) {
      const config = configuration({ hardLimitThreshold: share, autoCompressionSummaryModel: undefined });
      const { messages } = await processed(session(OVER), { config });
      assert.ok(tokensOf(messages) <= WINDOW * share, `${share}: ${tokensOf(messages)}`);
    }
  });

  it("R7.11 a session is cut below the hard limit by the option model's token count", async () => {
    for (const model of ['gpt-4o', 'claude-sonnet-4-5', 'deepseek-chat']) {
      const { messages } = await cut(session(2 * WINDOW, { words: 300 }), { options: { model } });
      const tokens = new TokenCounter({ model }).countMessages(stripForApi(messages));
      assert.ok(tokens <= LIMIT, `${model}: ${tokens}`);
    }
  });

  it('R7.11 if the reported usage is twice our count, history is cut to half of the limit by our count', async () => {
    const messages = [...session(2_000)];
    messages.push({ role: 'assistant', content: 'ok', usage: { prompt_tokens: 3_990, completion_tokens: 5 } });
    const { event } = await cut(messages);
    assert.ok(tokensOf(messages) < 2_000 * 0.95, 'the cut used our count alone');
    assert.ok(event('truncated'));
  });

  it('R7.11 if the array is above the hard limit after a summary, it is cut and the summary stays', async () => {
    const messages = session(OVER);
    messages.push(...exchangeWith(990, 'word '.repeat(4_500)), ...exchange(991));
    const { before } = await processed(messages, { model: scripted(summary()) });
    assert.ok(tokensOf(messages) <= LIMIT);
    assert.ok(summaryIn(messages), 'the summary was removed');
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.11 usage of exactly the hard limit causes no cut', async () => {
    const messages = session(1_000);
    messages.push({ role: 'assistant', content: 'ok', usage: { prompt_tokens: LIMIT - 10, completion_tokens: 10 } });
    await cut(messages);
    assert.equal(noticeIn(messages), undefined);
  });

  it('R7.11 if the system prompt alone is above the hard limit, nothing is cut and cannot_fit is logged as an error', async () => {
    const messages = session(OVER, { system: 'rule '.repeat(5_000) });
    const { before, log, types } = await cut(messages);
    assert.deepEqual(messages, before);
    assert.ok(types().includes('cannot_fit'));
    const { level, fields } = log.entries.find((/** @type {any} */ entry) => entry.fields.event === 'cannot_fit');
    assert.equal(level, 'error');
    assert.ok(fields.system_tokens > fields.limit_tokens && fields.limit_tokens === LIMIT);
  });

  it('R7.11 if the tool definitions alone are above the hard limit, cannot_fit is logged', async () => {
    const tools = [{ type: 'function', function: { name: 'x', description: 'word '.repeat(5_000), parameters: {} } }];
    const { types } = await cut(session(1_000), { options: { tools } });
    assert.ok(types().includes('cannot_fit'));
  });
});

describe('R7.11 the notice and the kept messages', () => {
  it('R7.11 the notice has the number of removed messages and tokens, and quotes the first request', async () => {
    const { messages, before } = await cut(session(OVER));
    const { role, content, compression } = noticeIn(messages);
    const removedCount = before.length - (messages.length - 1);
    assert.equal(role, 'user');
    assert.equal(messages[1].content, TASK, 'the request stays in its place');
    assert.equal(messages.indexOf(noticeIn(messages)), 2);
    assert.ok(content.includes(`${removedCount} earlier messages`) && content.includes(TASK));
    assert.deepEqual(
      [compression.droppedCount, compression.messageCount, compression.model],
      [removedCount, removedCount, null],
    );
    const tokens = Number(/about (\d+) tokens/.exec(content)?.[1]);
    assert.ok(Math.abs(tokens - tokensOf(before.slice(2, 2 + removedCount))) <= removedCount, `${tokens}`);
  });

  it('R7.11 the notice of a Chinese session is in Chinese', async () => {
    const task = '请修复登录页面，端口保持为 8443。';
    const messages = session(OVER, { task });
    for (const message of messages) if (message.role === 'assistant') message.content = '继续执行下一步。';
    await cut(messages);
    assert.ok(noticeIn(messages).content.startsWith('[历史截断]') && noticeIn(messages).content.includes(task));
  });

  it('R7.11 the notices of later cuts quote the first request and add up droppedCount', async () => {
    const messages = session(OVER);
    const { manager } = await cut(messages);
    let { droppedCount } = noticeIn(messages).compression;
    for (const from of [300, 600]) {
      messages.push(...session(OVER, { from, task: 'something else' }).slice(2));
      const count = messages.length;
      await manager.process(messages, { now: NOW + from });
      const notices = messages.filter(({ isCompressed }) => isCompressed);
      assert.equal(notices.length, 1);
      const removedCount = count - messages.length;
      assert.ok(notices[0].content.includes(TASK));
      // The old notice was replaced by the new one.
      assert.equal(notices[0].compression.droppedCount, droppedCount + removedCount);
      droppedCount = notices[0].compression.droppedCount;
    }
  });

  it('R7.11 after a summary the notice quotes the first request, which was summarised', async () => {
    const messages = session(FULL);
    const { manager } = await processed(messages, { model: scripted(summary('x'), new Error('away')) });
    messages.push({ role: 'user', content: 'Now the other page.' }, ...session(OVER * 2, { from: 400 }).slice(2));
    await manager.process(messages, { now: NOW + 1 });
    const notice = noticeIn(messages);
    assert.ok(notice.compression.firstRequest.startsWith(TASK));
    assert.ok(notice.content.includes(TASK));
  });

  it('R7.11 the notice quotes the beginning and end of a long first request', async () => {
    const task = `BEGIN ${'and then '.repeat(1_500)} END`;
    const { messages } = await cut([
      ...session(300, { task }),
      { role: 'user', content: 'And now the other one.' },
      ...session(OVER).slice(2),
    ]);
    const { content } = noticeIn(messages);
    assert.ok(content.includes('BEGIN') && content.includes('END') && content.length < task.length / 2);
  });

  it('R7.11 the messages after the notice are the newest ones of the history', async () => {
    const { messages, before } = await cut(session(OVER));
    const newest = messages.slice(3);
    assert.ok(newest.length >= 4);
    assert.deepEqual(newest, before.slice(-newest.length));
  });

  it("R7.11 if the newest messages don't fit, older ones are removed or their results shortened", async () => {
    const messages = [
      ...session(300),
      ...exchangeWith(1, 'word '.repeat(3_000)),
      ...exchangeWith(2, 'word '.repeat(3_000)),
    ];
    const { before, manager } = await cut(messages);
    const [call, result] = messages.slice(-2);
    assert.equal(
      call,
      messages.findLast(({ tool_calls: calls }) => calls?.[0].id === 'call-2'),
    );
    assert.ok(result.content.length > 1_000);
    assert.ok(result.content.length < 15_000 || !messages.some(({ tool_call_id: id }) => id === 'call-1'));
    assert.deepEqual(expandHistory(messages), before);
    assert.equal(manager.stats().truncated, 1);
  });

  it('R7.11 a shortened result keeps its beginning and end around a line about the removed part', async () => {
    const messages = [...session(300), ...exchangeWith(1, `FIRST ${'word '.repeat(9_000)} LAST`)];
    const { manager } = await cut(messages);
    const { content } = messages.at(-1);
    assert.ok(content.startsWith('FIRST') && content.endsWith('LAST') && /…|lines truncated/.test(content));
    assert.equal(manager.stats().shortened, 1);
  });

  it('R7.11 without a summary model history is cut without a request', async () => {
    const config = configuration({ autoCompressionSummaryModel: undefined });
    const { messages, calls } = await processed(session(OVER), { config });
    assert.equal(calls.length, 0);
    assert.ok(noticeIn(messages));
  });

  it('R7.11 the process call after a cut changes nothing', async () => {
    const { messages, manager } = await cut(session(OVER));
    const before = structuredClone(messages);
    await manager.process(messages, { now: NOW + 1 });
    assert.deepEqual(messages, before);
    assert.equal(manager.stats().truncated, 1);
  });

  it("R7.11 a cut leaves room, so that one more call and result don't cause another cut", async () => {
    const config = configuration({ autoCompressionKeepRecentCount: 60 });
    const { manager, messages } = await cut(session(OVER), { config });
    messages.push(...exchange(950));
    await manager.process(messages, { now: NOW + 1 });
    assert.equal(manager.stats().truncated, 1);
  });
});
