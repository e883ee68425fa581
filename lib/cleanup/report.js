// @ts-check
'use strict';

const { argumentsOf, calleeOf, callsOf } = require('../messages/chat.js');
const { totalOf } = require('../messages/form.js');
const { readMessage } = require('../tokens/message.js');
const { setOwn } = require('../plain-data.js');
const { countByPath, savingsOf } = require('./savings.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 *
 * A decided conversation. `state` is null if no result was replaced.
 * @typedef {import('./changes.js').Decided & { state: Conversation['state'] | null }} Reported
 * @typedef {import('../../index.js').CleanupReport} CleanupReport
 *
 * A change of one row that a report counts; see `countedChange`. `tokens`: tokens saved, once counted.
 * @typedef {{ row: number, rule: number, before: string[], after: string[], paths: string[] | null, media: number, tokens?: number }} CountedChange
 */

/** @type {readonly any[]} */ const NOTHING = Object.freeze([]);
/** In place of a rule's number: orphans removed or answered, removed binary data, results with references. */
const [ORPHANS, BINARY, REPEATED] = /** @type {const} */ ([-1, -2, -3]);

/**
 * @param {number} row for binary data, the index of the message
 * @param {number} rule
 * @param {string[]} before texts that are removed
 * @param {string[]} after texts that replace them
 * @param {number} [media] UTF-16 units that are removed in addition to the texts
 * @param {string[] | null} [paths] null if the rule has none
 * @returns {CountedChange}
 */
function countedChange(row, rule, before, after, media = 0, paths = null) {
  return { row, rule, before, after, media, paths };
}

/**
 * Computes figures when they are first read, because counting tokens costs more than deciding. The figures are getters of the class, because
 * creating an object with own getters takes longer than deciding a few changes.
 */
class Report {
  /** What the figures are computed from. */ #inputs;
  /** Removed binary data; undefined without the option `binary`. */ #binary;
  /** @type {ReturnType<typeof buildReport> | undefined} */ #cachedFigures;
  /** @type {Readonly<{ unknown: number, seconds: number }> | undefined} */ #times;

  /** @param {ReturnType<typeof inputsOf>} inputs @param {readonly CountedChange[]} [binary] */
  constructor(inputs, binary) {
    this.#inputs = inputs;
    this.#binary = binary;
    Object.freeze(this);
  }

  /** The same report that also counts binary data. @param {readonly CountedChange[]} binary */
  withBinary(binary) {
    return new Report(this.#inputs, binary);
  }

  get changed() {
    const { droppedRows, editCount, answeredCalls, duplicateCalls } = this.#inputs.decision;
    const orphans = droppedRows.length + answeredCalls.length + duplicateCalls.length;
    return orphans + editCount + (this.#binary?.length ?? 0);
  }

  get duplicates() {
    return this.#inputs.decision.duplicates;
  }

  get indices() {
    return this.#figures().indices;
  }

  get unitsRemoved() {
    return this.#figures().unitsRemoved;
  }

  get estimatedTokensSaved() {
    return this.#figures().estimatedTokensSaved;
  }

  get byRule() {
    return this.#figures().byRule;
  }

  get unrecognised() {
    return totalOf(this.#inputs.decision.forms);
  }

  get unrecognisedForms() {
    return this.#inputs.decision.forms;
  }

  get unchangeable() {
    return this.#inputs.unchangeable;
  }

  get unmatchedResults() {
    return this.#inputs.decision.unmatchedResults;
  }

  get uncoveredTools() {
    return this.#inputs.uncoveredTools;
  }

  get timestamps() {
    const { unknownTimes: unknown, inSeconds: seconds } = this.#inputs.decision;
    this.#times ??= Object.freeze({ unknown, seconds });
    return this.#times;
  }

  #figures() {
    const { engine, messageByRow } = this.#inputs;
    this.#cachedFigures ??= buildReport(engine, byMessage(changesOf(this.#inputs), messageByRow), this.#binary);
    return this.#cachedFigures;
  }

  /** A plain object for JSON and copying. */
  toJSON() {
    const figures = Object.fromEntries(FIGURES.map((name) => [name, this[name]]));
    return /** @type {Omit<CleanupReport, 'toJSON'>} */ (/** @type {unknown} */ (figures));
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.toJSON();
  }
}

const FIGURES = Object.entries(Object.getOwnPropertyDescriptors(Report.prototype))
  .filter(([, { get }]) => get !== undefined)
  .map(([name]) => /** @type {Exclude<keyof Report, 'toJSON'>} */ (name));

/** Collects what the figures need, because the conversation changes before they are read. @param {Reported} conversation @param {readonly unknown[]} messages */
function inputsOf(conversation, messages) {
  const { decision, engine, table, transcript } = conversation;
  const { droppedRows, answeredCalls, duplicateCalls, editCount } = decision;
  /** The texts that are removed with a row: a result's own, or those of the message. @param {number} row */
  const removedTexts = (row) =>
    table.partOf(row) < 0 ? readMessage(messages[table.messageOf(row)]).texts : [table.rows[row].content ?? ''];
  return {
    engine,
    /** Null if no result was replaced. */
    state: editCount > 0 ? conversation.state : null,
    decision,
    // They stay valid: the transcript copies them before it writes to them.
    contents: /** @type {readonly (string | undefined)[]} */ (editCount > 0 ? transcript.lendContents() : NOTHING),
    /** For each dropped row, its texts. */
    droppedTexts: /** @type {readonly string[][]} */ (
      droppedRows.length === 0 ? NOTHING : droppedRows.map(removedTexts)
    ),
    messageByRow: table.isFlat ? undefined : table.reader.messageByRow.slice(),
    /** For each call with a generated result, its row. */
    answeredRows: answeredCalls.length === 0 ? NOTHING : answeredCalls.map((call) => transcript.calls.rowOf(call)),
    removedCalls: duplicateCalls.length === 0 ? NOTHING : duplicateCalls.map((call) => removedCall(conversation, call)),
    unchangeable: table.unchangeable,
    uncoveredTools: transcript.calls.uncoveredTools(),
    /** For each edit, UTF-16 units of images and files in addition to the result's text. */
    media: table.isFlat ? NOTHING : decision.edits.slice(0, editCount).map(({ row }) => table.mediaUnitsOf(row)),
  };
}

/** @param {Reported} conversation @param {readonly unknown[]} messages @returns {CleanupReport} */
function lazyReport(conversation, messages) {
  return new Report(inputsOf(conversation, messages));
}

/**
 * Replaces each change's row by its message, and sorts by message.
 * @param {CountedChange[]} changes @param {readonly number[] | undefined} messageByRow undefined if rows are messages
 */
function byMessage(changes, messageByRow) {
  if (messageByRow !== undefined) {
    for (const change of changes) change.row = /** @type {number} */ (messageByRow[change.row]);
  }
  return changes.sort((a, b) => a.row - b.row);
}

/** The change that removes a call from its message. @param {Reported} conversation @param {number} call @returns {CountedChange} */
function removedCall({ table, transcript }, call) {
  const row = transcript.calls.rowOf(call);
  const declared = callsOf(table.rows[row])?.[call - transcript.calls.before(row)];
  return countedChange(row, ORPHANS, [argumentsOf(calleeOf(declared)) ?? ''], []);
}

/** @param {ReturnType<typeof inputsOf>} inputs @returns {CountedChange[]} */
function changesOf({ engine, state, decision, contents, droppedTexts, media, answeredRows, removedCalls }) {
  const { droppedRows, edits, editCount } = decision;
  /** @type {CountedChange[]} */ const changes = droppedTexts.map((before, nth) =>
    countedChange(/** @type {number} */ (droppedRows[nth]), ORPHANS, before, []),
  );
  // Copies, because `byMessage` writes to changes.
  for (const change of removedCalls) changes.push({ ...change });
  for (const [nth, { row, rule, groups, text }] of edits.slice(0, editCount).entries()) {
    const before = /** @type {string} */ (contents[row]);
    const paths = engine.byPath[rule] ? groups.map((number) => state?.groupKey(rule, number) ?? '') : null;
    changes.push(countedChange(row, rule, [before], [text], media[nth], paths));
  }
  for (const row of answeredRows) changes.push(countedChange(row, ORPHANS, [], [engine.interruptedAnswer]));
  return changes;
}

/**
 * @param {Conversation['engine']} engine @param {CountedChange[]} textChanges @param {readonly CountedChange[] | undefined} binary
 * @returns {Pick<CleanupReport, 'indices' | 'unitsRemoved' | 'estimatedTokensSaved' | 'byRule'>}
 */
function buildReport(engine, textChanges, binary) {
  const changes = binary === undefined ? textChanges : [...textChanges, ...binary].sort((a, b) => a.row - b.row);
  /** @type {CleanupReport['byRule']} */ const byRule = {};
  const total = savingsOf(changes);
  if (engine.fixesOrphans) setOwn(byRule, 'orphans', savingsOf(changes.filter(({ rule }) => rule === ORPHANS)));
  engine.ruleNames.forEach((name, number) => {
    const ruleChanges = changes.filter(({ rule }) => rule === number);
    const paths = engine.byPath[number] ? { byPath: countByPath(ruleChanges) } : undefined;
    setOwn(byRule, name, savingsOf(ruleChanges, paths));
  });
  const repeated = changes.filter(({ rule }) => rule === REPEATED);
  if (repeated.length > 0) setOwn(byRule, 'repeated', savingsOf(repeated));
  if (binary !== undefined) setOwn(byRule, 'binary', savingsOf([...binary]));
  const indices = Object.freeze([...new Set(changes.map(({ row }) => row))]);
  return Object.freeze({
    indices,
    unitsRemoved: total.unitsRemoved,
    get estimatedTokensSaved() {
      return total.estimatedTokensSaved;
    },
    byRule: Object.freeze(byRule),
  });
}

/** @param {CleanupReport} report made by {@link lazyReport} @param {readonly CountedChange[]} binary @returns {CleanupReport} */
function withBinary(report, binary) {
  return /** @type {any} */ (report).withBinary(binary);
}

module.exports = { BINARY, countedChange, lazyReport, REPEATED, withBinary };
