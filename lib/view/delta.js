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

/** What was told last, and what makes of it what there is now. */
class Told {
  /** @type {Record<typeof LISTS[number], (number | null)[]>} */ #lists;
  /** @type {Record<typeof FIGURES[number], unknown>} */ #figures;
  /** @type {Map<number, Replaced>} */ #replaced;

  /** @param {Parts} parts */
  constructor({ messages, firstSeen, replaced, options, past, compression }) {
    this.#lists = { messages: [...messages], firstSeen: [...firstSeen] };
    this.#figures = { options, past, compression };
    this.#replaced = new Map(replaced);
  }

  /** What `parts` have that was not told; from now on it is. What is absent is as it was. @param {Parts} parts */
  next(parts) {
    /** @type {Record<string, unknown>} */
    const delta = {};
    for (const name of LISTS) {
      const [known, list] = [this.#lists[name], parts[name]];
      const same = sharedLength(known, list);
      if (same === known.length && same === list.length) continue;
      delta[name] = [same, list.slice(same)];
      known.length = same;
      for (let at = same; at < list.length; at++) known.push(list[at] ?? null);
    }
    for (const name of FIGURES) {
      if (isSame(name, this.#figures[name], parts[name])) continue;
      delta[name] = parts[name];
      this.#figures[name] = parts[name];
    }
    const replaced = this.#replacedOtherwise(parts.replaced);
    if (replaced !== undefined) delta.replaced = replaced;
    return delta;
  }

  /** @param {ReadonlyMap<number, Replaced>} replaced */
  #replacedOtherwise(replaced) {
    const known = this.#replaced;
    const gone = [...known.keys()].filter((row) => !replaced.has(row));
    const set = [];
    for (const [row, { rule, text, change }] of replaced) {
      const told = known.get(row);
      if (told?.text === text && told.rule === rule && told.change === change) continue;
      set.push([row, rule, text, change]);
      known.set(row, { rule, text, change });
    }
    for (const row of gone) known.delete(row);
    return gone.length + set.length === 0 ? undefined : [gone, set];
  }
}

/** @param {string} name @param {unknown} known @param {unknown} now */
function isSame(name, known, now) {
  // A compression is long, and the same object as long as it is the same.
  return known === now || (name !== 'compression' && JSON.stringify(known) === JSON.stringify(now));
}

/** @param {readonly unknown[]} one @param {readonly unknown[]} other */
function sharedLength(one, other) {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one[at] === other[at]) at++;
  return at;
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
