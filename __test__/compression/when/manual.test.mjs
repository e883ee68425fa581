// @ts-check
/** `compress`, `stats` and `onEvent` of AutoCompressionManager. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AutoCompressionManager,
  configuration,
  expandHistory,
  managerWith,
  NOW,
  scripted,
  session,
  summary,
  summaryIn,
  TASK,
  tokensOf,
} from '../../support/compression.mjs';

describe('R7.12 compress', () => {
  it('R7.12 compress with a summary calls no model and applies the text unchanged', async () => {
    const { manager, calls } = managerWith();
    const messages = session();
    const before = structuredClone(messages);
    const result = await manager.compress(messages, { summary: 'Steps 1 to 27 are done.', now: NOW });
    assert.equal(calls.length, 0);
    const [prefix, introduction, request, empty, text] = summaryIn(messages).content.split('\n');
    assert.deepEqual([prefix, empty, text], ['[压缩摘要]', '', 'Steps 1 to 27 are done.']);
    assert.ok(request.includes(TASK));
    assert.match(introduction, /written by the agent itself: it stands for \d+ messages\. The originals are kept/);
    assert.equal(summaryIn(messages).compression.model, null);
    const { tokensBefore, tokensAfter, ...rest } = result;
    assert.deepEqual(rest, { compressed: true, reason: null, beforeCount: before.length, afterCount: messages.length });
    assert.equal(tokensBefore, tokensOf(before));
    assert.ok(Math.abs(tokensAfter - tokensOf(messages)) <= 1);
    assert.deepEqual(expandHistory(messages), before);
  });

  it('R7.12 compress works below the threshold', async () => {
    const { manager } = managerWith();
    const messages = session(1_000);
    assert.equal((await manager.compress(messages, { summary: 'done so far' })).compressed, true);
    assert.equal(messages.length, 6);
  });

  it('R7.12 compress puts instructions literally into the prompt', async () => {
    const { manager, calls } = managerWith();
    const instructions = 'Keep every port number. $& {history}';
    const result = await manager.compress(session(1_000), { instructions });
    assert.equal(result.compressed, true);
    assert.ok(calls[0].messages[1].content.includes(instructions));
  });

  it('R7.12 without a summary model compress applies a summary, and otherwise returns the reason no_summary_model', async () => {
    const config = configuration({ autoCompressionSummaryModel: undefined });
    const { manager, calls } = managerWith({ config });
    const messages = session(1_000);
    const refused = await manager.compress(messages);
    assert.deepEqual([refused.compressed, refused.reason], [false, 'no_summary_model']);
    assert.equal(refused.afterCount, refused.beforeCount);
    assert.equal(refused.tokensAfter, refused.tokensBefore);
    assert.deepEqual(messages, session(1_000));
    assert.equal((await manager.compress(messages, { summary: 'done so far' })).compressed, true);
    assert.equal(calls.length, 0);
  });

  it('R7.12 compress works with autoCompressionEnabled false', async () => {
    const config = configuration({ autoCompressionEnabled: false });
    const { manager } = managerWith({ config });
    assert.equal((await manager.compress(session(1_000), { summary: 'done so far' })).compressed, true);
  });

  it('R7.12 a failed compress returns its reason and changes nothing', async () => {
    /** @type {[any[], any, any, string][]} */
    const failures = [
      [session(1_000), scripted(''), {}, 'empty'],
      [session(1_000), scripted('Error: 500'), {}, 'error_text'],
      [session(1_000), scripted(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })), {}, 'ECONNREFUSED'],
      [session(1_000), scripted(summary()), { summary: '  ' }, 'blank'],
      [session(1_000), scripted(summary()), { summary: '' }, 'empty'],
      [session(1_000), scripted(summary()), { summary: 'long '.repeat(5_000) }, 'not_smaller'],
      [session(100), scripted(summary()), {}, 'nothing_between'],
    ];
    for (const [messages, model, options, reason] of failures) {
      const before = structuredClone(messages);
      const result = await managerWith({ model }).manager.compress(messages, options);
      assert.deepEqual([result.compressed, result.reason], [false, reason]);
      assert.deepEqual(messages, before);
    }
  });

  it('R0.3 compress rejects for wrong arguments', async () => {
    const { manager } = managerWith();
    /** @type {any[][]} */
    const wrong = [['x'], [null], [[], { summary: 7 }], [[], { instructions: {} }], [[], { signal: 1 }], [[], 7]];
    for (const [messages, options] of wrong) {
      await assert.rejects(manager.compress(messages, options), { code: 'ERR_INVALID_ARG_TYPE' });
    }
    await assert.rejects(manager.compress(Object.freeze(session(1_000)), { summary: 'x' }), TypeError);
    await assert.rejects(manager.compress([], { now: Number.NaN }), RangeError);
  });

  it('R7.12 compress with a summary after an automatic summary keeps the request of the digest', async () => {
    const { manager } = managerWith();
    const messages = session();
    const history = structuredClone(messages);
    await manager.process(messages, { now: NOW });
    const later = session(1_000, { from: 500 }).slice(2);
    messages.push(...later);
    await manager.compress(messages, { summary: 'All steps are done.', now: NOW + 1 });
    assert.equal(summaryIn(messages).compression.level, 2);
    assert.ok(summaryIn(messages).content.includes('keep the port at 8443'), 'the digest has no request');
    assert.deepEqual(expandHistory(messages), [...history, ...later]);
  });
});

