// @ts-check
'use strict';

/** The outcome of one call of `process`, as the application gets it. */

/** @typedef {import('../../index.js').CompressionOutcome} CompressionOutcome */

/** @type {CompressionOutcome} */ const NOTHING = Object.freeze({
  did: 'nothing',
  reason: null,
  code: null,
  errorClass: null,
  status: null,
  problem: null,
  tokensBefore: 0,
  tokensAfter: 0,
  isOverLimit: false,
  windowTokens: null,
  windowSource: null,
  summaryUsage: [],
});

/** @param {string} reason @param {{ code?: string, problem?: string }} [what] @returns {CompressionOutcome} */
function nothingDone(reason, { code, problem } = {}) {
  return { ...NOTHING, summaryUsage: [], reason, code: code ?? null, problem: problem || null };
}

/** @param {import('../../binding.js').SessionOutcome | undefined} outcome undefined if the array rejected a change @returns {CompressionOutcome} */
function outcomeOf(outcome) {
  if (outcome === undefined) return nothingDone('failed');
  return /** @type {CompressionOutcome} */ ({ ...NOTHING, ...outcome });
}

module.exports = { nothingDone, outcomeOf };
