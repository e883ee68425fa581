// @ts-check
'use strict';

const native = require('../native.js');
const { deliverLog, prepareLog } = require('../log.js');
const { CHANGED, SAME, TOOL, compareRow, readRow } = require('./row.js');
const { buildReport } = require('./report.js');
const wire = require('./wire.js');

const { EDIT_NUMBERS } = wire;

/**
 * @typedef {InstanceType<typeof import('./row.js').Row>} Row
 * @typedef {InstanceType<typeof import('./engine.js').Engine>} Engine
 * @typedef {{ changed: number, unitsRemoved: number, estimatedTokensSaved: number }} Savings
 */

const NONE = new Float64Array(0);

/** What the core decided, by row; holds from `validFrom` until `validUntil`. */
class Decision {
  constructor() {
    this.validFrom = Number.POSITIVE_INFINITY;
    this.validUntil = Number.NEGATIVE_INFINITY;
    /** Rows to leave out, ascending. */
    this.dropped = NONE;
    /** Per replaced row, ascending: the row, its rule, and the units that go. */
    this.edits = NONE;
    /** Filled-in placeholders by edit, where a rule has a template. @type {string[] | null} */
    this.texts = null;
    /** @type {Savings[]} */ this.savings = [];
    /** @type {import('../../index.js').CleanupReport | null} */ this.report = null;
  }
}

/**
 * One conversation as it was last seen: what was read of each message, and what was decided. An agent asks
 * again before every request, with an array that only grew; only what is new goes to the core.
 */
