// @ts-check
'use strict';

const { Decision } = require('../cleanup/conversation.js');
const { addEdit } = require('../cleanup/wire.js');

/**
 * One replaced result: the rule that replaced it, the text that stands in its place, its groups, the tokens saved, and with
 * which change of the path that was.
 * @typedef {{ rule: number, text: string, groups: readonly number[], saved: number, change: number }} Replaced
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 */

const NOTHING = 0;
const PENDING = 1;
const REPLACED = 2;

/**
 * Keeps by row which results are outdated and wait, and which are replaced. A replaced result keeps its text for good.
 */
class Applied {
  /** @param {InstanceType<typeof import('./protection.js').Protection>} protection */
  constructor(protection) {
    this.protection = protection;
    /** What the host has answered. @type {import('./protection.js').Asked} */ this.asked = new Map();
    /** By row: one of the three states above; undefined where nothing is known. @type {number[]} */ this.states = [];
    /** @type {Map<number, Replaced>} */ this.replaced = new Map();
    /** What the results that wait would save, in tokens. @type {Map<number, number>} */ this.pending = new Map();
    /** Those of them that aren't outdated yet, and only go with others. @type {Set<number>} */ this.riding = new Set();
    /** Counts up whenever a result is replaced or restored. */
    this.version = 0;
    /** Rows in which something else is replaced than was told, where somebody is told. @type {Set<number> | null} */
    this.untold = null;
    /** The list of edits that was taken in last, and how many of it. @type {readonly number[] | null} */ this.synced =
      null;
    this.syncedCount = 0;
    this.places = new EditPlaces();
    /** What is replaced, in the form of a decision's lists: they only grow, and whatever is taken back makes new ones. */
    this.lists = newLists();
    /** Whether something was taken back, and the lists are still to be made anew. */
    this.areListsOld = false;
  }

  /**
   * Takes the newest decision: results that it condemns begin to wait, others stop.
   * @param {Conversation} conversation
   * @param {Set<number>} touched gets each message of which something else waits now
   * @param {InstanceType<typeof import('./weighed.js').WeighedMessages>} weighed
   */
  sync(conversation, touched, weighed) {
    const { edits, editCount } = conversation.decision;
    if (edits !== this.synced || editCount < this.syncedCount) {
      this.#release(conversation, touched);
      this.syncedCount = 0;
    }
    const rows = [];
    /** @type {string[]} */ const texts = [];
    // A decision that only adds to the one before appends to its list: only the new edits are read.
    for (let edit = this.syncedCount; edit < editCount; edit++) {
      const row = conversation.decision.rowOf(edit);
      const rides = conversation.decision.rides(edit);
      const state = this.states[row] ?? NOTHING;
      if (state === REPLACED || (state === PENDING && (rides || !this.riding.has(row)))) continue;
      if (this.protection.holds(conversation, row, this.asked)) continue;
      if (rides) this.riding.add(row);
      else this.riding.delete(row);
      rows.push(row);
      texts.push(conversation.textOf(edit));
    }
    const savings = weighed.savings(conversation, rows, texts);
    rows.forEach((row, at) => {
      const saving = /** @type {number} */ (savings[at]);
      // A text of few tokens stays, whatever else its message holds.
      if (!weighed.isShorter(conversation, row, texts[at] ?? '', saving)) return;
      this.states[row] = PENDING;
      this.pending.set(row, saving > 0 ? saving : 1);
      touched.add(conversation.layout.ownerOf(row));
    });
    this.synced = edits;
    this.syncedCount = editCount;
  }

