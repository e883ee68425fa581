// @ts-check
'use strict';

const native = require('../native.js');
const { agesByKind, KINDS } = require('./options.js');

/** By kind, how many results were replaced, and in turn how many of them were fetched again. @typedef {readonly number[]} Tallies */
/** @typedef {import('../entry/types/view.js').ViewReport} ViewReport */

/** @type {Tallies} */
const NOTHING = KINDS.flatMap(() => [0, 0]);

/**
 * What went from a conversation, and what of that the agent fetched again.
 * @param {InstanceType<typeof import('./projection.js').Projection>} projection
 * @returns {Tallies}
 */
function talliesOf({ applied, conversation, schedule }) {
  if (applied.replaced.size === 0) return NOTHING;
  const { layout } = conversation;
  const changedAt = schedule.state.changedAt();
  const gone = [...applied.replaced].flatMap(([row, { change }]) => {
    const messages = Math.min(changedAt[change - 1] ?? 0, layout.objects.length);
    return [row, layout.rowOf(messages)];
  });
  return conversation.reacquired(gone);
}

/** @param {Tallies} tallies @param {Record<string, unknown>} options of a view @returns {ViewReport} */
function reportOf(tallies, options) {
  const ages = agesOf(options, NOTHING);
  const byKind = (/** @type {(at: number) => number | undefined} */ pick) =>
    /** @type {ViewReport['ages']} */ (Object.fromEntries(KINDS.map((kind, at) => [kind, pick(at)])));
  return {
    replaced: byKind((at) => tallies[2 * at]),
    reacquired: byKind((at) => tallies[2 * at + 1]),
    ages: byKind((at) => ages[at]),
  };
}

/** @param {Record<string, unknown>} options @param {Tallies} tallies what is learnt from */
function agesOf({ price, ages }, tallies) {
  return native.agesOf({ price, ages: agesByKind(ages) }, [...tallies]);
}

/** What the conversations of one project tell of how long results are needed. */
class Learnt {
  #isOn;
  #talliesOf;
  #options;
  /** Those that were raised. @type {Record<string, number>} */ #raised = {};
  /** By view, what was counted when it had so many requests. @type {WeakMap<object, { requests: number, tallies: Tallies }>} */
  #counted = new WeakMap();
  /** By view that branched off from another, what was counted of that one. @type {WeakMap<object, Tallies>} */
  #inherited = new WeakMap();
  /** Of views that are forgotten. */ #past = NOTHING;

  /**
   * @param {Record<string, unknown>} options of a view, as plain data; `ages` are those before anything is learnt
   * @param {boolean} isOn whether conversations begin with what was learnt from those before
   * @param {(view: any) => { requests: number, tallies: () => Tallies }} talliesOf
   */
  constructor(options, isOn, talliesOf) {
    this.#options = options;
    this.#isOn = isOn;
    this.#talliesOf = talliesOf;
  }

  /** @param {object} view @returns {Tallies} */
  #of(view) {
    const { requests, tallies } = this.#talliesOf(view);
    const known = this.#counted.get(view);
    const counted = known !== undefined && known.requests === requests ? known : { requests, tallies: tallies() };
    this.#counted.set(view, counted);
    const before = this.#inherited.get(view) ?? NOTHING;
    return counted.tallies.map((count, at) => Math.max(0, count - (before[at] ?? 0)));
  }

  /** @param {object} view that begins with what `other` has @param {object} other */
  branch(view, other) {
    this.#inherited.set(view, sumOf([this.#of(other), this.#inherited.get(other) ?? NOTHING]));
  }

  /** @param {object} view that nobody asks any more */
  forget(view) {
    this.#past = sumOf([this.#past, this.#of(view)]);
  }

  /** @param {readonly object[]} views that are remembered */
  report(views) {
    const tallies = sumOf([this.#past, ...views.map((view) => this.#of(view))]);
    if (this.#isOn) this.#learn(tallies);
    return reportOf(tallies, { ...this.#options, ...this.#ages() });
  }

  #ages() {
    const ages = { .../** @type {object} */ (this.#options.ages), ...this.#raised };
    return Object.keys(ages).length === 0 ? {} : { ages };
  }

  /** The ages that a conversation begins with now. @param {readonly object[]} views the others @returns {{ ages?: unknown }} */
  options(views) {
    if (this.#isOn) this.report(views);
    return this.#ages();
  }

  /** @param {Tallies} tallies */
  #learn(tallies) {
    const before = agesOf({ ...this.#options, ...this.#ages() }, NOTHING);
    agesOf(this.#options, tallies).forEach((age, at) => {
      const kind = KINDS[at];
      if (kind !== undefined && age > (before[at] ?? 0)) this.#raised[kind] = age;
    });
  }
}

/** @param {readonly Tallies[]} all @returns {Tallies} */
function sumOf(all) {
  return NOTHING.map((_, at) => all.reduce((sum, tallies) => sum + (tallies[at] ?? 0), 0));
}

module.exports = { Learnt, reportOf, talliesOf };
