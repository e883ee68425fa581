// @ts-check
'use strict';

const { argumentsOf, calleeOf, callsOf } = require('../messages/chat.js');
const { totalOf } = require('../messages/form.js');
const { readMessage } = require('../tokens/message.js');
const { countO200k } = require('../tokens/weight.js');
const { setOwn } = require('../plain-data.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {import('../../index.js').CleanupReport} CleanupReport
 *
 * A decided conversation. `state` is null if no result was replaced.
 * @typedef {import('./changes.js').Decided & { state: Conversation['state'] | null }} Reported
 *
 * A change of message `message`. `before`: texts that are removed; `after`: texts that replace them; `media`: UTF-16 units removed in addition;
 * `tokens`: tokens saved, once counted.
 * @typedef {{ message: number, rule: number, before: string[], after: string[], paths?: string[], media?: number, tokens?: number }} CountedChange
 *
 * `binary`: removed binary data, undefined without the option `binary`; `savings` and `timestamps` once they were read.
 * @typedef {ReturnType<typeof inputsOf> & { binary?: readonly CountedChange[], savings?: ReturnType<typeof savingsByRule>, timestamps?: object }} Inputs
 */

/** @type {readonly any[]} */ const NOTHING = Object.freeze([]);
/** In place of a rule's number: orphans removed or answered, removed binary data, results with references. */
const [ORPHANS, BINARY, REPEATED] = /** @type {const} */ ([-1, -2, -3]);

/** How each figure of a report is read, in the order of its JSON. @type {Record<string, (inputs: Inputs) => unknown>} */
const FIGURES = {
  changed: ({ decision: { droppedRows, editCount, answeredCalls, duplicateCalls }, binary }) =>
    droppedRows.length + answeredCalls.length + duplicateCalls.length + editCount + (binary?.length ?? 0),
  duplicates: ({ decision }) => decision.duplicates,
  indices: (inputs) => savingsIn(inputs).indices,
  unitsRemoved: (inputs) => savingsIn(inputs).unitsRemoved,
  estimatedTokensSaved: (inputs) => savingsIn(inputs).estimatedTokensSaved,
  byRule: (inputs) => savingsIn(inputs).byRule,
  unrecognised: ({ decision }) => totalOf(decision.forms),
  unrecognisedForms: ({ decision }) => decision.forms,
  unchangeable: ({ unchangeable }) => unchangeable,
  unmatchedResults: ({ decision }) => decision.unmatchedResults,
  uncoveredTools: ({ uncoveredTools }) => uncoveredTools,
  timestamps(inputs) {
    const { unknownTimes: unknown, inSeconds: seconds } = inputs.decision;
    inputs.timestamps ??= Object.freeze({ unknown, seconds });
    return inputs.timestamps;
  },
};

/**
 * Computes figures when they are first read, because counting tokens costs more than deciding. They are getters of the class, because creating an
 * object with own getters takes longer than deciding a few changes.
 */
class Report {
  #inputs;

  /** @param {Inputs} inputs */
  constructor(inputs) {
    this.#inputs = inputs;
    Object.freeze(this);
  }

  static {
    for (const [name, read] of Object.entries(FIGURES)) {
      const get = /** @this {Report} */ function () {
        return read(this.#inputs);
      };
      Object.defineProperty(Report.prototype, name, { get, configurable: true });
    }
  }

  /** The same report that also counts binary data. @param {readonly CountedChange[]} binary */
  withBinary(binary) {
    return new Report({ ...this.#inputs, binary, savings: undefined });
  }

  /** A plain object for JSON and copying. @returns {Omit<CleanupReport, 'toJSON'>} */
  toJSON() {
    const figures = Object.entries(FIGURES).map(([name, read]) => [name, read(this.#inputs)]);
    return Object.fromEntries(figures);
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.toJSON();
  }
}

/** Collects what the figures need, because the conversation changes before they are read. @param {Reported} conversation @param {readonly unknown[]} messages */
function inputsOf(conversation, messages) {
  const { decision, engine, table, transcript } = conversation;
  const { droppedRows, answeredCalls, duplicateCalls, editCount } = decision;
  /** A result's own texts, or those of the message. @param {number} row */
  const textsOf = (row) =>
    table.partOf(row) < 0 ? readMessage(messages[table.messageOf(row)]).texts : [table.rows[row].content ?? ''];
  /** @param {number} row @param {string[]} before @returns {CountedChange} */
  const removal = (row, before) => ({ message: table.messageOf(row), rule: ORPHANS, before, after: [] });
  const removedRows = droppedRows.map((row) => removal(row, textsOf(row)));
  const removedCalls = duplicateCalls.map((call) => {
    const row = transcript.calls.rowOf(call);
    const declared = callsOf(table.rows[row])?.[call - transcript.calls.before(row)];
    return removal(row, [argumentsOf(calleeOf(declared)) ?? '']);
  });
  return {
    engine,
    /** Null if no result was replaced. */ state: editCount > 0 ? conversation.state : null,
    decision,
    // They stay valid: the transcript copies them before it writes to them.
    contents: /** @type {readonly (string | undefined)[]} */ (editCount > 0 ? transcript.lendContents() : NOTHING),
    removals: [...removedRows, ...removedCalls],
    /** Undefined if rows are messages. @type {readonly number[] | undefined} */
    messageByRow: table.isFlat ? undefined : table.reader.messageByRow.slice(),
    /** For each call with a generated result, the index of its message. */
    answeredMessages: answeredCalls.map((call) => table.messageOf(transcript.calls.rowOf(call))),
    unchangeable: table.unchangeable,
    uncoveredTools: transcript.calls.uncoveredTools(),
    /** For each edit, UTF-16 units of images and files in addition to the result's text. */
    media: table.isFlat ? NOTHING : editsOf(decision).map(({ row }) => table.mediaUnitsOf(row)),
  };
}

/** The edits of one decision: later decisions append to the same list. @param {Reported['decision']} decision */
const editsOf = ({ edits, editCount }) => edits.slice(0, editCount);

/** @param {Reported} conversation @param {readonly unknown[]} messages @returns {CleanupReport} */
const lazyReport = (conversation, messages) => /** @type {any} */ (new Report(inputsOf(conversation, messages)));

/** All changes, in the order of messages. @param {Inputs} inputs @returns {CountedChange[]} */
function changesOf({ engine, state, decision, contents, media, messageByRow, removals, answeredMessages, binary }) {
  const changes = [...removals];
  for (const [nth, { row, rule, groups, text }] of editsOf(decision).entries()) {
    const before = [/** @type {string} */ (contents[row])];
    const paths = engine.byPath[rule] ? groups.map((number) => state?.groupKey(rule, number) ?? '') : [];
    changes.push({ message: messageByRow?.[row] ?? row, rule, before, after: [text], media: media[nth], paths });
  }
  for (const message of answeredMessages) {
    changes.push({ message, rule: ORPHANS, before: [], after: [engine.interruptedAnswer] });
  }
  return [...changes, ...(binary ?? [])].sort((a, b) => a.message - b.message);
}

/** @param {Inputs} inputs */
function savingsIn(inputs) {
  inputs.savings ??= savingsByRule(inputs.engine, changesOf(inputs), inputs.binary !== undefined);
  return inputs.savings;
}

/**
 * @param {Conversation['engine']} engine @param {CountedChange[]} changes @param {boolean} hasBinary
 * @returns {Pick<CleanupReport, 'indices' | 'unitsRemoved' | 'estimatedTokensSaved' | 'byRule'>}
 */
function savingsByRule(engine, changes, hasBinary) {
  /** @type {CleanupReport['byRule']} */ const byRule = {};
  /** @param {string} name @param {number} rule @param {boolean | undefined} hasPaths */
  const add = (name, rule, hasPaths = false) => {
    const ruleChanges = changes.filter((change) => change.rule === rule);
    setOwn(byRule, name, savingsOf(ruleChanges, hasPaths ? { byPath: countByPath(ruleChanges) } : undefined));
  };
  if (engine.fixesOrphans) add('orphans', ORPHANS);
  engine.ruleNames.forEach((name, rule) => {
    add(name, rule, engine.byPath[rule]);
  });
  if (changes.some(({ rule }) => rule === REPEATED)) add('repeated', REPEATED);
  if (hasBinary) add('binary', BINARY);
  const total = savingsOf(changes);
  return Object.freeze({
    indices: Object.freeze([...new Set(changes.map(({ message }) => message))]),
    unitsRemoved: total.unitsRemoved,
    get estimatedTokensSaved() {
      return total.estimatedTokensSaved;
    },
    byRule: Object.freeze(byRule),
  });
}

/**
 * What changes remove. Tokens are counted only when the application reads the figure: counting is the slowest step and loads the vocabulary.
 * @param {CountedChange[]} changes @param {{ byPath?: ReturnType<typeof countByPath> }} [extraFigures] @returns {import('../../index.js').RuleReport}
 */
function savingsOf(changes, extraFigures) {
  /** @type {number | undefined} */ let tokens;
  const savings = {
    changed: changes.length,
    unitsRemoved: changes.reduce((sum, change) => sum + unitsRemovedBy(change), 0),
    get estimatedTokensSaved() {
      tokens ??= changes.reduce((sum, change) => {
        // Each change is counted once, for its rule and for the total.
        change.tokens ??= countAll(change.before) - countAll(change.after);
        return sum + change.tokens;
      }, 0);
      return tokens;
    },
    ...extraFigures,
  };
  // Without this, `console.log` prints “[Getter]”. It isn't enumerable, so comparing and copying ignore it.
  Object.defineProperty(savings, Symbol.for('nodejs.util.inspect.custom'), { value: () => ({ ...savings }) });
  return Object.freeze(savings);
}

const countAll = (/** @type {string[]} */ texts) => texts.reduce((tokens, text) => tokens + countO200k(text), 0);
const unitsOf = (/** @type {string[]} */ texts) => texts.reduce((units, text) => units + text.length, 0);
/** @param {CountedChange} change */
const unitsRemovedBy = ({ before, after, media = 0 }) => media + unitsOf(before) - unitsOf(after);

/** `savingsOf` for each path, without tokens. @param {CountedChange[]} changes */
function countByPath(changes) {
  /** @type {Map<string, { changed: number, unitsRemoved: number }>} */ const counts = new Map();
  for (const change of changes) {
    const units = unitsRemovedBy(change);
    for (const path of change.paths ?? []) {
      const { changed, unitsRemoved } = counts.get(path) ?? { changed: 0, unitsRemoved: 0 };
      counts.set(path, { changed: changed + 1, unitsRemoved: unitsRemoved + units });
    }
  }
  /** @type {Record<string, { changed: number, unitsRemoved: number }>} */ const byPath = {};
  for (const [path, count] of counts) setOwn(byPath, path, Object.freeze(count));
  return Object.freeze(byPath);
}

/** @param {CleanupReport} report made by {@link lazyReport} @param {readonly CountedChange[]} binary @returns {CleanupReport} */
const withBinary = (report, binary) => /** @type {any} */ (report).withBinary(binary);

module.exports = { BINARY, lazyReport, REPEATED, withBinary };
