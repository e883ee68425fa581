// @ts-check
'use strict';

/** What requests have cost, as they were sent and left alone, and what of both no report has confirmed. @typedef {{ requests: number, cost: number, costLeftAlone: number, unsure: number, unsureLeftAlone: number }} Costs */

/** @type {Costs} */
const NOTHING = Object.freeze({ requests: 0, cost: 0, costLeftAlone: 0, unsure: 0, unsureLeftAlone: 0 });
const FIGURES = /** @type {(keyof Costs)[]} */ (Object.keys(NOTHING));

/** Sums over views what they have cost, each request once: a view that branches off from another begins with that one's costs. */
class Totals {
  #costsOf;
  /** What of each view is in the sum. @type {WeakMap<object, Costs>} */
  #counted = new WeakMap();
  #sum = { ...NOTHING };

  /** @param {(view: any) => Costs} costsOf */
  constructor(costsOf) {
    this.#costsOf = costsOf;
  }

  /** Before a request of `view`. @param {object} view */
  begin(view) {
    if (!this.#counted.has(view)) this.#counted.set(view, this.#costsOf(view));
  }

  /** After a request or its report: adds what is new. @param {object} view */
  add(view) {
    const now = this.#costsOf(view);
    const known = this.#counted.get(view) ?? NOTHING;
    // A view that threw has begun anew.
    const before = now.requests < known.requests ? NOTHING : known;
    for (const figure of FIGURES) this.#sum[figure] += now[figure] - before[figure];
    this.#counted.set(view, now);
  }

  /** @returns {Costs} */
  sum() {
    return { ...this.#sum };
  }
}

/** @param {InstanceType<typeof import('./projection.js').Projection>} projection @returns {Costs} */
function billOf({ schedule }) {
  return schedule.state.costs();
}

/** @param {Costs} one @param {Costs} other @returns {Costs} */
function sumOf(one, other) {
  return /** @type {Costs} */ (Object.fromEntries(FIGURES.map((figure) => [figure, one[figure] + other[figure]])));
}

/** What users see of costs. @param {Costs} costs */
function ledgerOf({ requests, cost, costLeftAlone, unsure, unsureLeftAlone }) {
  return {
    requests,
    cost,
    costLeftAlone,
    range: { cost: [cost, cost + unsure], costLeftAlone: [costLeftAlone, costLeftAlone + unsureLeftAlone] },
  };
}

module.exports = { billOf, ledgerOf, NOTHING, sumOf, Totals };
