// @ts-check
/** No repeated requests: compressions that gain little are delayed, and failing models are not called for a while. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  exchange,
  FULL,
  failingModel,
  filler,
  managerWith,
  NOW,
  noticeIn,
  OVER,
  scripted,
  session,
  summary,
  summaryIn,
} from '../../support/compression.mjs';

const MINUTE = 60_000;

describe('R7.10 compressions that gain little', () => {
  /** A session with almost all tokens in the newest message. */
  const sessionWithLargeEnd = () => {
    const messages = session(500);
    messages.push({ role: 'user', content: 'word '.repeat(2_900) });
    return messages;
  };

  it('R7.10 if less than a tenth could be saved, no model is called', async () => {
    const config = configuration({ autoCompressionKeepRecentCount: 6 });
    const { manager, calls } = managerWith({ config });
    for (let round = 0; round < 3; round++) await manager.process(sessionWithLargeEnd(), { now: NOW });
    assert.equal(calls.length, 0);
    assert.equal(manager.stats()['skipped.too_little_to_gain'], 3);
  });

  it('EDGE 1 R7.10 a summary that is not smaller is refused, and not requested again for the same messages', async () => {
    const messages = session();
    const config = configuration({ autoCompressionSummaryMaxTokens: 60_000 });
    const { manager, calls } = managerWith({ config, model: scripted(summary(filler(6_000))) });
    for (let round = 0; round < 10; round++) await manager.process(messages, { now: NOW + round });
    assert.equal(calls.length, 1);
    assert.deepEqual(messages, session());
    assert.equal(manager.stats()['refused.not_smaller'], 1);
    assert.equal(manager.stats()['skipped.no_gain_last_time'], 9);
  });

  it('R7.10 after a refused summary another is requested after four new messages, and not after two', async () => {
    const messages = session();
    const config = configuration({ autoCompressionSummaryMaxTokens: 60_000 });
    const model = scripted(summary(filler(6_000)), summary());
    const { manager, calls } = managerWith({ config, model });
    await manager.process(messages, { now: NOW });
    messages.push(...exchange(900));
    await manager.process(messages, { now: NOW + 1 });
    assert.equal(calls.length, 1);
    messages.push(...exchange(901));
    await manager.process(messages, { now: NOW + 2 });
    assert.equal(calls.length, 2);
    assert.ok(summaryIn(messages));
  });

  it('R7.10 a conversation that is above the threshold after a compression gets at most two requests in six calls', async () => {
    const messages = sessionWithLargeEnd();
    messages.splice(2, 0, ...session(1_200, { from: 40 }).slice(2));
    const { manager, calls } = managerWith({ config: configuration({ autoCompressionThreshold: 0.5 }) });
    for (let round = 0; round < 6; round++) await manager.process(messages, { now: NOW + round });
    assert.ok(calls.length <= 2, `${calls.length}`);
    assert.ok(summaryIn(messages));
  });

  it("R7.10 a refused summary of one conversation doesn't delay the request for another", async () => {
    const config = configuration({ autoCompressionSummaryMaxTokens: 60_000 });
    const model = scripted(summary(filler(6_000)), summary());
    const { manager, calls } = managerWith({ config, model });
    await manager.process(session(), { now: NOW });
    await manager.process(session(), { now: NOW });
    assert.equal(calls.length, 2);
  });
});

describe('R7.10 the breaker', () => {
  /** Processes a new session. @param {any} manager @param {number} now */
  const processNew = (manager, now) => manager.process(session(), { now });

  /** A manager whose breaker is open since NOW. @param {any} [model] */
  async function managerWithOpenBreaker(model = failingModel()) {
    const fixture = managerWith({ model });
    for (let round = 0; round < 3; round++) await processNew(fixture.manager, NOW);
    return fixture;
  }

  it('R7.10 after three failures in a row the breaker opens, and the fourth process calls no model', async () => {
    const { manager, calls, event } = await managerWithOpenBreaker();
    await processNew(manager, NOW + 1);
    assert.equal(calls.length, 3);
    assert.equal(manager.stats().breakerOpened, 1);
    assert.equal(manager.stats()['skipped.breaker_open'], 1);
    assert.deepEqual([event('breaker_opened').failures, event('breaker_opened').pause_ms], [3, MINUTE]);
  });

  it('R7.10 refused summaries count as failures for the breaker', async () => {
    const { manager, calls } = await managerWithOpenBreaker(
      scripted('', 'Error: no', '<tool_call>{}</tool_call>', summary()),
    );
    await processNew(manager, NOW + 1);
    assert.equal(calls.length, 3);
  });

  it('R7.10 a success resets the count of failures', async () => {
    const model = scripted(new Error('1'), new Error('2'), summary(), new Error('3'), new Error('4'), summary());
    const { manager, calls } = managerWith({ model });
    for (let round = 0; round < 6; round++) await processNew(manager, NOW);
    assert.equal(calls.length, 6);
    assert.equal(manager.stats().breakerOpened, 0);
  });

  it('R7.10 after a minute one request is made, and its success closes the breaker', async () => {
    const failure = new Error('away');
    const { manager, calls } = await managerWithOpenBreaker(scripted(failure, failure, failure, summary()));
    await processNew(manager, NOW + MINUTE / 2);
    assert.equal(calls.length, 3);
    await processNew(manager, NOW + MINUTE + 5_000);
    await processNew(manager, NOW + MINUTE + 5_001);
    assert.equal(calls.length, 5);
    assert.equal(manager.stats().compressed, 2);
  });

  it('R7.10 if the request after the pause fails, the next pause is longer', async () => {
    const { manager, calls } = await managerWithOpenBreaker();
    const later = NOW + 2 * MINUTE;
    await processNew(manager, later);
    assert.equal(calls.length, 4);
    await processNew(manager, later + 1.5 * MINUTE);
    assert.equal(calls.length, 4);
    await processNew(manager, later + 2.5 * MINUTE);
    assert.equal(calls.length, 5);
  });

  it('R7.11 while the breaker is open history above the hard limit is cut', async () => {
    const { manager } = await managerWithOpenBreaker();
    const messages = session(OVER);
    await manager.process(messages, { now: NOW + 1 });
    assert.ok(noticeIn(messages));
  });

  it("R7.10 compress calls the model while the breaker is open, and its failure doesn't count", async () => {
    const { manager, calls } = await managerWithOpenBreaker();
    const result = await manager.compress(session(FULL), { now: NOW + 1 });
    assert.deepEqual([result.compressed, result.reason], [false, 'Error']);
    assert.equal(calls.length, 4);
    assert.equal(manager.stats().breakerOpened, 1);
  });

  it('R7.10 if the clock is set back, the breaker still closes after its pause', async () => {
    const { manager, calls } = await managerWithOpenBreaker();
    await processNew(manager, NOW - 1_000 * MINUTE);
    await processNew(manager, NOW - 1_000 * MINUTE + MINUTE + 1);
    assert.equal(calls.length, 4);
  });
});
