// @ts-check
/** Colours and size of the terminal that a stream writes to, and a progress line on it. */
import { printable } from './printable.mjs';

/**
 * @typedef {import('node:tty').WriteStream | NodeJS.WriteStream} Output
 * @typedef {import('./table.mjs').Style} Style
 * @typedef {Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan', Style>} Styles
 * @typedef {{ styles: Styles, hasColour: boolean, width: number, height: number, isTerminal: boolean }} Look
 */

/** @param {Output} stream @returns {boolean} */
function wantsColour(stream) {
  // https://no-color.org: any non-empty value disables colour.
  return Boolean(stream.isTTY) && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

/** @param {Output} stream @returns {Styles} */
export function stylesFor(stream) {
  const colour = wantsColour(stream);
  /** @type {(on: number, off: number) => Style} */
  const style = (on, off) => (text) => (colour && text !== '' ? `\u001B[${on}m${text}\u001B[${off}m` : text);
  const colours = { red: style(31, 39), green: style(32, 39), yellow: style(33, 39), blue: style(34, 39) };
  return { bold: style(1, 22), dim: style(2, 22), ...colours, magenta: style(35, 39), cyan: style(36, 39) };
}

/** @param {Output} stream @returns {number} cells per line */
export function widthOf(stream) {
  const fromEnvironment = Number.parseInt(process.env.COLUMNS ?? '', 10);
  if (stream.isTTY && stream.columns > 0) return stream.columns;
  return fromEnvironment > 0 ? fromEnvironment : 80;
}

/** @param {Output} stream @returns {Look} */
export function lookOf(stream) {
  return {
    styles: stylesFor(stream),
    hasColour: wantsColour(stream),
    width: widthOf(stream),
    height: stream.isTTY && stream.rows > 0 ? stream.rows : 0,
    isTerminal: Boolean(stream.isTTY),
  };
}

/** On a terminal, no progress is shown before this time, except for a file of at least `largeBytes`. */
const quietMs = 300;
const largeBytes = 16 * 1024 * 1024;
/** Elsewhere, only more files than `maxSilentFiles` have progress: a line per interval. */
const lineEveryMs = 1000;
const maxSilentFiles = 3;

/** Shows which file is read. @param {Output} stream @param {number} total number of files */
export function createProgress(stream, total) {
  const started = performance.now();
  let lastLine = started;
  let shown = false;
  const clear = () => {
    if (shown) stream.write('\r\u001B[K');
    shown = false;
  };
  return {
    /** @param {number} number from 1 @param {string} name @param {number} bytes */
    step(number, name, bytes) {
      const now = performance.now();
      const text = printable(`${number} of ${total}: ${name}`);
      if (stream.isTTY) {
        clear();
        if (now - started < quietMs && bytes < largeBytes) return;
        stream.write(text.slice(0, widthOf(stream) - 1));
        shown = true;
      } else if (total > maxSilentFiles && now - lastLine > lineEveryMs) {
        stream.write(`${text}\n`);
        lastLine = now;
      }
    },
    /** Call this before anything else is written to the terminal. */
    clear,
  };
}
