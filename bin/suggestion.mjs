// @ts-check
/** “Did you mean”: finds the known word closest to an unknown one. */

const maxEdits = 2;

/** @param {string} a @param {string} b @returns {number} edit distance; a swap of adjacent characters counts as one edit */
function distance(a, b) {
  /** @type {number[][]} */
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (/** @type {number} */ row, /** @type {number} */ column) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let least = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) least = Math.min(least, at(row - 2, column - 2) + 1);
      current.push(least);
    }
  }
  return at(a.length, b.length);
}

/**
 * @param {string} word @param {Iterable<string>} known
 * @returns {string} text to append to a sentence; empty if no word is close
 */
export function didYouMean(word, known) {
  const near = [...known]
    .map((name) => ({ name, edits: name.startsWith(word) && word.length > 2 ? 0 : distance(word, name) }))
    .filter(({ name, edits }) => edits <= Math.min(maxEdits, name.length / 2))
    .sort((a, b) => a.edits - b.edits);
  return near[0] === undefined ? '' : `; did you mean “${near[0].name}”?`;
}
