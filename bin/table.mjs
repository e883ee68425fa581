// @ts-check
/** Renders tables. Widths are terminal cells: a Chinese character or an emoji takes two. */
import { loadInternals } from './library.mjs';
import { printable } from './print.mjs';

/** @param {string} text @returns {number} cells */
export function displayWidth(text) {
  return loadInternals().display.displayWidth(text);
}

/** @typedef {(text: string) => string} Style */

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {'left' | 'right'} [align] default `left`
 * @property {number} [dropOrder] if the table is too wide, columns with the lowest number are dropped first
 * @property {boolean} [flexible] cut at its start if dropping columns isn't enough: the end of a path says more
 * @property {Style} [style]
 *
 * @typedef {{ indent?: string, hasTotal?: boolean }} TableOptions `hasTotal` draws a horizontal line above the last row
 */

/** A column with its text on the right. @param {string} title @param {Partial<Column>} [more] @returns {Column} */
export const right = (title, more) => ({ title, align: 'right', ...more });

const gap = '  ';
const minFlexible = 12;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes take no cells.
const colourSequence = /\u001B\[\d+m/g;

/**
 * Breaks long lines at spaces and indents continuation lines by two cells.
 *
 * @param {string} text @param {number} width cells
 */
export function wrapped(text, width) {
  const cells = (/** @type {string} */ part) => displayWidth(part.replace(colourSequence, ''));
  const broken = text.split('\n').map((line) => {
    if (cells(line) <= width) return line;
    const [indent = ''] = /^ */.exec(line) ?? [];
    const lines = [indent];
    for (const word of line.slice(indent.length).split(/(?<= )(?=[^ ])/)) {
      const last = lines.at(-1) ?? '';
      if (last.trim() === '' || cells(last) + cells(word.trimEnd()) <= width) lines[lines.length - 1] = last + word;
      else lines.push(`${indent === '' ? '' : `${indent}  `}${word}`);
    }
    return lines.map((one) => one.trimEnd()).join('\n');
  });
  return broken.join('\n');
}

/** @param {string} text @param {number} width @returns {string} the end of the text, after an ellipsis if it was cut */
function keepEnd(text, width) {
  if (displayWidth(text) <= width) return text;
  const { graphemesOf, graphemeWidth } = loadInternals().display;
  const graphemes = graphemesOf(text);
  let used = 1;
  let start = graphemes.length;
  while (start > 0) {
    const next = graphemeWidth(/** @type {string} */ (graphemes[start - 1]));
    if (used + next > width) break;
    used += next;
    start -= 1;
  }
  return `…${graphemes.slice(start).join('')}`;
}

/** @param {string} text @param {number} width @param {Column['align']} align @returns {string} */
function pad(text, width, align) {
  const fill = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'right' ? fill + text : text + fill;
}

/** @param {readonly Column[]} columns @param {readonly (readonly string[])[]} rows @returns {number[]} */
function columnWidths(columns, rows) {
  return columns.map(({ title }, index) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[index] ?? ''))),
  );
}

/** @param {readonly number[]} widths @returns {number} */
function totalWidth(widths) {
  return widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));
}

/**
 * @param {readonly Column[]} columns @param {readonly number[]} widths @param {number} available
 * @returns {number[]} indices of the columns that are kept
 */
function chooseColumns(columns, widths, available) {
  const dropOrders = new Set(columns.flatMap(({ dropOrder }) => (dropOrder === undefined ? [] : [dropOrder])));
  let kept = columns.map((_, index) => index);
  for (const dropOrder of [...dropOrders].sort((a, b) => a - b)) {
    const leastWidths = kept.map((index) => {
      const width = widths[index] ?? 0;
      return columns[index]?.flexible ? Math.min(width, 2 * minFlexible) : width;
    });
    if (totalWidth(leastWidths) <= available) break;
    kept = kept.filter((index) => columns[index]?.dropOrder !== dropOrder);
  }
  return kept;
}

/**
 * @param {readonly Column[]} allColumns @param {readonly (readonly string[])[]} allRows
 * @param {{ styles: { dim: Style }, width: number }} look of the terminal
 * @param {TableOptions} [options] @returns {string} lines, each with a line break
 */
export function renderTable(allColumns, allRows, look, { indent = '', hasTotal = false } = {}) {
  const available = look.width - indent.length;
  const rows = allRows.map((row) => row.map((cell) => printable(cell)));
  const allWidths = columnWidths(allColumns, rows);
  const kept = chooseColumns(allColumns, allWidths, available);
  const columns = kept.map((index) => /** @type {Column} */ (allColumns[index]));
  const widths = kept.map((index) => allWidths[index] ?? 0);
  const excess = totalWidth(widths) - available;
  const flexible = columns.findIndex((column) => column.flexible);
  if (excess > 0 && flexible >= 0) {
    widths[flexible] = Math.max(minFlexible, (widths[flexible] ?? 0) - excess);
  }
  /** @type {(cells: string[], styleOf: (column: Column) => Style | undefined) => string} */
  const line = (cells, styleOf) => {
    const padded = columns.map((column, position) => {
      const width = widths[position] ?? 0;
      const cell = pad(keepEnd(cells[position] ?? '', width), width, column.align);
      // Trailing spaces would wrap in a terminal that is one cell too narrow.
      const trimmed = position === columns.length - 1 ? cell.trimEnd() : cell;
      return styleOf(column)?.(trimmed) ?? trimmed;
    });
    return `${indent}${padded.join(gap)}`.trimEnd();
  };
  const titles = columns.map(({ title }) => title);
  const cellsOf = (/** @type {string[]} */ row) => kept.map((index) => row[index] ?? '');
  const lines = rows.map((row) => line(cellsOf(row), ({ style }) => style));
  if (hasTotal) lines.splice(-1, 0, indent + '─'.repeat(totalWidth(widths)));
  return `${[line(titles, () => look.styles.dim), ...lines].join('\n')}\n`;
}
