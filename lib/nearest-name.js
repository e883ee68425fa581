// @ts-check
'use strict';

/** The name that was probably meant; undefined if all names differ too much. @param {string} given a misspelt name @param {readonly string[]} names */
function nearestName(given, names) {
  const maxEdits = given.length < 4 ? 1 : Math.max(2, Math.floor(given.length / 3));
  let nearest;
  let fewestEdits = maxEdits + 1;
  for (const name of names) {
    const edits = editsBetween(given.toLowerCase(), name.toLowerCase());
    if (edits < fewestEdits) [nearest, fewestEdits] = [name, edits];
  }
  return nearest;
}

/** Levenshtein distance. @param {string} one @param {string} other */
function editsBetween(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const replaced = /** @type {number} */ (row[column - 1]) + (one[line - 1] === other[column - 1] ? 0 : 1);
      next.push(
        Math.min(replaced, /** @type {number} */ (row[column]) + 1, /** @type {number} */ (next[column - 1]) + 1),
      );
    }
    row = next;
  }
  return /** @type {number} */ (row[other.length]);
}

module.exports = { nearestName };
