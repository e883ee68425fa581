// @ts-check
/** The acceptance lines of the automatic compression's requirements: trigger, summary, compression, truncation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  expandHistory,
  FULL,
  NOW,
  noticeIn,
  OVER,
  processed,
  scripted,
  session,
  summary,
  summaryIn,
  tokensOf,
  unpaired,
  WINDOW,
} from '../../support/compression.mjs';

const broken = () => scripted(new Error('the model is away'));

/** Three quarters full by our count, and exactly `tokens` by the provider's. @param {number} tokens */
function reported(tokens) {
  const messages = session(WINDOW * 0.75);
  const usage = { prompt_tokens: tokens - 50, completion_tokens: 50, total_tokens: tokens };
  messages.push({ role: 'assistant', content: 'so far', usage });
  return messages;
}

describe('REQ-3.1 when compression is triggered', () => {
  it('REQ-3.1 usage is checked before each request: below the threshold no model is asked and nothing changes', async () => {
    const { messages, before, calls } = await processed(session(WINDOW * 0.6));
    assert.equal(calls.length, 0);
    assert.deepEqual(messages, before);
  });

  it('REQ-3.1 exactly 80 % triggers it, one token less does not', async () => {
    assert.equal((await processed(reported(WINDOW * 0.8))).calls.length, 1);
    assert.equal((await processed(reported(WINDOW * 0.8 - 1))).calls.length, 0);
  });

  it('REQ-3.1 the threshold is configurable', async () => {
    const config = configuration({ autoCompressionThreshold: 0.5 });
    assert.equal((await processed(reported(WINDOW * 0.5), { config })).calls.length, 1);
    assert.equal((await processed(reported(WINDOW * 0.5 - 1), { config })).calls.length, 0);
  });

  it('REQ-3.1 afterwards the request goes on with a conversation that is below the threshold', async () => {
    const { messages } = await processed(session());
    assert.ok(tokensOf(messages) < WINDOW * 0.8);
    assert.deepEqual(unpaired(messages), []);
  });

  it('REQ-3.1 a failure is logged and does not keep the request from going on', async () => {
    const { messages, before, log } = await processed(session(), { model: broken() });
    assert.deepEqual(messages, before);
    assert.ok(log.heard.some(({ level, fields }) => level === 'warn' && fields.event === 'summary_failed'));
  });
});

describe('REQ-3.2 the summary', () => {
  it('REQ-3.2 is asked for with a prompt of its own, not with the conversation', async () => {
    const { calls } = await processed(session());
    const { messages } = calls[0];
    assert.deepEqual(
      messages.map((/** @type {any} */ message) => message.role),
      ['system', 'user'],
    );
    assert.match(messages[0].content, /memory of a coding agent/);
  });

  it('REQ-3.2 is made of the older messages: none of the newest N is in the request', async () => {
    const { calls, before, messages } = await processed(session());
    const prompt = calls[0].messages[1].content;
    assert.ok(prompt.includes('result 2:'));
    const newest = before.slice(-4).filter(({ role }) => role === 'tool');
    assert.ok(newest.length > 0);
    for (const { content } of newest) assert.ok(!prompt.includes(content.slice(0, content.indexOf(':') + 1)));
    assert.deepEqual(messages.slice(-4), before.slice(-4));
  });

  it('REQ-3.2 is one independent request of the model', async () => {
    const { calls } = await processed(session());
    assert.equal(calls.length, 1);
    assert.equal(calls[0].tools, undefined);
  });

  it('REQ-3.2 comes from the configured model', async () => {
    const config = configuration({ autoCompressionSummaryModel: 'quick-one' });
    const { calls, messages } = await processed(session(), { config });
    assert.equal(calls[0].model, 'quick-one');
    assert.equal(summaryIn(messages).compression.model, 'quick-one');
  });

  it('REQ-3.2 has goal, decisions, work done and open points: the prompt asks for each', async () => {
    const { calls } = await processed(session());
    for (const heading of ['## Goal', '## Decisions', '## Done', '## Open']) {
      assert.ok(calls[0].messages[1].content.includes(heading), heading);
    }
  });

  it('REQ-3.2 has a bounded length: what a chatty model answers is cut to the configured tokens', async () => {
    const config = configuration({ autoCompressionSummaryMaxTokens: 300 });
    const { messages, calls } = await processed(session(), { config, model: scripted(summary('long '.repeat(900))) });
    assert.equal(calls[0].maxTokens, 300);
    const made = summaryIn(messages);
    assert.ok(tokensOf([made]) < 300 + 300, 'the summary, and the record beside it');
  });

  it('REQ-3.2 when it fails, this compression is left out', async () => {
    const { messages, before, stored } = await processed(session(), { model: broken() });
    assert.deepEqual(messages, before);
    assert.ok(messages.every((message, index) => message === stored[index]));
  });
});

