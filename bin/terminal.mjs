// @ts-check
/** Colours and size of the terminal that a stream writes to. */

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
