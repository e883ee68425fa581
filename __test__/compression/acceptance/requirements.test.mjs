// @ts-check
/** The users' requirements REQ-3.1 to REQ-3.4 (docs/spec/compression.md): trigger, summary, compression, cut. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  expandHistory,
  FULL,
  failingModel,
  NOW,
  noticeIn,
  OVER,
  processed,
  scripted,
  session,
  summary,
  summaryIn,
  throughJson,
  tokensOf,
  unpaired,
  WINDOW,
} from '../../support/compression.mjs';

/** A session of `tokens` by the provider's usage, and of 75 % of the window by our count. @param {number} tokens */
function sessionWithUsage(tokens) {
  const messages = session(WINDOW * 0.75);
  const usage = { prompt_tokens: tokens - 50, completion_tokens: 50, total_tokens: tokens };
  messages.push({ role: 'assistant', content: 'so far', usage });
  return messages;
}

describe('REQ-3.1 when compression is triggered', () => {
  it('REQ-3.1 below the threshold process calls no model and changes nothing', async () => {
    const { messages, before, calls } = await processed(session(WINDOW * 0.6));
    assert.equal(calls.length, 0);
    assert.deepEqual(messages, before);
  });

  it('REQ-3.1 usage of exactly 80 % of the window triggers compression, one token less does not', async () => {
    assert.equal((await processed(sessionWithUsage(WINDOW * 0.8))).calls.length, 1);
    assert.equal((await processed(sessionWithUsage(WINDOW * 0.8 - 1))).calls.length, 0);
  });

  it('REQ-3.1 autoCompressionThreshold sets the share of the window that triggers compression', async () => {
    const config = configuration({ autoCompressionThreshold: 0.5 });
    assert.equal((await processed(sessionWithUsage(WINDOW * 0.5), { config })).calls.length, 1);
    assert.equal((await processed(sessionWithUsage(WINDOW * 0.5 - 1), { config })).calls.length, 0);
  });

  it('REQ-3.1 after a compression the messages are below the threshold and have no orphans', async () => {
    const { messages } = await processed(session());
    assert.ok(tokensOf(messages) < WINDOW * 0.8);
    assert.deepEqual(unpaired(messages), []);
  });

  it('REQ-3.1 a failed summary is logged as a warning and counted in stats, and the array keeps its message objects', async () => {
    const { messages, before, stored, log, manager } = await processed(session(), { model: failingModel() });
    assert.equal(manager.stats().failed, 1);
    assert.deepEqual(messages, before);
    assert.ok(messages.every((message, index) => message === stored[index]));
    assert.ok(log.entries.some(({ level, fields }) => level === 'warn' && fields.event === 'summary_failed'));
  });
});

describe('REQ-3.2 the request for a summary', () => {
  it('REQ-3.2 a summary is requested once, without tools, by a system and a user message instead of the conversation', async () => {
    const { calls } = await processed(session());
    assert.equal(calls.length, 1);
    assert.equal(calls[0].tools, undefined);
    const { messages } = calls[0];
    assert.deepEqual(
      messages.map((/** @type {any} */ message) => message.role),
      ['system', 'user'],
    );
    assert.match(messages[0].content, /memory of a coding agent/);
  });

  it('REQ-3.2 the request for a summary contains the older messages and none of the newest four', async () => {
    const { calls, before, messages } = await processed(session());
    const prompt = calls[0].messages[1].content;
    assert.ok(prompt.includes('result 2:'));
    const newest = before.slice(-4).filter(({ role }) => role === 'tool');
    assert.ok(newest.length > 0);
    for (const { content } of newest) assert.ok(!prompt.includes(content.slice(0, content.indexOf(':') + 1)));
    assert.deepEqual(messages.slice(-4), before.slice(-4));
  });

  it('REQ-3.2 autoCompressionSummaryModel is the requested model and is named in the record', async () => {
    const config = configuration({ autoCompressionSummaryModel: 'quick-one' });
    const { calls, messages } = await processed(session(), { config });
    assert.equal(calls[0].model, 'quick-one');
    assert.equal(summaryIn(messages).compression.model, 'quick-one');
  });

  it('REQ-3.2 the prompt asks for goal, decisions, work done and open points', async () => {
    const { calls } = await processed(session());
    for (const heading of ['## Goal', '## Decisions', '## Done', '## Open']) {
      assert.ok(calls[0].messages[1].content.includes(heading), heading);
    }
  });

  it('REQ-3.2 a summary longer than autoCompressionSummaryMaxTokens is shortened to that limit', async () => {
    const config = configuration({ autoCompressionSummaryMaxTokens: 300 });
    const { messages, calls } = await processed(session(), { config, model: scripted(summary('long '.repeat(900))) });
    assert.equal(calls[0].maxTokens, 300);
    assert.ok(tokensOf([summaryIn(messages)]) < 300 + 300, 'the summary and its digest');
  });
});

