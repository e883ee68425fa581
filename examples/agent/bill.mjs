// @ts-check
/** Compares a run's cost with that of unmodified history. */

/**
 * @typedef {import('../provider/prompt-cache.mjs').Billed} Billed
 * @param {readonly { price: string, without: Billed, with: Billed }[]} rows
 * @returns {string}
 */
export function billText(rows) {
  const words = [['prices', 'without', 'with palimpsest', '', 'tokens sent', '', 'prefix changes']];
  for (const { price, without, with: ours } of rows) {
    words.push([
      price,
      count(without.cost),
      count(ours.cost),
      `${Math.round((ours.cost / without.cost) * 100)} %`,
      count(without.tokens),
      count(ours.tokens),
      `${without.changes} → ${ours.changes}`,
    ]);
  }
  const widths = words[0]?.map((_, at) => Math.max(...words.map((line) => line[at]?.length ?? 0))) ?? [];
  return words.map((line) => line.map((word, at) => pad(word, at, widths[at] ?? 0)).join('  ')).join('\n');
}

/** @param {string} word @param {number} column @param {number} width */
const pad = (word, column, width) => (column === 0 ? word.padEnd(width) : word.padStart(width));

/** @param {number} value */
const count = (value) => Math.round(value).toLocaleString('en-US');
