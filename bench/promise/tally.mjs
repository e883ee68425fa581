// @ts-check
/** The rows of the table: sums over sessions, and how far the ledger is off. */
import { markdownTable } from '../runner.mjs';

/**
 * @typedef {import('./play.mjs').Played & { session: string, otherBytes: number | null, isLedgerWhole: boolean }} Outcome
 *   `otherBytes`: number of main requests that a single object would have sent differently; null if a single object
 *   sent them
 * @typedef {object} Row
 * @property {string} scenario
 * @property {string} host
 * @property {string} price
 * @property {boolean} isCovered
 * @property {number} sessions
 * @property {number} ratio cost of all sessions relative to unmodified history
 * @property {number} worst maximum at any request
 * @property {string} worstAt
 * @property {number} worstSession
 * @property {Record<'ratio' | 'worstRatio' | 'cost' | 'alone', number> | null} ledgerError
 * @property {number} prefixChanges
 * @property {number | null} otherBytes
 * @property {number} tooManyMarks
 * @property {{ ours: number, alone: number } | null} compactions
 */

/** Below this cost in tokens, a ledger's relative error means nothing. */
const MIN_COST = 5_000;

/**
 * A row of the table.
 * @param {Pick<Row, 'scenario' | 'host' | 'price' | 'isCovered'>} labels
 * @param {readonly Outcome[]} outcomes
 * @param {number} factor provider's tokens per token of ours
 * @returns {Row}
 */
export function rowOf(labels, outcomes, factor) {
  const sum = (/** @type {(outcome: Outcome) => number} */ figure) =>
    outcomes.reduce((total, outcome) => total + figure(outcome), 0);
  const worst = outcomes.reduce((most, outcome) => (outcome.worst > most.worst ? outcome : most));
  const isCompared = outcomes.every(({ otherBytes }) => otherBytes !== null);
  return {
    ...labels,
    sessions: outcomes.length,
    ratio: sum(({ cost }) => cost) / sum(({ alone }) => alone),
    worst: worst.worst,
    worstAt: `${worst.session}, request ${worst.worstAt} of ${worst.requests}`,
    worstSession: Math.max(...outcomes.map(({ cost, alone }) => cost / alone)),
    ledgerError: ledgerError(outcomes, factor),
    prefixChanges: sum(({ prefixChanges }) => prefixChanges),
    otherBytes: isCompared ? sum(({ otherBytes }) => otherBytes ?? 0) : null,
    tooManyMarks: sum(({ tooManyMarks }) => tooManyMarks),
    compactions: outcomes.some(({ compactions }) => compactions !== null)
      ? {
          ours: sum(({ compactions }) => compactions?.ours ?? 0),
          alone: sum(({ compactions }) => compactions?.alone ?? 0),
        }
      : null,
  };
}

/** @param {readonly Outcome[]} outcomes @param {number} factor */
function ledgerError(outcomes, factor) {
  const known = outcomes.filter(({ ledger, isLedgerWhole }) => ledger !== null && isLedgerWhole);
  if (known.length < outcomes.length) return null;
  const sum = { cost: 0, alone: 0, ledgerCost: 0, ledgerAlone: 0 };
  let worstRatio = 0;
  for (const { cost, alone, ledger } of known) {
    const ledgerSums = /** @type {import('./hosts.mjs').Ledger} */ (ledger);
    sum.cost += cost;
    sum.alone += alone;
    sum.ledgerCost += ledgerSums.cost;
    sum.ledgerAlone += ledgerSums.costLeftAlone;
    if (alone > MIN_COST)
      worstRatio = Math.max(worstRatio, Math.abs(ledgerSums.cost / ledgerSums.costLeftAlone - cost / alone));
  }
  return {
    ratio: Math.abs(sum.ledgerCost / sum.ledgerAlone - sum.cost / sum.alone),
    worstRatio,
    cost: relativeError(sum.ledgerCost, sum.cost, factor),
    alone: relativeError(sum.ledgerAlone, sum.alone, factor),
  };
}

/**
 * The ledger's error. The ledger is in the provider's tokens, or in its own if the provider reports nothing.
 * @param {number} inLedger @param {number} billed @param {number} factor
 */
function relativeError(inLedger, billed, factor) {
  return Math.min(Math.abs(inLedger / billed - 1), Math.abs((inLedger * factor) / billed - 1));
}

/** @param {readonly Row[]} rows */
export function markdown(rows) {
  const figure = (/** @type {number | undefined | null} */ value) => value?.toFixed(3) ?? '–';
  const head = [
    'scenario',
    'host',
    'prices',
    'bill',
    'worst at any request',
    'worst session',
    'ledger off',
    'worst',
    'its cost',
    'its unmodified',
    'prefix changes',
    'other bytes',
  ];
  const body = rows.map(({ ledgerError: error, ...row }) => [
    named(row),
    row.host,
    row.price,
    figure(row.ratio),
    figure(row.worst),
    figure(row.worstSession),
    ...[error?.ratio, error?.worstRatio, error?.cost, error?.alone].map(figure),
    row.compactions === null ? String(row.prefixChanges) : '–',
    row.otherBytes === null ? '–' : String(row.otherBytes),
  ]);
  return markdownTable(head, body, 3);
}

/** @param {Omit<Row, 'ledgerError'>} row */
function named({ scenario, isCovered, tooManyMarks, compactions }) {
  const notes = [
    ...(isCovered ? [] : ['not covered']),
    ...(tooManyMarks > 0 ? [`${tooManyMarks} requests with too many marks`] : []),
    ...(compactions === null ? [] : [`compacted ${compactions.ours} times, unmodified ${compactions.alone}`]),
  ];
  return notes.length === 0 ? scenario : `${scenario} (${notes.join('; ')})`;
}
