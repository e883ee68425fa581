// @ts-check
'use strict';

/**
 * @typedef {import('../../binding.js').SummaryUsage} SummaryUsage
 * @typedef {object} CompressionOutcome
 * @property {'nothing' | 'summarised' | 'cut'} did
 * @property {string | null} reason why there is no summary
 * @property {string | null} code of an error
 * @property {string | null} errorClass what kind of error the summary model's provider calls it
 * @property {string | null} problem what is wrong with an argument
 * @property {number} tokensBefore
 * @property {number} tokensAfter
 * @property {boolean} isOverLimit
 * @property {number | null} windowTokens
 * @property {'guess' | 'model' | 'configured' | 'provider' | null} windowSource
 * @property {SummaryUsage[]} summaryUsage
 */

/** @type {CompressionOutcome} */
const NOTHING = Object.freeze({
  did: 'nothing',
  reason: null,
  code: null,
  errorClass: null,
  problem: null,
  tokensBefore: 0,
  tokensAfter: 0,
  isOverLimit: false,
  windowTokens: null,
  windowSource: null,
  summaryUsage: [],
});

/**
 * @param {string} reason
 * @param {{ code?: string, problem?: string }} [what]
 * @returns {CompressionOutcome}
 */
function nothingDone(reason, { code, problem } = {}) {
  return { ...NOTHING, summaryUsage: [], reason, code: code ?? null, problem: problem || null };
}

/**
 * The core's outcome in the face's words. It is undefined when the session was given up because its array refused a change.
 * @param {import('../../binding.js').SessionOutcome | undefined} outcome
 * @returns {CompressionOutcome}
 */
function outcomeOf(outcome) {
  if (outcome === undefined) return nothingDone('failed');
  const { did, reason = null, code = null, errorClass = null, windowSource, ...rest } = outcome;
  return /** @type {CompressionOutcome} */ ({ ...NOTHING, ...rest, did, reason, code, errorClass, windowSource });
}

module.exports = { nothingDone, outcomeOf };
