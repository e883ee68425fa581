// @ts-check
'use strict';

/** @typedef {{ requests: number, cost: number, costLeftAlone: number }} Costs */

/** Sums over views what they have cost, each request once: a view that branches off from another begins with that one's costs. */
class Totals {
  #costsOf;
  /** What of each view is in the sum. @type {WeakMap<object, Costs>} */
  #counted = new WeakMap();
  #sum = { requests: 0, cost: 0, costLeftAlone: 0 };

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
    this.#sum.requests += now.requests - before.requests;
    this.#sum.cost += now.cost - before.cost;
    this.#sum.costLeftAlone += now.costLeftAlone - before.costLeftAlone;
    this.#counted.set(view, now);
  }

  /** @returns {Costs} */
  sum() {
    return { ...this.#sum };
  }
}

/** @type {Costs} */
const NOTHING = Object.freeze({ requests: 0, cost: 0, costLeftAlone: 0 });

module.exports = { Totals };
