// @ts-check
/** The only file of the command that writes to stdout and stderr, so that all output passes {@link printable}. */
import { printable, printableJson } from './printable.mjs';
import { lookOf, stylesFor } from './terminal.mjs';

/** Colour sequences, from this command's tables or from logs. */
const colour =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
  /(\u001B\[[\d;]*m)/;

/** @param {string} text @returns {string} escaped, except line breaks, tabs and colours */
function withColours(text) {
  return text
    .split(colour)
    .map((part, index) => (index % 2 === 1 ? part : printable(part, '\n\t')))
    .join('');
}

/** Prints tables and pages. Texts from files must pass {@link printable} before they are coloured. @param {string} text */
export function printOut(text) {
  process.stdout.write(lookOf(process.stdout).hasColour ? withColours(text) : printable(text, '\n\t'));
}

/** Prints a filter's output: unchanged in a pipe, escaped on a terminal. @param {string} text */
export function printFiltered(text) {
  process.stdout.write(process.stdout.isTTY ? withColours(text) : text);
}

/** @param {unknown} value @param {(name: string, value: unknown) => unknown} [replacer] */
export function printJson(value, replacer) {
  process.stdout.write(`${printableJson(JSON.stringify(value, replacer, 2))}\n`);
}

/** Prints lines on stderr. @param {string} text */
export function printError(text) {
  process.stderr.write(printable(text, '\n'));
}

/** @param {'error' | 'note' | 'interrupted'} label @param {string} text */
export function printLabelled(label, text) {
  const { red, yellow } = stylesFor(process.stderr);
  process.stderr.write(`${label === 'error' ? red(label) : yellow(label)}: ${printable(text, '\n')}\n`);
}

/** Overwrites the last line of a terminal. @param {string} text empty clears the line */
export function printProgress(text) {
  process.stderr.write(`\r\u001B[K${printable(text)}`);
}