describe('R7.12 stats', () => {
  it('R7.12 stats are zero at first and count compressions, refusals, calls and tokens', async () => {
    const answer = { content: summary(), usage: { prompt_tokens: 300, completion_tokens: 40 } };
    const { manager } = managerWith({ model: scripted(answer, '') });
    assert.ok(Object.values(manager.stats()).every((figure) => figure === 0));
    await manager.process(session(1_000));
    await manager.process(session());
    await manager.process(session());
    const {
      processed,
      triggered,
      compressed,
      refused,
      llmCalls,
      llmPromptTokens,
      llmCompletionTokens,
      ...otherFigures
    } = manager.stats();
    assert.deepEqual(
      { processed, triggered, compressed, refused, llmCalls },
      { processed: 3, triggered: 2, compressed: 1, refused: 1, llmCalls: 2 },
    );
    assert.ok(llmPromptTokens >= 300 && llmCompletionTokens === 40);
    assert.ok(otherFigures.tokensSaved > 2_000 && otherFigures.messagesCompressed === 57 && otherFigures.llmMs >= 0);
    assert.equal(otherFigures['refused.empty'], 1);
  });

  it('R7.12 stats returns a new object of plain numbers', async () => {
    const { manager } = managerWith();
    const stats = manager.stats();
    stats.processed = 99;
    assert.equal(manager.stats().processed, 0);
    assert.deepEqual(JSON.parse(JSON.stringify(manager.stats())), manager.stats());
  });

  it("R7.12 stats don't count the calls of another manager", async () => {
    const [first, second] = [managerWith(), managerWith()];
    await first.manager.process(session());
    assert.equal(second.manager.stats().processed, 0);
  });

  it('R7.12 a hundred different error codes add fewer than 80 figures to stats', async () => {
    let at = 0;
    const model = scripted(() => Promise.reject(Object.assign(new Error('x'), { code: `E${at++}` })));
    const { manager } = managerWith({ model });
    for (let round = 0; round < 100; round++) await manager.compress(session(1_000));
    assert.equal(manager.stats().failed, 100);
    assert.ok(Object.keys(manager.stats()).length < 80);
  });
});

describe('R7.12 onEvent', () => {
  it('R7.12 each listener gets all events until it is removed', async () => {
    const { manager, events } = managerWith();
    /** @type {any[]} */
    const received = [];
    const remove = manager.onEvent((/** @type {any} */ event) => received.push(event));
    await manager.process(session(), { now: NOW });
    assert.deepEqual(received, events);
    assert.equal(remove(), undefined);
    const count = received.length;
    await manager.process(session(), { now: NOW });
    assert.equal(received.length, count);
    assert.ok(events.length > count);
    remove();
  });

  it('R0.3 onEvent, and the constructor for each option and the logger, throw for wrong types', () => {
    const { manager } = managerWith();
    assert.throws(() => manager.onEvent(/** @type {any} */ ('x')), { code: 'ERR_INVALID_ARG_TYPE' });
    for (const options of [
      { onEvent: 7 },
      { pin: 'x' },
      { tools: 7 },
      { archive: {} },
      { sessionId: 7 },
      { logFields: 'x' },
      { language: 'fr' },
      { prompt: 7 },
      7,
    ]) {
      assert.throws(
        () => new AutoCompressionManager({}, scripted(''), null, /** @type {any} */ (options)),
        Error,
        JSON.stringify(options),
      );
    }
    assert.throws(() => new AutoCompressionManager({}, scripted(''), 'console'), { code: 'ERR_INVALID_ARG_TYPE' });
  });
});
