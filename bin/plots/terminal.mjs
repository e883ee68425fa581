// @ts-check
/** Draws curves as coloured braille dots, or as letters without colours. */
import { displayWidth } from '../table.mjs';
import { plural } from '../wording.mjs';
import { chartsOf, extentOf, legendOf, ticksOf } from './charts.mjs';

/** @import { Chart } from './charts.mjs' */
/** @import { Look, Styles } from '../print.mjs' */
/** @typedef {keyof Styles} Colour */
/** @typedef {{ dots: number, owner: number }} Cell `owner`: index of the curve that drew here last */

const [rows, minWidth, maxWidth] = [16, 60, 120];
/** Bits of a braille character's dots, by column and row. */
const dotBits = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
];
/** In the order of drawing; `letter`: without colours. @type {[key: string, colour: Colour, letter: string][]} */
const curves = [
  ['leave-alone', 'yellow', 'L'],
  ['every-request', 'red', 'E'],
  ['batches-20k', 'magenta', 'b'],
  ['batches-30k', 'magenta', 'B'],
  ['clear-above-100k', 'blue', 'C'],
  ['hindsight', 'green', 'H'],
  ['view', 'cyan', 'V'],
  ['paid', 'bold', 'P'],
];

/** @param {number} width @param {number} height cells of the terminal */
export const fits = (width, height) => width >= minWidth && height > rows + curves.length + 6;

/** Rows of cells, each with two braille dots across and four down. @param {Chart} chart @param {number} columns */
function drawnCells(chart, columns) {
  /** @type {Cell[][]} */
  const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ({ dots: 0, owner: -1 })));
  const [width, height] = [columns * 2, rows * 4];
  const extent = extentOf(chart);
  const xOf = (/** @type {number} */ request) => Math.round(((width - 1) * request) / extent.x);
  const yOf = (/** @type {number} */ value) => Math.round(((height - 1) * value) / extent.y);
  curves.forEach(([key], owner) => {
    const dot = (/** @type {number} */ x, /** @type {number} */ y) => {
      const row = height - 1 - y;
      const cell = cells[row >> 2]?.[x >> 1];
      if (cell === undefined) return;
      cell.dots |= dotBits[x & 1]?.[row & 3] ?? 0;
      cell.owner = owner;
    };
    const line = chart.lines.find((candidate) => candidate.key === key);
    let [fromX, fromY] = [0, 0];
    for (const [at, value] of line?.values.entries() ?? []) {
      const [x, y] = [xOf(chart.requests[at] ?? 0), yOf(value)];
      const steps = Math.max(1, x - fromX, Math.abs(y - fromY));
      for (let step = 0; step <= steps; step += 1) {
        const share = step / steps;
        dot(Math.round(fromX + (x - fromX) * share), Math.round(fromY + (y - fromY) * share));
      }
      [fromX, fromY] = [x, y];
    }
    const level = chart.levels.find((candidate) => candidate.key === key);
    if (level !== undefined) for (let x = width - 8; x < width; x++) dot(x, yOf(level.value));
  });
  return cells;
}

/** @param {Chart} chart @param {Look} look */
function legend(chart, { styles, hasColour }) {
  const all = legendOf(chart).map(({ key, name, cost }) => {
    const [, colour, letter = ' '] = curves.find(([known]) => known === key) ?? [];
    const mark = colour !== undefined && hasColour ? styles[colour]('━━') : letter;
    return { mark, name, figure: chart.format(cost) };
  });
  const nameWidth = Math.max(...all.map(({ name }) => name.length));
  const figureWidth = Math.max(...all.map(({ figure }) => figure.length));
  return all.map(({ mark, name, figure }) => `  ${mark} ${name.padEnd(nameWidth)}  ${figure.padStart(figureWidth)}`);
}

/** @param {Chart} chart @param {Look} look */
export function terminalPlot(chart, look) {
  const { styles, width } = look;
  const { y: highest } = extentOf(chart);
  const labels = Array.from({ length: rows }, () => '');
  for (const tick of ticksOf(highest, 4)) {
    labels[rows - 1 - Math.floor((tick / highest) * (rows - 0.01))] = chart.format(tick);
  }
  const margin = Math.max(...labels.map(displayWidth));
  const columns = Math.max(20, Math.min(width, maxWidth) - margin - 3);
  const lines = drawnCells(chart, columns).map((cells, row) => {
    const label = labels[row] ?? '';
    const axis = label === '' ? '│' : '┤';
    const texts = cells.map(({ dots, owner }) => {
      const [, colour, letter] = curves[owner] ?? [];
      if (colour === undefined) return ' ';
      return look.hasColour ? styles[colour](String.fromCodePoint(0x2800 + dots)) : letter;
    });
    return `${styles.dim(`${label.padStart(margin)} ${axis}`)}${texts.join('')}`.trimEnd();
  });
  const last = `${chart.requests.at(-1) ?? 0} requests`;
  const axis = `${' '.repeat(margin + 1)}└${'─'.repeat(columns)}`;
  const numbers = `${' '.repeat(margin + 2)}0${last.padStart(columns - 1)}`;
  const head = `${styles.bold(chart.title)}\n${styles.dim(chart.subtitle)}`;
  const note = chart.notes?.length ? [styles.dim(`  ${chart.notes.join(' ')}`)] : [];
  return [head, '', ...lines, styles.dim(axis), styles.dim(numbers), ...legend(chart, look), ...note, ''].join('\n');
}

/**
 * The plots of a report: all if the user asked for them, else that of a single session if it fits the terminal.
 * @param {import('../accounts/read.mjs').Accounts} accounts with curves @param {Look} look @param {boolean} isAsked
 */
export function terminalPlots(accounts, look, isAsked) {
  const { charts, omitted } = chartsOf(accounts);
  const isFitting = charts.length === 1 && look.isTerminal && fits(look.width, look.height);
  if (!isAsked && !isFitting) return '';
  const more = omitted > 0 ? `${plural(omitted, 'more session')} that cost less aren’t drawn.\n` : '';
  return `${charts.map((chart) => terminalPlot(chart, look)).join('\n')}\n${more}`;
}
