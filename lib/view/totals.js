// @ts-check
'use strict';

/** @typedef {import('./context-view.js').Costs} Costs */

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

module.exports = { Totals };