describe('REQ-3.3 the compressed array', () => {
  const keepsTen = configuration({ autoCompressionKeepRecentCount: undefined });

  it('REQ-3.3 the array becomes the system prompt, the summary and the newest ten messages', async () => {
    const { messages, before } = await processed(session(), { config: keepsTen });
    assert.equal(messages.length, 12);
    assert.deepEqual(messages[0], before[0]);
    assert.equal(messages[1].isCompressed, true);
    assert.deepEqual(messages.slice(2), before.slice(-10));
  });

  it('REQ-3.3 the array is unchanged by JSON, and expandHistory restores the history from both', async () => {
    const { messages, before } = await processed(session());
    assert.deepEqual(throughJson(messages), messages);
    assert.deepEqual(expandHistory(messages), before);
    assert.deepEqual(expandHistory(throughJson(messages)), before);
  });

  it('REQ-3.3 token counts and usage are removed from the kept messages', async () => {
    const messages = session();
    for (const message of messages) message.tokens = 60;
    messages.push({ role: 'assistant', content: 'ok', usage: { prompt_tokens: 3_500, completion_tokens: 5 } });
    const after = await processed(messages);
    assert.ok(summaryIn(after.messages));
    assert.ok(after.messages.every((message) => !('tokens' in message) && !('usage' in message)));
  });

  it('REQ-3.3 the record has the message counts, and the event the share of the window, before and after', async () => {
    const { messages, before, event } = await processed(session());
    const { compression } = summaryIn(messages);
    assert.equal(compression.beforeCount, before.length);
    assert.equal(compression.afterCount, messages.length);
    const { usage_before: usageBefore, usage_after: usageAfter } = event('compressed');
    assert.ok(usageBefore >= 0.8 && usageAfter < 0.8 && usageAfter > 0);
  });

  it('REQ-3.3 the summary message has the time and, in its record, the original messages of its place', async () => {
    const { messages, before } = await processed(session());
    const at = messages.indexOf(summaryIn(messages));
    const { content, compressedAt, compression } = messages[at];
    assert.ok(content.includes('repair the login page'));
    assert.equal(compressedAt, NOW);
    assert.equal(compression.messageCount, compression.originalMessages.length);
    assert.deepEqual(compression.originalMessages, before.slice(at, at + compression.messageCount));
  });

  it('REQ-3.3 the array has only the four roles of chat messages and no orphans', async () => {
    const { messages } = await processed(session());
    assert.ok(messages.every(({ role }) => ['system', 'user', 'assistant', 'tool'].includes(role)));
    assert.equal(summaryIn(messages).role, 'user');
    assert.deepEqual(unpaired(messages), []);
  });
});

describe('REQ-3.4 the cut at the hard limit', () => {
  const cutSession = () => processed(session(OVER), { model: failingModel() });

  it('REQ-3.4 after a failed summary history is cut above the hard limit, and not below it', async () => {
    assert.ok(noticeIn((await cutSession()).messages));
    assert.equal(noticeIn((await processed(session(FULL), { model: failingModel() })).messages), undefined);
  });

  it('REQ-3.4 a cut keeps the system prompt and removes older messages', async () => {
    const { messages, before } = await cutSession();
    assert.deepEqual(messages[0], before[0]);
    assert.ok(!messages.some(({ content }) => content.startsWith('result 2:')));
  });

  it('REQ-3.4 a cut keeps the newest ten messages by default, and no others of earlier turns', async () => {
    const config = configuration({ autoCompressionKeepRecentCount: undefined });
    const { messages, before } = await processed(session(OVER), { model: failingModel(), config });
    assert.deepEqual(messages.slice(-10), before.slice(-10));
    const turns = session(OVER).flatMap((message, at) =>
      at < 2 ? [message] : [{ role: 'user', content: `${message.content}, go on` }],
    );
    const cutTurns = await processed(turns, { model: failingModel(), config });
    assert.deepEqual(cutTurns.messages.slice(2), cutTurns.before.slice(-10), 'no other message of earlier turns');
  });

  it('REQ-3.4 a cut removes token counts from the kept messages', async () => {
    const messages = session(OVER);
    for (const message of messages) message.promptTokens = 60;
    const after = await processed(messages, { model: failingModel() });
    assert.ok(noticeIn(after.messages));
    assert.ok(after.messages.every((message) => !('promptTokens' in message)));
  });

  it('REQ-3.4 the event and the record of a cut have the message counts before and after', async () => {
    const { messages, before, event } = await cutSession();
    const { before_count: beforeCount, after_count: afterCount } = event('truncated');
    assert.deepEqual([beforeCount, afterCount], [before.length, messages.length]);
    assert.equal(noticeIn(messages).compression.afterCount, messages.length);
  });

  it('REQ-3.4 expandHistory restores the history from the saved array of a cut', async () => {
    const { messages, before } = await cutSession();
    assert.deepEqual(expandHistory(throughJson(messages)), before);
  });
});
