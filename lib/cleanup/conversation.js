// @ts-check
'use strict';

const native = require('../native.js');
const { deliverLog, prepareLog } = require('../log.js');
const { TOOL, firstChanged, firstChangedCarefully, readChanged, readRow } = require('./row.js');
const { lazyReport } = require('./report.js');
const wire = require('./wire.js');

const { EDIT_NUMBERS } = wire;

/**
 * @typedef {InstanceType<typeof import('./row.js').Row>} Row
 * @typedef {InstanceType<typeof import('./engine.js').Engine>} Engine
 */

const NONE = new Float64Array(0);

/**
 * N-API copies the start of a string only; this gives the core its end.
 * @param {unknown} text
 * @param {number} units
 */
function tailOf(text, units) {
  return typeof text === 'string' ? text.slice(-units) : '';
}

/** What the core decided, by row; holds from `validFrom` until `validUntil`. */
class Decision {
  constructor() {
    this.validFrom = Number.POSITIVE_INFINITY;
    this.validUntil = Number.NEGATIVE_INFINITY;
    /** Rows to leave out, ascending. */
    this.dropped = NONE;
    /** Per replaced row, ascending: the row, its rule, and how many of `groups` are its own. */
    this.edits = NONE;
    /** What the results are grouped by, as the core numbers it, edit after edit. */
    this.groups = NONE;
    /** Filled-in placeholders by edit, where a rule has a template. @type {string[] | null} */
    this.texts = null;
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
    return this.decision;
  }

  /**
   * How many messages at the start are the ones that were seen before. Rows whose fields have changed since
   * are added to `patches`.
   * @param {readonly unknown[]} messages
   * @param {number} trusted
   * @param {{ index: number, row: Row }[]} patches
   */
  #commonPrefix(messages, trusted, patches) {
    const { rows, engine } = this;
    const shared = Math.min(messages.length, rows.length);
    let compare = firstChanged;
    let index = trusted;
    for (;;) {
      try {
        index = compare(rows, messages, index, shared, engine.callDepth);
      } catch {
        // Some message throws. Start over, and find out which ones.
        compare = firstChangedCarefully;
        continue;
      }
      if (index === shared) return shared;
      const row = readChanged(/** @type {Row} */ (rows[index]), messages[index]);
      if (row === undefined) return index;
      patches.push({ index, row });
      index++;
    }
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
    const { state, contents, callArguments } = this;
    const inbox = wire.encode(this, now, keep, patches, fresh);
    this.decision = wire.receive(
      now,
      this.rows.length,
      (outbox) => state.evaluate(inbox, contents, callArguments, tailOf, outbox),
      (outbox) => state.rewrite(outbox),
      new Decision(),
    );
    if (this.engine.hasTemplates) this.decision.texts = this.#templateTexts(this.decision.edits.length / EDIT_NUMBERS);
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
   * What the last decision comes to; the same object until there is another.
   * @param {readonly unknown[]} messages those that were decided on
   * @returns {import('../../index.js').CleanupReport}
   */
  report(messages) {
    const { decision } = this;
    // Rules watch what they replace, but nobody watches the other fields of a message that is dropped.
    if (decision.report === null || decision.dropped.length > 0) decision.report = lazyReport(this, messages);
    return decision.report;
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
