// @ts-check
'use strict';

const { total } = require('../messages/unrecognised.js');
const { readMessage } = require('../tokens/message.js');
const { countByPath, define, savingsOf } = require('./savings.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {import('../../index.js').CleanupReport} CleanupReport
 * @typedef {{ row: number, rule: number, before: string[], after: string[], paths: string[] | null, media: number, tokens?: number }} Change
 */

/** @type {readonly any[]} */
const NOTHING = Object.freeze([]);
/** Counts as the rule of removed orphans. */
const ORPHANS = -1;

/**
 * Says what a call has done. The figures are worked out when they are first read: a host that only wants the effect doesn't pay for them,
 * and counting tokens costs more than deciding. What it needs is kept from changing.
 *
 * The figures are getters of the class. An object with getters of its own takes longer to make than all of a decision
 * that changes little.
 */
class Report {
  #work;

  /** @param {Work} work */
  constructor(work) {
    this.#work = work;
    Object.freeze(this);
  }

  get changed() {
    return this.#work.changed;
  }

  get indices() {
    return this.#work.built().indices;
  }

  get unitsRemoved() {
    return this.#work.built().unitsRemoved;
  }

  get estimatedTokensSaved() {
    return this.#work.built().estimatedTokensSaved;
  }

  get byRule() {
    return this.#work.built().byRule;
  }

  get unrecognised() {
    return total(this.#work.decision.forms);
  }

  get unrecognisedForms() {
    return this.#work.decision.forms;
  }

  get unmatchedResults() {
    return this.#work.decision.unmatchedResults;
  }

  get uncoveredTools() {
    return this.#work.uncoveredTools;
  }

  get timestamps() {
    return this.#work.timestamps();
  }

  /** All figures, as a plain object: for JSON, and for copies. */
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

class Work {
  /**
   * @param {Conversation} conversation
   * @param {readonly unknown[]} messages
   */
  constructor(conversation, messages) {
    const { decision, engine, state, layout, transcript } = conversation;
    this.engine = engine;
    this.state = state;
    this.decision = decision;
    /** @type {readonly (string | undefined)[]} */
    this.contents = decision.editCount > 0 ? transcript.lendContents() : NOTHING;
    /** @type {readonly string[][]} */
    this.removed =
      decision.dropped.length === 0
        ? NOTHING
        : decision.dropped.map((row) => textsOf(conversation, row, messages[layout.ownerOf(row)]));
    this.owners = layout.isFlat ? undefined : layout.reader.owners.slice();
    this.answered = decision.answered.length === 0 ? NOTHING : answeredRows(conversation);
    this.uncoveredTools = transcript.calls.uncoveredTools();
    this.media = layout.isFlat ? NOTHING : mediaOf(conversation);
    /** @type {ReturnType<typeof buildReport> | undefined} */
    this.report = undefined;
    /** @type {Readonly<{ unknown: number, seconds: number }> | undefined} */
    this.times = undefined;
  }

  get changed() {
    return this.decision.dropped.length + this.decision.editCount + this.decision.answered.length;
  }

  built() {
    this.report ??= buildReport(this.engine, byMessage(changesOf(this), this.owners));
    return this.report;
  }

  timestamps() {
    const { unknownTimes: unknown, inSeconds: seconds } = this.decision;
    this.times ??= Object.freeze({ unknown, seconds });
    return this.times;
  }
}

/**
 * @param {Conversation} conversation
 * @param {readonly unknown[]} messages
 * @returns {CleanupReport}
 */
function lazyReport(conversation, messages) {
  return new Report(new Work(conversation, messages));
}

/** By edit: the images and files beside the text of the result. @param {Conversation} conversation */
function mediaOf({ layout, decision }) {
  const units = [];
  for (let edit = 0; edit < decision.editCount; edit++) units.push(layout.mediaUnitsOf(decision.rowOf(edit)));
  return units;
}

/** @param {Conversation} conversation */
function answeredRows({ decision, transcript }) {
  return Array.from(decision.answered, (call) => transcript.calls.rowOf(call));
}

/**
 * @param {Change[]} changes
 * @param {readonly number[] | undefined} owners by row, its message, where that is not the same
 */
function byMessage(changes, owners) {
  if (owners !== undefined) for (const change of changes) change.row = /** @type {number} */ (owners[change.row]);
  return changes.sort((a, b) => a.row - b.row);
}

/**
 * The text that is lost with `row`: the result's own, or that of the whole message.
 * @param {Conversation} conversation
 * @param {number} row
 * @param {any} message
 */
function textsOf({ layout }, row, message) {
  if (layout.partOf(row) < 0) return readMessage(message).texts;
  return [layout.rows[row].content ?? ''];
}

/** @param {Work} work @returns {Change[]} */
function changesOf({ engine, state, decision, contents, removed, media, answered }) {
  const { dropped, editCount, groups, texts } = decision;
  /** @type {Change[]} */
  const changes = removed.map((before, index) => ({
    row: /** @type {number} */ (dropped[index]),
    rule: ORPHANS,
    before,
    after: [],
    paths: null,
    media: 0,
  }));
  let group = 0;
  for (let edit = 0; edit < editCount; edit++) {
    const row = decision.rowOf(edit);
    const rule = decision.ruleOf(edit);
    const groupsEnd = group + decision.groupCountOf(edit);
    const own = groups.slice(group, groupsEnd);
    group = groupsEnd;
    changes.push({
      row,
      rule,
      before: [/** @type {string} */ (contents[row])],
      media: media[edit] ?? 0,
      after: [/** @type {string} */ (texts[edit])],
      paths: engine.byPath[rule] ? own.map((number) => state.groupKey(rule, number)) : null,
    });
  }
  for (const row of answered) {
    changes.push({ row, rule: ORPHANS, before: [], after: [engine.interruptedAnswer], paths: null, media: 0 });
  }
  return changes;
}

/**
 * @param {Conversation['engine']} engine
 * @param {Change[]} changes
 * @returns {Omit<CleanupReport, 'unrecognised' | 'unrecognisedForms' | 'unmatchedResults' | 'uncoveredTools' | 'timestamps' | 'toJSON'>}
 */
function buildReport(engine, changes) {
  /** @type {CleanupReport['byRule']} */
  const byRule = {};
  const total = savingsOf(changes);
  if (engine.mendsOrphans) define(byRule, 'orphans', savingsOf(changes.filter(({ rule }) => rule === ORPHANS)));
  engine.ruleNames.forEach((name, number) => {
    const own = changes.filter(({ rule }) => rule === number);
    define(byRule, name, savingsOf(own, engine.byPath[number] ? { byPath: countByPath(own) } : undefined));
  });
  const indices = Object.freeze([...new Set(changes.map(({ row }) => row))]);
  return Object.freeze({
    changed: total.changed,
    indices,
    unitsRemoved: total.unitsRemoved,
    get estimatedTokensSaved() {
      return total.estimatedTokensSaved;
    },
    byRule: Object.freeze(byRule),
  });
}

module.exports = { lazyReport };
