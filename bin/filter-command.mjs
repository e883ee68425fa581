// @ts-check
/** Runs a command that reads one text and prints another: `truncate`, `sanitize`. */
import { runCommand } from './command-line.mjs';
import { success } from './exit-codes.mjs';
import { loadLibrary } from './library.mjs';
import { UsageError } from './option-values.mjs';
import { printFiltered } from './print.mjs';
import { readParts } from './text-input.mjs';

/**
 * @typedef {object} Filter
 * @property {string} name
 * @property {string} help
 * @property {import('./command-line.mjs').Options} options in addition to `--help`
 * @property {(values: import('./command-line.mjs').Values) => (parts: string[], library: import('./library.mjs').Library) => string} prepare parses
 *   the options and returns the filter
 */

/** @param {Filter} filter @param {string[]} words @returns {Promise<number>} the exit code */
export function runFilter(filter, words) {
  const help = /** @type {const} */ ({ type: 'boolean', short: 'h' });
  return runCommand(words, { ...filter, options: { ...filter.options, help } }, async (values, files) => {
    if (files.length > 1) throw new UsageError(`expected one file or none, got ${files.length}`);
    const convert = filter.prepare(values);
    const library = loadLibrary();
    printFiltered(convert(await readParts(files[0]), library));
    return success;
  });
}
