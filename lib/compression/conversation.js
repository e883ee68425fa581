// @ts-check
'use strict';

const { copyOf } = require('../lists.js');
const { textMessage } = require('../messages/said.js');
const native = require('../native.js');
const { carriedCopy, pinnedCopy, withoutUsage } = require('./copies.js');
const { originalsIn } = require('./levels.js');
const { marked } = require('./made.js');
const { compressionOf } = require('./record.js');

/** @type {string[] | undefined} */
let usageFields;

/** The fields that hold usage statistics. */
function usageStatisticsFields() {
  usageFields ??= native.usageStatisticsNames();
  return usageFields;
}

/**
 * What stands in the place of `compaction`'s range: `[system…, pinned…, summary, …recent]` (SPEC R7.7).
 * @param {readonly any[]} messages
 * @param {number} start where the range begins now
 * @param {InstanceType<typeof import('./compaction.js').Compaction>} compaction
 * @param {any} summary
 */
function withSummary(messages, start, { plan, pinned, carried, snapshot }, summary) {
  const kept = (/** @type {any} */ message) => withoutUsage(message, usageStatisticsFields());
  return [
    ...copyOf(messages, 0, start).map(kept),
    ...pinned.map((message) => pinnedCopy(kept(message), plan.id)),
    summary,
    ...carried.map((message) => carriedCopy(kept(message), plan.id)),
    ...copyOf(messages, start + snapshot.range.length).map(kept),
  ];
}

/**
 * @param {InstanceType<typeof import('./compaction.js').Compaction>} compaction
 * @param {import('../../binding.js').SummaryOutcome} outcome
 * @param {{ now: number, model: string | null, beforeCount: number, tokensBefore: number,
 *   dialect: import('../messages/choice.js').Forced }} facts
 */
function summaryMessage({ plan, snapshot }, outcome, { now, model, beforeCount, tokensBefore, dialect }) {
  const firstRequest = firstRequestOf(snapshot.range) ?? plan.firstRequest;
  const content = /** @type {string} */ (outcome.content);
  return marked(textMessage(content, { conversation: snapshot.range, now, forced: dialect }), {
    isCompressed: true,
    compressedAt: now,
    compression: {
      id: plan.id,
      level: plan.level,
      kind: /** @type {const} */ ('summary'),
      beforeCount,
      afterCount: 0,
      tokensBefore: Math.round(tokensBefore),
      tokensAfter: 0,
      model,
      durationMs: Math.round(outcome.durationMs),
      ...(firstRequest !== undefined && { firstRequest }),
      digest: JSON.parse(outcome.digest ?? '{}'),
      ...originalsIn(snapshot.range),
    },
  });
}

/**
 * @param {import('./truncation.js').Truncation} truncation
 * @param {{ now: number, beforeCount: number, tokensBefore: number }} facts
 */
function noticeRecord({ cut, dropped, level }, { now, beforeCount, tokensBefore }) {
  const { firstRequest } = cut;
  return {
    isCompressed: /** @type {const} */ (true),
    compressedAt: now,
    compression: {
      id: cut.id,
      level,
      kind: /** @type {const} */ ('truncation'),
      beforeCount,
      afterCount: 0,
      tokensBefore: Math.round(tokensBefore),
      tokensAfter: 0,
      model: null,
      durationMs: 0,
      droppedCount: cut.droppedCount,
      droppedTokens: Math.round(cut.droppedTokens),
      ...(firstRequest !== undefined && { firstRequest }),
      digest: JSON.parse(cut.digest),
      ...originalsIn(dropped),
    },
  };
}

/** What the earliest compression in `range` remembers of the task. @param {readonly any[]} range */
function firstRequestOf(range) {
  const record = range.map(compressionOf).find((found) => typeof found?.firstRequest === 'string');
  return record?.firstRequest;
}

module.exports = { noticeRecord, summaryMessage, usageStatisticsFields, withSummary };
