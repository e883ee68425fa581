// @ts-check
/** Finds circular imports. */

/** For each file, the files that it imports. @typedef {Map<string, Set<string>>} ImportGraph */

/**
 * Groups of files that import each other, directly or through others, each group sorted. They are the strongly connected
 * components of the graph, found by Tarjan's algorithm.
 * @param {ImportGraph} graph @returns {string[][]}
 */
export function importCircles(graph) {
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const visited = new Map();
  /** @type {string[]} */
  const open = [];
  /** @type {string[][]} */
  const circles = [];

  /** @param {string} file */
  function visit(file) {
    const state = { index: visited.size, low: visited.size, open: true };
    visited.set(file, state);
    open.push(file);
    for (const imported of graph.get(file) ?? []) {
      const known = visited.get(imported);
      if (known === undefined) state.low = Math.min(state.low, visit(imported).low);
      else if (known.open) state.low = Math.min(state.low, known.index);
    }
    if (state.low === state.index) {
      const members = open.splice(open.indexOf(file));
      for (const member of members) Object.assign(visited.get(member) ?? {}, { open: false });
      if (members.length > 1 || graph.get(file)?.has(file)) circles.push(members.toSorted());
    }
    return state;
  }

  for (const file of graph.keys()) if (!visited.has(file)) visit(file);
  return circles;
}
