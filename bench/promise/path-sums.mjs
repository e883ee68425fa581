// @ts-check
/**
 * Cost of the requests on each path in a tree of prompts, with a view and with unmodified history. A node is a prefix of
 * a prompt.
 */
export class PathSums {
  /** Sums by node where a request ends. @type {Map<number, { ours: number, alone: number }>} */ #sumsByEnd = new Map();

  /**
   * Adds a request and returns the cost of all requests on its path so far.
   * @param {readonly number[]} nodes of its stored messages
   * @param {number} ours cost with a view
   * @param {number} alone cost with unmodified history
   */
  add(nodes, ours, alone) {
    const end = /** @type {number} */ (nodes.at(-1));
    const sums = this.#sumsByEnd.get(end) ?? { ours: 0, alone: 0 };
    this.#sumsByEnd.set(end, { ours: sums.ours + ours, alone: sums.alone + alone });
    const sum = { ours: 0, alone: 0 };
    for (const node of nodes) {
      const costs = this.#sumsByEnd.get(node);
      if (costs === undefined) continue;
      sum.ours += costs.ours;
      sum.alone += costs.alone;
    }
    return sum;
  }
}
