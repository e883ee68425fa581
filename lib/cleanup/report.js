// @ts-check
'use strict';

const { argumentsOf, calleeOf, callsOf } = require('../messages/chat.js');
const { totalOf } = require('../messages/form.js');
const { readMessage } = require('../tokens/message.js');
const { countO200k } = require('../tokens/weight.js');
const { setOwn } = require('../plain-data.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 *
 * A decided conversation. `state` is null if no result was replaced.
 * @typedef {import('./changes.js').Decided & { state: Conversation['state'] | null }} Reported
 * @typedef {import('../../index.js').CleanupReport} CleanupReport
 *
 * A change of one message that a report counts; see `countedChange`. `tokens`: tokens saved, once counted.
 * @typedef {{ message: number, rule: number, before: string[], after: string[], paths: string[] | null, media: number, tokens?: number }} CountedChange
 */

/** @type {readonly any[]} */ const NOTHING = Object.freeze([]);
/** In place of a rule's number: orphans removed or answered, removed binary data, results with references. */
const [ORPHANS, BINARY, REPEATED] = /** @type {const} */ ([-1, -2, -3]);

/**
 * `message`: its index; `media`: UTF-16 units that are removed in addition to the texts.
 * @param {number} message @param {number} rule @param {string[]} before texts that are removed @param {string[]} after texts that replace them
 * @param {number} [media] @param {string[] | null} [paths] null if the rule has none @returns {CountedChange}
 */
const countedChange = (message, rule, before, after, media = 0, paths = null) => ({
  message,
  rule,
  before,
  after,
  media,
  paths,
});

/**
 * Computes figures when they are first read, because counting tokens costs more than deciding. The figures are getters of the class, because
 * creating an object with own getters takes longer than deciding a few changes.
 */
class Report {
  /** What the figures are computed from. */ #inputs;
  /** Removed binary data; undefined without the option `binary`. */ #binary;
  /** @type {ReturnType<typeof savingsByRule> | undefined} */ #cachedSavings;
  /** @type {Readonly<{ unknown: number, seconds: number }> | undefined} */ #cachedTimes;

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

  get #savings() {
    this.#cachedSavings ??= savingsByRule(this.#inputs.engine, changesOf(this.#inputs), this.#binary);
    return this.#cachedSavings;
  }

  get changed() {
    const { droppedRows, editCount, answeredCalls, duplicateCalls } = this.#inputs.decision;
    return droppedRows.length + answeredCalls.length + duplicateCalls.length + editCount + (this.#binary?.length ?? 0);
  }
  get duplicates() {
    return this.#inputs.decision.duplicates;
  }
  get indices() {
    return this.#savings.indices;
  }
  get unitsRemoved() {
    return this.#savings.unitsRemoved;
  }
  get estimatedTokensSaved() {
    return this.#savings.estimatedTokensSaved;
  }
  get byRule() {
    return this.#savings.byRule;
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
    this.#cachedTimes ??= Object.freeze({ unknown, seconds });
    return this.#cachedTimes;
  }

  /** A plain object for JSON and copying. @returns {Omit<CleanupReport, 'toJSON'>} */
  toJSON() {
    const { changed, duplicates, indices, unitsRemoved, estimatedTokensSaved, byRule, timestamps } = this;
    const { unrecognised, unrecognisedForms, unchangeable, unmatchedResults, uncoveredTools } = this;
    return {
      ...{ changed, duplicates, indices, unitsRemoved, estimatedTokensSaved, byRule, unrecognised },
      ...{ unrecognisedForms, unchangeable, unmatchedResults, uncoveredTools, timestamps },
    };
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.toJSON();
  }
}

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
    dropped: droppedRows.map((row) => countedChange(table.messageOf(row), ORPHANS, removedTexts(row), [])),
    /** Undefined if rows are messages. @type {readonly number[] | undefined} */
    messageByRow: table.isFlat ? undefined : table.reader.messageByRow.slice(),
    /** For each call with a generated result, the index of its message. */
    answeredMessages: answeredCalls.map((call) => table.messageOf(transcript.calls.rowOf(call))),
    removedCalls: duplicateCalls.map((call) => removedCall(conversation, call)),
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

/** The change that removes a call from its message. @param {Reported} conversation @param {number} call @returns {CountedChange} */
function removedCall({ table, transcript }, call) {
  const row = transcript.calls.rowOf(call);
  const declared = callsOf(table.rows[row])?.[call - transcript.calls.before(row)];
  return countedChange(table.messageOf(row), ORPHANS, [argumentsOf(calleeOf(declared)) ?? ''], []);
}

/** All changes, in the order of messages. @param {ReturnType<typeof inputsOf>} inputs @returns {CountedChange[]} */
function changesOf(inputs) {
  const { engine, state, decision, contents, media, messageByRow } = inputs;
  /** @type {CountedChange[]} */ const changes = [...inputs.dropped, ...inputs.removedCalls];
  for (const [nth, { row, rule, groups, text }] of editsOf(decision).entries()) {
    const before = /** @type {string} */ (contents[row]);
    const paths = engine.byPath[rule] ? groups.map((number) => state?.groupKey(rule, number) ?? '') : null;
    changes.push(countedChange(messageByRow?.[row] ?? row, rule, [before], [text], media[nth], paths));
  }
  for (const message of inputs.answeredMessages) {
    changes.push(countedChange(message, ORPHANS, [], [engine.interruptedAnswer]));
  }
  return changes.sort((a, b) => a.message - b.message);
}

/**
 * @param {Conversation['engine']} engine @param {CountedChange[]} textChanges @param {readonly CountedChange[] | undefined} binary
 * @returns {Pick<CleanupReport, 'indices' | 'unitsRemoved' | 'estimatedTokensSaved' | 'byRule'>}
 */
function savingsByRule(engine, textChanges, binary) {
  const changes =
    binary === undefined ? textChanges : [...textChanges, ...binary].sort((a, b) => a.message - b.message);
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
  const indices = Object.freeze([...new Set(changes.map(({ message }) => message))]);
  return Object.freeze({
    indices,
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
  let unitsRemoved = 0;
  for (const { before, after, media } of changes) unitsRemoved += media + unitsOf(before) - unitsOf(after);
  /** @type {number | undefined} */ let tokens;
  const savings = {
    changed: changes.length,
    unitsRemoved,
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

/** `savingsOf` for each path, without tokens. @param {CountedChange[]} changes */
function countByPath(changes) {
  /** @type {Map<string, { changed: number, unitsRemoved: number }>} */ const counts = new Map();
  for (const { before, after, media, paths } of changes) {
    const units = media + unitsOf(before) - unitsOf(after);
    for (const path of paths ?? []) {
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

module.exports = { BINARY, countedChange, lazyReport, REPEATED, withBinary };