  /** Forgets the waiting results that are not outdated any more. @param {Conversation} conversation @param {Set<number>} touched */
  #release({ decision, layout }, touched) {
    if (this.pending.size === 0) return;
    const { byRow } = this.places.of(decision);
    for (const row of [...this.pending.keys()]) {
      if (byRow.has(row)) continue;
      this.#forgetRow(row);
      touched.add(layout.ownerOf(row));
    }
  }

  /** @param {number} row */
  #forgetRow(row) {
    this.synced = null;
    this.pending.delete(row);
    this.riding.delete(row);
    if (this.replaced.delete(row)) this.#changeLists(row);
    this.states[row] = NOTHING;
  }

  /** Forgets what waits or is replaced in these rows. @param {readonly number[]} rows */
  forget(rows) {
    for (const row of rows) this.#forgetRow(row);
  }

  /**
   * Forgets all rows behind the first `rows`, and replacements that were made later than the change numbered `changes`. Results that wait
   * are forgotten, too: the next decision names them again.
   * @param {number} rows
   * @param {number} changes
   * @param {(row: number) => void} note is told the rows that are left and of which something waited or was replaced since
   */
  goBack(rows, changes, note) {
    const waiting = [...this.pending.keys()];
    const undone = [...this.replaced].filter(([row, { change }]) => row >= rows || change > changes);
    for (const row of [...waiting, ...undone.map(([row]) => row)]) {
      this.#forgetRow(row);
      if (row < rows) note(row);
    }
    if (this.states.length > rows) this.states.length = rows;
    for (const row of this.asked.keys()) if (row >= rows) this.asked.delete(row);
    this.synced = null;
  }

  /**
   * Replaces what waits in these messages.
   * @param {Conversation} conversation
   * @param {readonly number[]} messages
   * @param {number} change the number of this change
   * @returns {number[]} the rows that were replaced
   */
  replace(conversation, messages, change) {
    const rows = [];
    const { layout } = conversation;
    for (const message of messages) {
      const end = layout.rowOf(message + 1);
      for (let row = layout.rowOf(message); row < end; row++) {
        const edit = this.states[row] === PENDING ? this.editOf(conversation, row) : undefined;
        if (edit === undefined) continue;
        const saved = /** @type {number} */ (this.pending.get(row));
        this.pending.delete(row);
        const { rule, text, groups } = edit;
        this.keep(row, { rule, text, groups, saved, change });
        rows.push(row);
      }
    }
    return rows;
  }

  /** What the newest decision does to the result in this row; undefined where it does nothing. @param {Conversation} conversation @param {number} row */
  editOf(conversation, row) {
    const { decision } = conversation;
    const { byRow, starts } = this.places.of(decision);
    const edit = byRow.get(row);
    if (edit === undefined) return undefined;
    const text = conversation.textOf(edit);
    return { rule: decision.ruleOf(edit), text, groups: decision.groups.slice(starts[edit], starts[edit + 1]) };
  }

  /** What was replaced in these rows waits again. @param {readonly number[]} rows */
  putBack(rows) {
    for (const row of rows) {
      const { saved } = this.replaced.get(row) ?? {};
      if (saved === undefined) continue;
      const rides = this.riding.has(row);
      this.#forgetRow(row);
      if (rides) this.riding.add(row);
      this.states[row] = PENDING;
      this.pending.set(row, saved);
    }
  }

  /** @param {number} row @param {Replaced} replaced */
  keep(row, replaced) {
    this.states[row] = REPLACED;
    this.replaced.set(row, replaced);
    this.untold?.add(row);
    this.version++;
    if (!this.areListsOld) list(this.lists, row, replaced);
  }

  /** @param {number} row */
  #changeLists(row) {
    this.untold?.add(row);
    this.version++;
    this.areListsOld = true;
  }

  /**
   * How many tokens the replaced results of a message save, and how many the waiting ones would; `rides`: whether those that wait only go
   * together with others.
   * @param {Conversation['layout']} layout
   * @param {number} message
   * @param {number} [changes] of the replaced ones those of so many changes
   */
  savings(layout, message, changes = Number.POSITIVE_INFINITY) {
    let [replaced, pending, waits, rides] = [0, 0, false, true];
    const end = layout.rowOf(message + 1);
    for (let row = layout.rowOf(message); row < end; row++) {
      const gone = this.replaced.get(row);
      if (gone !== undefined && gone.change <= changes) replaced += gone.saved;
      const own = this.pending.get(row);
      if (own === undefined) continue;
      waits = true;
      rides &&= this.riding.has(row);
      pending += own;
    }
    return { replaced, pending, waits, rides: waits && rides };
  }

  /**
   * The replaced rows in the form of a decision, as `outcomeOf` takes it.
   * @param {Conversation} conversation
   * @param {(row: number, replaced: Replaced) => boolean} [isShown] all where it isn't given
   */
  asDecision({ decision: { dropped, answered, forms, unknownTimes, inSeconds, unmatchedResults } }, isShown) {
    const as = { dropped, answered, forms, unknownTimes, inSeconds, unmatchedResults };
    if (this.areListsOld) this.lists = this.#listed(() => true);
    this.areListsOld = false;
    const lists = isShown === undefined ? this.lists : this.#listed(isShown);
    return Object.assign(new Decision(), as, lists, { editCount: lists.texts.length });
  }

  /** @param {(row: number, replaced: Replaced) => boolean} isShown */
  #listed(isShown) {
    const lists = newLists();
    for (const [row, replaced] of this.replaced) if (isShown(row, replaced)) list(lists, row, replaced);
    return lists;
  }
}

/** @returns {{ edits: number[], groups: number[], texts: string[] }} */
function newLists() {
  return { edits: [], groups: [], texts: [] };
}

/** @param {ReturnType<typeof newLists>} lists @param {number} row @param {Replaced} replaced */
function list({ edits, groups, texts }, row, { rule, text, groups: own }) {
  addEdit(edits, row, rule, own.length);
  groups.push(...own);
  texts.push(text);
}

/** Where each row's edit stands in a decision's lists. The lists only grow, so only what is new in them is read. */
class EditPlaces {
  /** @type {readonly number[] | null} */ #edits = null;
  #count = 0;
  /** @type {Map<number, number>} */ byRow = new Map();
  /** By edit: where its groups begin. */ starts = [0];

  /** Brings the places up to date with a decision. @param {Conversation['decision']} decision */
  of(decision) {
    const { edits, editCount } = decision;
    if (edits !== this.#edits || editCount < this.#count) {
      [this.#edits, this.#count, this.byRow, this.starts] = [edits, 0, new Map(), [0]];
    }
    for (; this.#count < editCount; this.#count++) {
      this.byRow.set(decision.rowOf(this.#count), this.#count);
      this.starts.push(/** @type {number} */ (this.starts[this.#count]) + decision.groupCountOf(this.#count));
    }
    return this;
  }
}

module.exports = { Applied };