describe('REQ-3.3 the compression', () => {
  const withTen = configuration({ autoCompressionKeepRecentCount: undefined });

  it('REQ-3.3 leaves the system prompt, the summary and the newest ten messages', async () => {
    const { messages, before } = await processed(session(), { config: withTen });
    assert.equal(messages.length, 12);
    assert.deepEqual(messages[0], before[0]);
    assert.equal(messages[1].isCompressed, true);
    assert.deepEqual(messages.slice(2), before.slice(-10));
  });

  it('REQ-3.3 the persisted record keeps the complete history', async () => {
    const { messages, before } = await processed(session());
    assert.deepEqual(expandHistory(JSON.parse(JSON.stringify(messages))), before);
  });

  it('REQ-3.3 clears the token statistics of what stays', async () => {
    const messages = session();
    for (const message of messages) message.tokens = 60;
    messages.push({ role: 'assistant', content: 'ok', usage: { prompt_tokens: 3_500, completion_tokens: 5 } });
    const after = await processed(messages);
    assert.ok(summaryIn(after.messages));
    assert.ok(after.messages.every((message) => !('tokens' in message) && !('usage' in message)));
  });

  it('REQ-3.3 records the message counts and the usage before and after', async () => {
    const { messages, before, event } = await processed(session());
    const { compression } = summaryIn(messages);
    assert.equal(compression.beforeCount, before.length);
    assert.equal(compression.afterCount, messages.length);
    const { usage_before: usageBefore, usage_after: usageAfter } = event('compressed');
    assert.ok(usageBefore >= 0.8 && usageAfter < 0.8 && usageAfter > 0);
  });

  it('REQ-3.3 records place, summary, time and the original messages', async () => {
    const { messages, before } = await processed(session());
    const at = messages.indexOf(summaryIn(messages));
    const { content, compressedAt, compression } = messages[at];
    assert.ok(content.includes('repair the login page'));
    assert.equal(compressedAt, NOW);
    assert.equal(compression.messageCount, compression.originalMessages.length);
    assert.deepEqual(compression.originalMessages, before.slice(at, at + compression.messageCount));
  });

  it('REQ-3.3 what is left has the form of any conversation: plain messages with roles, calls with their results', async () => {
    const { messages } = await processed(session());
    assert.ok(messages.every(({ role }) => ['system', 'user', 'assistant', 'tool'].includes(role)));
    assert.equal(summaryIn(messages).role, 'user');
    assert.deepEqual(unpaired(messages), []);
  });

  it('REQ-3.3 the host saves the array as it is: JSON holds all of it', async () => {
    const { messages } = await processed(session());
    assert.deepEqual(JSON.parse(JSON.stringify(messages)), messages);
  });

  it('REQ-3.3 what was compressed can be unfolded and looked at', async () => {
    const { messages, before } = await processed(session());
    assert.deepEqual(expandHistory(messages), before);
  });
});

describe('REQ-3.4 truncation at the hard limit', () => {
  const cut = () => processed(session(OVER), { model: broken() });

  it('REQ-3.4 happens when the summary fails and the limit is exceeded, and not below the limit', async () => {
    assert.ok(noticeIn((await cut()).messages));
    assert.equal(noticeIn((await processed(session(FULL), { model: broken() })).messages), undefined);
  });

  it('REQ-3.4 keeps the system prompt', async () => {
    const { messages, before } = await cut();
    assert.deepEqual(messages[0], before[0]);
  });

  it('REQ-3.4 keeps the newest messages, by default ten', async () => {
    const config = configuration({ autoCompressionKeepRecentCount: undefined });
    const { messages, before } = await processed(session(OVER), { model: broken(), config });
    assert.deepEqual(messages.slice(-10), before.slice(-10));
    const turns = session(OVER).flatMap((message, at) =>
      at < 2 ? [message] : [{ role: 'user', content: `${message.content}, go on` }],
    );
    const cutTurns = await processed(turns, { model: broken(), config });
    assert.deepEqual(cutTurns.messages.slice(2), cutTurns.before.slice(-10), 'of earlier turns no more stay');
  });

  it('REQ-3.4 removes what lies between', async () => {
    const { messages } = await cut();
    assert.ok(!messages.some(({ content }) => content.startsWith('result 2:')));
  });

  it('REQ-3.4 clears the token statistics', async () => {
    const messages = session(OVER);
    for (const message of messages) message.promptTokens = 60;
    const after = await processed(messages, { model: broken() });
    assert.ok(noticeIn(after.messages));
    assert.ok(after.messages.every((message) => !('promptTokens' in message)));
  });

  it('REQ-3.4 records the message counts before and after', async () => {
    const { messages, before, event } = await cut();
    const { before_count: beforeCount, after_count: afterCount } = event('truncated');
    assert.deepEqual([beforeCount, afterCount], [before.length, messages.length]);
    assert.equal(noticeIn(messages).compression.afterCount, messages.length);
  });

  it('REQ-3.4 what is left can be persisted, and what was dropped is in it', async () => {
    const { messages, before } = await cut();
    assert.deepEqual(expandHistory(JSON.parse(JSON.stringify(messages))), before);
  });
});