class Conversation {
  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    this.state = new native.ConversationState(engine.policy);
    /** @type {Row[]} */ this.rows = [];
    /** @type {unknown[]} */ this.contents = [];
    /** @type {unknown[]} */ this.callArguments = [];
    /** @type {Map<string, { number: number, covered: boolean, answered: boolean }>} */ this.ids = new Map();
    /** @type {Map<string, { number: number, covered: boolean }>} */ this.names = new Map();
    this.decision = new Decision();
    /** The messages by which it is found again. @type {object[]} */ this.anchors = [];
    /** A getter of a message may call back into this package. */
    this.busy = false;
  }

  /**
   * Decides for `messages` at `now`.
   * @param {readonly unknown[]} messages
   * @param {number} now
   * @param {number} [trusted] so many messages at the start are known to be as they were
   * @returns {Decision}
   */
  decide(messages, now, trusted = 0) {
    const length = messages.length;
    /** @type {{ index: number, row: Row }[]} */
    const patches = [];
    const keep = this.#commonPrefix(messages, trusted, patches);
    const { decision } = this;
    if (keep === length && keep === this.rows.length && patches.length === 0) {
      if (now >= decision.validFrom && now <= decision.validUntil) return decision;
    }
    /** @type {Row[]} */
    const fresh = [];
    // Everything that can run the host's code comes first; from here on nothing can interrupt.
    for (let index = keep; index < length; index++) fresh.push(readRow(messages[index]));
    this.#rewind(keep);
    for (const { index, row } of patches) this.#replace(index, row);
    for (const row of fresh) this.#append(row);
    this.#evaluate(now, keep, patches, fresh);
    return this.#refreshDropped(messages, now);
  }

  /**
   * How many messages at the start are the ones that were seen before. Rows whose fields have changed since
   * are added to `patches`.
   * @param {readonly unknown[]} messages
   * @param {number} trusted
   * @param {{ index: number, row: Row }[]} patches
   */
  #commonPrefix(messages, trusted, patches) {
    const { rows } = this;
    const { callDepth } = this.engine;
    const shared = Math.min(messages.length, rows.length);
    let index = trusted;
    while (index < shared) {
      let difference = SAME;
      try {
        for (; index < shared; index++) {
          difference = compareRow(/** @type {Row} */ (rows[index]), messages[index], callDepth);
          if (difference !== SAME) break;
        }
      } catch {
        return index;
      }
      if (difference === SAME) break;
      const row = /** @type {Row} */ (rows[index]);
      const next = difference === CHANGED ? readRow(messages[index]) : undefined;
      if (next === undefined || next.kind !== TOOL || next.callId !== row.callId) return index;
      patches.push({ index, row: next });
      index++;
    }
    return shared;
  }

  /** @param {number} keep */
  #rewind(keep) {
    if (keep >= this.rows.length) return;
    this.callArguments.length = /** @type {Row} */ (this.rows[keep]).firstCall;
    this.rows.length = keep;
    this.contents.length = keep;
  }

  /**
   * @param {number} index
   * @param {Row} row
   */
  #replace(index, row) {
    const old = /** @type {Row} */ (this.rows[index]);
    row.firstCall = old.firstCall;
    row.watched = old.watched;
    row.groupKeys = old.groupKeys;
    this.rows[index] = row;
    this.contents[index] = row.content;
  }

  /** @param {Row} row */
  #append(row) {
    row.firstCall = this.callArguments.length;
    this.rows.push(row);
    this.contents.push(row.content);
    if (row.kind === TOOL) {
      const id = this.#idOf(row.callId);
      if (id !== undefined) id.answered = true;
      row.watched = this.engine.watchesAllTools || id?.covered === true;
    } else if (row.calls !== null) {
      for (const call of row.calls) {
        this.callArguments.push(call.arguments);
        this.#declare(call);
      }
    }
  }

  /** @param {InstanceType<typeof import('./row.js').CallRecord>} call */
  #declare({ id, name }) {
    const entry = this.#idOf(id);
    const tool = this.nameOf(name);
    if (entry === undefined || tool === undefined || !tool.covered || entry.covered) return;
    entry.covered = true;
    // A result that came before its call was not worth watching until now.
    if (!entry.answered || this.engine.watchesAllTools) return;
    for (const row of this.rows) if (row.callId === id) row.watched = true;
  }

  /**
   * @param {unknown} id
   */
  #idOf(id) {
    if (typeof id !== 'string' || id === '') return undefined;
    let entry = this.ids.get(id);
    if (entry === undefined) {
      entry = { number: this.ids.size, covered: false, answered: false };
      this.ids.set(id, entry);
    }
    return entry;
  }

  /** @param {unknown} id */
  idNumber(id) {
    return typeof id === 'string' && id !== '' ? /** @type {{ number: number }} */ (this.ids.get(id)).number : -1;
  }

  /** @param {unknown} name */
  nameOf(name) {
    if (typeof name !== 'string' || this.engine.ruleNames.length === 0) return undefined;
    let entry = this.names.get(name);
    if (entry === undefined) {
      entry = { number: this.names.size, covered: this.state.addName(name) };
      this.names.set(name, entry);
    }
    return entry;
  }

  /**
   * @param {number} now
   * @param {number} keep
   * @param {{ index: number, row: Row }[]} patches
   * @param {Row[]} fresh
   */
  #evaluate(now, keep, patches, fresh) {
    prepareLog();
    const inbox = wire.encode(this, now, keep, patches, fresh);
    const outbox = wire.outboxFor(this.rows.length, this.engine.ruleNames.length);
    this.state.evaluate(inbox, this.contents, this.callArguments, outbox);
    this.decision = wire.decode(outbox, now, this.engine.ruleNames.length, new Decision());
    const { decision, engine } = this;
    if (engine.hasTemplates) decision.texts = this.#templateTexts(decision.edits.length / EDIT_NUMBERS);
    deliverLog();
  }

  /** @param {number} edits */
  #templateTexts(edits) {
    const texts = [];
    for (let edit = 0; edit < edits; edit++) texts.push(this.state.editText(edit) ?? '');
    return texts;
  }

  /**
   * What the content of edit `edit` becomes.
   * @param {number} edit
   * @returns {string}
   */
  textOf(edit) {
    const { edits, texts } = this.decision;
    const fixed = this.engine.placeholders[/** @type {number} */ (edits[edit * EDIT_NUMBERS + 1])];
    return /** @type {string} */ (fixed ?? texts?.[edit]);
  }

  /**
   * What is not watched may have changed since it was read, and the report says how much was dropped.
   * @param {readonly any[]} messages
   * @param {number} now
   */
  #refreshDropped(messages, now) {
    /** @type {{ index: number, row: Row }[]} */
    const patches = [];
    for (const index of this.decision.dropped) {
      const old = /** @type {Row} */ (this.rows[index]);
      if (old.watched) continue;
      old.watched = old.kind === TOOL;
      const row = readRow(messages[index]);
      if (row.kind === old.kind && row.callId === old.callId && row.content !== old.content) {
        row.calls = old.calls;
        patches.push({ index, row });
      }
    }
    if (patches.length > 0) {
      for (const { index, row } of patches) this.#replace(index, row);
      this.#evaluate(now, this.rows.length, patches, []);
    }
    return this.decision;
  }

  /**
   * @param {number} index
   * @param {number} rule
   * @returns {string[]}
   */
  groupKeysOf(index, rule) {
    // Dropping an orphan may change which call a result answers.
    if (this.decision.dropped.length > 0) return this.state.groupKeys(index, rule);
    const row = /** @type {Row} */ (this.rows[index]);
    row.groupKeys ??= [];
    row.groupKeys[rule] ??= this.state.groupKeys(index, rule);
    return /** @type {string[]} */ (row.groupKeys[rule]);
  }

  /** @returns {import('../../index.js').CleanupReport} */
  report() {
    this.decision.report ??= buildReport(this.engine, this, this.decision);
    return this.decision.report;
  }

  /**
   * The message in `index` can't be copied: it stays as it is from now on, and the decision is made again.
   * @param {number} index
   * @param {number} now
   */
  leaveAlone(index, now) {
    const old = /** @type {Row} */ (this.rows[index]);
    const row = Object.assign(Object.create(Object.getPrototypeOf(old)), old, { content: undefined });
    const patches = [{ index, row }];
    this.#replace(index, row);
    this.#evaluate(now, this.rows.length, patches, []);
    return this.decision;
  }
}

module.exports = { Conversation, Decision };
