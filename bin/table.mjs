// @ts-check
/** Renders tables. Widths are terminal cells: a Chinese character or an emoji takes two. */
import { loadInternals } from './library.mjs';
import { printable } from './print.mjs';

/**
 * @import { Style } from './print.mjs'
 * @typedef {object} Column
 * @property {string} title
 * @property {'left' | 'right'} [align] default `left`
 * @property {number} [dropOrder] if the table is too wide, columns with the lowest number are dropped first
 * @property {boolean} [flexible] cut at its start if dropping columns isn't enough: the end of a path says more
 * @property {Style} [style]
 */

/** A column with its text on the right. @param {string} title @param {Partial<Column>} [more] @returns {Column} */
export const right = (title, more) => ({ title, align: 'right', ...more });

const gap = '  ';
const minFlexible = 12;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes take no cells.
const colourSequence = /\u001B\[\d+m/g;

/** In cells. @param {string} text @returns {number} */
export const displayWidth = (text) => loadInternals().display.displayWidth(text);

/** Breaks lines at spaces; indents continuation lines by two cells. @param {string} text @param {number} width */
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

/** The end of the text, after an ellipsis if it was cut. @param {string} text @param {number} width */
function keepEnd(text, width) {
  if (displayWidth(text) <= width) return text;
  const { graphemesOf, graphemeWidth } = loadInternals().display;
  const graphemes = graphemesOf(text);
  let start = graphemes.length;
  for (let used = 1; start > 0; start -= 1) {
    used += graphemeWidth(/** @type {string} */ (graphemes[start - 1]));
    if (used > width) break;
  }
  return `…${graphemes.slice(start).join('')}`;
}

/** @param {readonly number[]} widths */
const totalWidth = (widths) => widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));

/** @typedef {{ index: number, column: Column, width: number }} Placed `index`: of its cells in each row */

/** The columns that fit. @param {Placed[]} all @param {number} available */
function fittingColumns(all, available) {
  const leastWidth = (/** @type {Placed} */ { column, width }) =>
    column.flexible ? Math.min(width, 2 * minFlexible) : width;
  let kept = all;
  const dropOrders = new Set(all.flatMap(({ column }) => column.dropOrder ?? []));
  for (const dropOrder of [...dropOrders].sort((a, b) => a - b)) {
    if (totalWidth(kept.map(leastWidth)) <= available) break;
    kept = kept.filter(({ column }) => column.dropOrder !== dropOrder);
  }
  const excess = totalWidth(kept.map(({ width }) => width)) - available;
  const flexible = kept.find(({ column }) => column.flexible);
  if (excess > 0 && flexible) flexible.width = Math.max(minFlexible, flexible.width - excess);
  return kept;
}

/**
 * @param {readonly Column[]} columns @param {readonly (readonly string[])[]} allRows
 * @param {{ styles: { dim: Style }, width: number }} look of the terminal
 * @param {{ indent?: string, hasTotal?: boolean }} [options] `hasTotal` draws a horizontal line above the last row
 * @returns {string} lines, each with a line break
 */
export function renderTable(columns, allRows, look, { indent = '', hasTotal = false } = {}) {
  const rows = allRows.map((row) => row.map((cell) => printable(cell)));
  const all = columns.map((column, index) => {
    const cells = [column.title, ...rows.map((row) => row[index] ?? '')];
    return { index, column, width: Math.max(...cells.map(displayWidth)) };
  });
  const kept = fittingColumns(all, look.width - indent.length);
  const line = (/** @type {readonly string[]} */ row, /** @type {boolean} */ isHead) => {
    const cells = kept.map(({ index, column, width }, position) => {
      const text = keepEnd(row[index] ?? '', width);
      const fill = ' '.repeat(Math.max(0, width - displayWidth(text)));
      const cell = column.align === 'right' ? fill + text : text + fill;
      // Trailing spaces would wrap in a terminal that is one cell too narrow.
      const trimmed = position === kept.length - 1 ? cell.trimEnd() : cell;
      const style = isHead ? look.styles.dim : column.style;
      return style?.(trimmed) ?? trimmed;
    });
    return `${indent}${cells.join(gap)}`.trimEnd();
  };
  const titles = columns.map(({ title }) => title);
  const [head, ...lines] = [titles, ...rows].map((row) => line(row, row === titles));
  if (hasTotal) lines.splice(-1, 0, indent + '─'.repeat(totalWidth(kept.map(({ width }) => width))));
  return `${[head, ...lines].join('\n')}\n`;
}
