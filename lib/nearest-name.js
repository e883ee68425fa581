// @ts-check
'use strict';

/** @param {string} given a misspelt name @param {readonly string[]} names */
function nearestName(given, names) {
  let nearest;
  let least = (given.length < 4 ? 1 : Math.max(2, Math.floor(given.length / 3))) + 1;
  for (const name of names) {
    const edits = editsBetween(given.toLowerCase(), name.toLowerCase());
    if (edits < least) [nearest, least] = [name, edits];
  }
  return nearest;
}

/** Levenshtein distance. @param {string} one @param {string} other */
function editsBetween(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let column = 1; column <= other.length; column++) {
      const changed = /** @type {number} */ (row[column - 1]) + (one[at - 1] === other[column - 1] ? 0 : 1);
      next.push(
        Math.min(changed, /** @type {number} */ (row[column]) + 1, /** @type {number} */ (next[column - 1]) + 1),
      );
    }
    row = next;
  }
  return /** @type {number} */ (row[other.length]);
}

module.exports = { nearestName };
