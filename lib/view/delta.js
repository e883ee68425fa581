// @ts-check
'use strict';

const native = require('../native.js');
const { badState } = require('../errors.js');

/**
 * A view's state in texts that grow with what is new: a snapshot, and what each request has added to it.
 *
 * @typedef {{ rule: number, text: string, change: number }} Replaced
 * @typedef {object} Parts what a state holds beside the schedule
 * @property {readonly (number | null)[]} messages
 * @property {readonly (number | null)[]} firstSeen
 * @property {ReadonlyMap<number, Replaced>} replaced by row
 * @property {unknown} options
 * @property {unknown} past
 * @property {unknown} compression the same object as long as it is the same
 */

/** Lists that mostly grow: so many at the start stay, and others follow. */
const LISTS = /** @type {const} */ (['messages', 'firstSeen']);
const FIGURES = /** @type {const} */ (['options', 'past', 'compression']);

/** What was told last. */
class Told {
  #length;
  /** A compression is long, and the same object as long as it is the same; of the others their texts. @type {Record<string, unknown>} */
  #figures;

  /** @param {Parts} parts all of them */
  constructor(parts) {
    this.#length = parts.messages.length;
    this.#figures = comparable(parts);
  }

  /**
   * What of `parts` was not told; from now on it is. What is absent is as it was.
   * @param {Parts} parts the lists from `from` on
   * @param {{ from: number, rows: Iterable<number> }} news the first message that may not be as told, and the rows that may not
   */
  next(parts, { from, rows }) {
    const { messages, firstSeen, replaced } = parts;
    /** @type {Record<string, unknown>} */
    const delta = {};
    if (from < this.#length || messages.length > 0) {
      Object.assign(delta, { messages: [from, messages], firstSeen: [from, firstSeen] });
    }
    this.#length = from + messages.length;
    const figures = comparable(parts);
    for (const name of FIGURES) if (figures[name] !== this.#figures[name]) delta[name] = parts[name];
    this.#figures = figures;
    /** @type {number[]} */ const gone = [];
    const set = [];
    for (const row of rows) {
      const told = replaced.get(row);
      if (told === undefined) gone.push(row);
      else set.push([row, told.rule, told.text, told.change]);
    }
    if (gone.length + set.length > 0) delta.replaced = [gone, set];
    return delta;
  }
}

/** @param {Parts} parts @returns {Record<string, unknown>} */
function comparable({ options, past, compression }) {
  return { options: JSON.stringify(options), past: JSON.stringify(past), compression };
}

/**
 * A snapshot's state after all deltas. What can't be is refused here or by whoever reads the state.
 * @param {Record<string, any>} snapshot
 * @param {readonly unknown[]} deltas
 * @returns {Record<string, any>}
 */
function merged(snapshot, deltas) {
  if (deltas.length === 0) return snapshot;
  try {
    const state = { ...snapshot };
    const replaced = new Map(state.replaced.map((/** @type {[number]} */ entry) => [entry[0], entry]));
    const schedules = [];
    for (const text of deltas) {
      const { schedule, ...delta } = JSON.parse(/** @type {string} */ (text));
      schedules.push(JSON.stringify(schedule));
      for (const name of LISTS) if (name in delta) state[name] = spliced(state[name], delta[name]);
      for (const name of FIGURES) if (name in delta) state[name] = delta[name];
      const [gone, set] = delta.replaced ?? [[], []];
      for (const row of gone) replaced.delete(row);
      for (const entry of set) replaced.set(entry[0], entry);
    }
    state.replaced = [...replaced.values()].sort(([a], [b]) => a - b);
    const schedule = native.mergedSchedule(JSON.stringify(state.schedule), schedules);
    return { ...state, schedule: JSON.parse(/** @type {string} */ (schedule)) };
  } catch (error) {
    throw badState('the deltas of that snapshot, in their order', 'something else', error);
  }
}

/** @param {any[]} list @param {[number, any[]]} splice */
function spliced(list, [kept, added]) {
  if (!Number.isSafeInteger(kept) || kept < 0 || kept > list.length) throw new RangeError('beyond the list');
  list.length = kept;
  for (const entry of added) list.push(entry);
  return list;
}

module.exports = { merged, Told };
