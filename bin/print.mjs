// @ts-check
/** The only file of the command that writes to standard output and standard error, so that all passes {@link printable}. */
import { printable, printableJson } from './printable.mjs';
import { lookOf, stylesFor } from './terminal.mjs';

/** Colours of this command's own tables and of logs. */
const colour =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
  /(\u001B\[[\d;]*m)/;

/** @param {string} text @returns {string} with line breaks, tabs and colours */
function withColours(text) {
  return text
    .split(colour)
    .map((part, index) => (index % 2 === 1 ? part : printable(part, '\n\t')))
    .join('');
}

/** Tables and pages; texts of files in them have passed {@link printable} before they were coloured. @param {string} text */
export function printOut(text) {
  process.stdout.write(lookOf(process.stdout).hasColour ? withColours(text) : printable(text, '\n\t'));
}

/** What a filter has made of its input: byte for byte in a pipe, harmless on a terminal. @param {string} text */
export function printFiltered(text) {
  process.stdout.write(process.stdout.isTTY ? withColours(text) : text);
}

/** @param {unknown} value @param {(name: string, value: unknown) => unknown} [replacer] */
export function printJson(value, replacer) {
  process.stdout.write(`${printableJson(JSON.stringify(value, replacer, 2))}\n`);
}

/** Lines on standard error. @param {string} text */
export function printError(text) {
  process.stderr.write(printable(text, '\n'));
}

/** @param {'error' | 'note' | 'interrupted'} label @param {string} text */
export function printLabelled(label, text) {
  const { red, yellow } = stylesFor(process.stderr);
  process.stderr.write(`${label === 'error' ? red(label) : yellow(label)}: ${printable(text, '\n')}\n`);
}

/** Draws over the last line of a terminal. @param {string} text empty to leave it blank */
export function printProgress(text) {
  process.stderr.write(`\r\u001B[K${printable(text)}`);
}
