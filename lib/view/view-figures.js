// @ts-check
'use strict';

const native = require('../native.js');
const { agesByKind, KINDS } = require('./options.js');

/** @typedef {import('../../binding.js').ViewCosts} Costs */
/** @typedef {import('../entry/types/view.js').ViewReport} Report */

const NO_COSTS = Object.freeze({ requests: 0, cost: 0, costLeftAlone: 0, unsure: 0, unsureLeftAlone: 0 });

/** @param {Costs} costs @returns {import('../entry/types/view.js').Costs} */
function ledgerFrom({ requests, cost, costLeftAlone, unsure, unsureLeftAlone }) {
  /** @type {import('../entry/types/view.js').Costs['range']} */
  const range = { cost: [cost, cost + unsure], costLeftAlone: [costLeftAlone, costLeftAlone + unsureLeftAlone] };
  return { requests, cost, costLeftAlone, range };
}

/** @param {Costs} one @param {Costs} other @returns {Costs} */
function sumOfCosts(one, other) {
  const figures = /** @type {(keyof Costs)[]} */ (Object.keys(NO_COSTS));
  return /** @type {any} */ (Object.fromEntries(figures.map((figure) => [figure, one[figure] + other[figure]])));
}

/** @param {readonly number[]} counts for each kind: results removed, and fetched again @param {unknown} givenAges the option `ages` @returns {Report} */
function reportFrom(counts, givenAges) {
  const ages = native.agesOf({ ages: agesByKind(givenAges) });
  /** @param {(kindIndex: number) => number | undefined} figureOf @returns {any} */
  const byKind = (figureOf) => Object.fromEntries(KINDS.map((kind, index) => [kind, figureOf(index) ?? 0]));
  return {
    replaced: byKind((kindIndex) => counts[2 * kindIndex]),
    reacquired: byKind((kindIndex) => counts[2 * kindIndex + 1]),
    ages: byKind((kindIndex) => ages[kindIndex]),
  };
}

/** Adds the counts of `report` to those of `sum`. @param {Report} sum @param {Report} report */
function addReport(sum, { replaced, reacquired }) {
  for (const kind of KINDS) {
    sum.replaced[kind] += replaced[kind];
    sum.reacquired[kind] += reacquired[kind];
  }
}

/**
 * Messages with pending results: their tokens as sent last, and how many a removal saves.
 * @param {InstanceType<typeof import('./removals.js').Removals>} removals @param {ReadonlyMap<number, unknown>} removed keyed by row
 */
function pendingMessages(removals, removed) {
  if (removals.outdated.size === 0) return [];
  const tokens = removals.tokensOfMessages();
  /** @type {Map<number, { index: number, tokens: number, tokensSaved: number }>} */ const byMessage = new Map();
  for (const { row, message: index, saved } of removals.outdated.values()) {
    const figures = byMessage.get(index) ?? { index, tokens: tokens[index] ?? 0, tokensSaved: 0 };
    byMessage.set(index, figures);
    if (removed.has(row)) figures.tokens -= saved;
    else figures.tokensSaved += Math.max(0, saved - removals.savedByReferencesIn(row));
  }
  const pending = [...byMessage.values()].filter(({ tokensSaved }) => tokensSaved > 0);
  return pending.sort((one, other) => one.index - other.index);
}

module.exports = { addReport, ledgerFrom, NO_COSTS, pendingMessages, reportFrom, sumOfCosts };
