// @ts-check

/** Cost of the requests on each path in a tree of prompts, in two accounts. */
export class PathSums {
  /** Sums by node where a request ends. @type {Map<number, { ours: number, alone: number }>} */ #at = new Map();

  /**
   * Adds a request and returns the cost of all requests on its path so far.
   * @param {readonly number[]} nodes of its stored messages
   * @param {number} ours
   * @param {number} alone
   */
  add(nodes, ours, alone) {
    const end = /** @type {number} */ (nodes.at(-1));
    const sums = this.#at.get(end) ?? { ours: 0, alone: 0 };
    this.#at.set(end, { ours: sums.ours + ours, alone: sums.alone + alone });
    const sum = { ours: 0, alone: 0 };
    for (const node of nodes) {
      const costs = this.#at.get(node);
      if (costs === undefined) continue;
      sum.ours += costs.ours;
      sum.alone += costs.alone;
    }
    return sum;
  }
}
