// @ts-check
/** Compares a run's cost with that of unmodified history. */

/**
 * @typedef {import('../provider/prompt-cache.mjs').Billed} Billed
 * @param {readonly { price: string, without: Billed, with: Billed }[]} rows
 * @returns {string}
 */
export function billText(rows) {
  const lines = [['prices', 'without', 'with palimpsest', '', 'tokens sent', '', 'prefix changes']];
  for (const { price, without, with: ours } of rows) {
    lines.push([
      price,
      count(without.cost),
      count(ours.cost),
      `${Math.round((ours.cost / without.cost) * 100)} %`,
      count(without.tokens),
      count(ours.tokens),
      `${without.changes} → ${ours.changes}`,
    ]);
  }
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines.map((line) => line.map((cell, column) => pad(cell, column, widths[column] ?? 0)).join('  ')).join('\n');
}

/** @param {string} cell @param {number} column @param {number} width */
const pad = (cell, column, width) => (column === 0 ? cell.padEnd(width) : cell.padStart(width));

/** @param {number} value */
const count = (value) => Math.round(value).toLocaleString('en-US');
