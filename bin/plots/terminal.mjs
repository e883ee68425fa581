/** Draws curves as coloured braille dots, or as letters without colours. */
import { displayWidth } from '../table.mjs';
import { plural } from '../wording.mjs';
import { chartsOf, extentOf, legendOf, ticksOf } from './charts.mjs';

/**
 * @import { Chart } from './charts.mjs'
 * @import { Look, Styles } from '../print.mjs'
 * @typedef {keyof Styles} Colour
 * @typedef {{ dots: number, owner: number }} Cell `owner`: index of the curve that drew here last
 */

const rows = 16;
const minWidth = 60;
const maxWidth = 120;
/** Bits of a braille character's dots, by column and row. */
const dotBits = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
];
/** The curves in the order of drawing, and their letters without colours. @type {readonly [key: string, colour: Colour, letter: string][]} */
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

/** A cell has two braille dots across and four down. */
class Canvas {
  /** @param {number} columns */
  constructor(columns) {
    /** @type {Cell[][]} */
    this.cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ({ dots: 0, owner: -1 })));
    this.width = columns * 2;
    this.height = rows * 4;
  }

  /** @param {number} x @param {number} y from the bottom @param {number} owner */
  dot(x, y, owner) {
    const row = this.height - 1 - y;
    const cell = this.cells[row >> 2]?.[x >> 1];
    if (cell === undefined) return;
    cell.dots |= dotBits[x & 1]?.[row & 3] ?? 0;
    cell.owner = owner;
  }

  /** @param {readonly (readonly [number, number])[]} points ascending @param {number} owner */
  curve(points, owner) {
    let [fromX, fromY] = points[0] ?? [0, 0];
    for (const [x, y] of points) {
      const steps = Math.max(1, x - fromX, Math.abs(y - fromY));
      for (let step = 0; step <= steps; step += 1) {
        const share = step / steps;
        this.dot(Math.round(fromX + (x - fromX) * share), Math.round(fromY + (y - fromY) * share), owner);
      }
      [fromX, fromY] = [x, y];
    }
  }
}

/** @param {Chart} chart @param {number} columns in cells */
function drawnCanvas(chart, columns) {
  const canvas = new Canvas(columns);
  const extent = extentOf(chart);
  const x = (/** @type {number} */ request) => Math.round(((canvas.width - 1) * request) / extent.x);
  const y = (/** @type {number} */ value) => Math.round(((canvas.height - 1) * value) / extent.y);
  curves.forEach(([key], owner) => {
    const line = chart.lines.find((candidate) => candidate.key === key);
    const level = chart.levels.find((candidate) => candidate.key === key);
    if (line !== undefined) {
      const points = line.values.map((value, at) => /** @type {const} */ ([x(chart.requests[at] ?? 0), y(value)]));
      canvas.curve([[0, 0], ...points], owner);
    }
    if (level !== undefined) {
      const height = y(level.value);
      for (let at = canvas.width - 8; at < canvas.width; at++) canvas.dot(at, height, owner);
    }
  });
  return canvas;
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
  const ticks = new Map(
    ticksOf(highest, 4).map((value) => [rows - 1 - Math.floor((value / highest) * (rows - 0.01)), value]),
  );
  const labels = Array.from({ length: rows }, (_, row) => {
    const value = ticks.get(row);
    return value === undefined ? '' : chart.format(value);
  });
  const margin = Math.max(...labels.map(displayWidth));
  const columns = Math.max(20, Math.min(width, maxWidth) - margin - 3);
  const canvas = drawnCanvas(chart, columns);
  const lines = canvas.cells.map((cells, row) => {
    const label = labels[row] ?? '';
    const axis = label === '' ? '│' : '┤';
    const texts = cells.map(({ dots, owner }) => {
      const [, colour, letter] = curves[owner] ?? [];
      if (colour === undefined) return ' ';
      return look.hasColour ? styles[colour](String.fromCodePoint(0x2800 + dots)) : letter;
    });
    return `${styles.dim(`${label.padStart(margin)} ${axis}`)}${texts.join('')}`.trimEnd();
  });
  const last = String(chart.requests.at(-1) ?? 0);
  const axis = `${' '.repeat(margin + 1)}└${'─'.repeat(columns)}`;
  const numbers = `${' '.repeat(margin + 2)}0${`${last} requests`.padStart(columns - 1)}`;
  const head = `${styles.bold(chart.title)}\n${styles.dim(chart.subtitle)}`;
  const note = chart.notes?.length ? [styles.dim(`  ${chart.notes.join(' ')}`)] : [];
  return [head, '', ...lines, styles.dim(axis), styles.dim(numbers), ...legend(chart, look), ...note, ''].join('\n');
}

/**
 * The plots of a report: all if the user asked for them, else that of a single session if it fits the terminal.
 * @param {import('../accounts/read.mjs').Accounts} accounts read with curves @param {Look} look
 * @param {boolean} isAsked
 */
export function terminalPlots(accounts, look, isAsked) {
  const { charts, omitted } = chartsOf(accounts);
  const isFitting = charts.length === 1 && look.isTerminal && fits(look.width, look.height);
  if (!isAsked && !isFitting) return '';
  const more = omitted > 0 ? `${plural(omitted, 'more session')} that cost less aren’t drawn.\n` : '';
  return `${charts.map((chart) => terminalPlot(chart, look)).join('\n')}\n${more}`;
}
