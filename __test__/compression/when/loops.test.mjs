// @ts-check
/** Compression that gains nothing, and models that fail, are not asked again and again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configuration,
  exchange,
  FULL,
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

const broken = () => scripted(new Error('away'));
const MINUTE = 60_000;

describe('R7.10 no gain', () => {
  /** A session of which almost all is in what has to stay. */
  const heavyEnd = () => {
    const messages = session(500);
    messages.push({ role: 'user', content: 'word '.repeat(2_900) });
    return messages;
  };

  it('R7.10 where less than a tenth could be gained, no model is asked', async () => {
    const config = configuration({ autoCompressionKeepRecentCount: 6 });
    const { manager, calls } = managerWith({ config });
    for (let round = 0; round < 3; round++) await manager.process(heavyEnd(), { now: NOW });
    assert.equal(calls.length, 0);
    assert.equal(manager.stats()['skipped.too_little_to_gain'], 3);
  });

  it('R7.10 a summary that is not smaller is refused, and not asked for again on the same messages', async () => {
    const messages = session();
    const config = configuration({ autoCompressionSummaryMaxTokens: 60_000 });
    const { manager, calls } = managerWith({ config, model: scripted(summary(filler(6_000))) });
    for (let round = 0; round < 5; round++) await manager.process(messages, { now: NOW + round });
    assert.equal(calls.length, 1);
    assert.deepEqual(messages, session());
    assert.equal(manager.stats()['refused.not_smaller'], 1);
    assert.equal(manager.stats()['skipped.no_gain_last_time'], 4);
  });

  it('R7.10 it is asked for again when enough new messages have come', async () => {
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

  it('R7.10 a compressed conversation that is full still is not compressed again', async () => {
    const messages = heavyEnd();
    messages.splice(2, 0, ...session(1_200, { from: 40 }).slice(2));
    const { manager, calls } = managerWith({ config: configuration({ autoCompressionThreshold: 0.5 }) });
    for (let round = 0; round < 6; round++) await manager.process(messages, { now: NOW + round });
    assert.ok(calls.length <= 2, `${calls.length}`);
    assert.ok(summaryIn(messages));
  });

  it('R7.10 it is remembered by conversation, not for all of them', async () => {
    const config = configuration({ autoCompressionSummaryMaxTokens: 60_000 });
    const model = scripted(summary(filler(6_000)), summary());
    const { manager, calls } = managerWith({ config, model });
    await manager.process(session(), { now: NOW });
    await manager.process(session(), { now: NOW });
    assert.equal(calls.length, 2);
  });
});

describe('R7.10 the breaker', () => {
  /** @param {any} manager @param {number} now */
  const attempt = (manager, now) => manager.process(session(), { now });

  /** A manager whose breaker is open since NOW. @param {any} [model] */
  async function opened(model = broken()) {
    const made = managerWith({ model });
    for (let round = 0; round < 3; round++) await attempt(made.manager, NOW);
    return made;
  }

  it('R7.10 opens after three failures in a row: the fourth call asks nobody', async () => {
    const { manager, calls, event } = await opened();
    await attempt(manager, NOW + 1);
    assert.equal(calls.length, 3);
    assert.equal(manager.stats().breakerOpened, 1);
    assert.equal(manager.stats()['skipped.breaker_open'], 1);
    assert.deepEqual([event('breaker_opened').failures, event('breaker_opened').pause_ms], [3, MINUTE]);
  });

  it('R7.10 refused summaries count as failures', async () => {
    const { manager, calls } = await opened(scripted('', 'Error: no', '<tool_call>{}</tool_call>', summary()));
    await attempt(manager, NOW + 1);
    assert.equal(calls.length, 3);
  });

  it('R7.10 a success in between starts the count again', async () => {
    const model = scripted(new Error('1'), new Error('2'), summary(), new Error('3'), new Error('4'), summary());
    const { manager, calls } = managerWith({ model });
    for (let round = 0; round < 6; round++) await attempt(manager, NOW);
    assert.equal(calls.length, 6);
    assert.equal(manager.stats().breakerOpened, 0);
  });

  it('R7.10 half-opens after a pause: one try, and with its success all is as before', async () => {
    const failure = new Error('away');
    const { manager, calls } = await opened(scripted(failure, failure, failure, summary()));
    await attempt(manager, NOW + MINUTE / 2);
    assert.equal(calls.length, 3);
    await attempt(manager, NOW + MINUTE + 5_000);
    await attempt(manager, NOW + MINUTE + 5_001);
    assert.equal(calls.length, 5);
    assert.equal(manager.stats().compressed, 2);
  });

  it('R7.10 a failed try closes it again, for longer', async () => {
    const { manager, calls } = await opened();
    const later = NOW + 2 * MINUTE;
    await attempt(manager, later);
    assert.equal(calls.length, 4);
    await attempt(manager, later + 1.5 * MINUTE);
    assert.equal(calls.length, 4);
    await attempt(manager, later + 2.5 * MINUTE);
    assert.equal(calls.length, 5);
  });

  it('R7.10 while it is open the hard limit holds', async () => {
    const { manager } = await opened();
    const messages = session(OVER);
    await manager.process(messages, { now: NOW + 1 });
    assert.ok(noticeIn(messages));
  });

  it('R7.10 what is asked for by hand is tried in any case, and teaches it nothing', async () => {
    const { manager, calls } = await opened();
    const result = await manager.compress(session(FULL), { now: NOW + 1 });
    assert.deepEqual([result.compressed, result.reason], [false, 'Error']);
    assert.equal(calls.length, 4);
    assert.equal(manager.stats().breakerOpened, 1);
  });

  it('R7.10 a clock that is set back does not keep it open for ever', async () => {
    const { manager, calls } = await opened();
    await attempt(manager, NOW - 1_000 * MINUTE);
    await attempt(manager, NOW - 1_000 * MINUTE + MINUTE + 1);
    assert.equal(calls.length, 4);
  });
});
