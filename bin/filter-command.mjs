// @ts-check
/** Commands that turn one text into another. */

import { readWords } from './command-line.mjs';
import { success, usageError } from './exit-codes.mjs';
import { loadLibrary } from './library.mjs';
import { UsageError } from './option-values.mjs';
import { printError, printFiltered, printOut } from './print.mjs';
import { readParts } from './text-input.mjs';

/**
 * @typedef {Readonly<Record<string, string | boolean | undefined>>} Values
 *
 * @typedef {object} Filter
 * @property {string} name
 * @property {string} help
 * @property {import('./command-line.mjs').Options} options in addition to `--help`
 * @property {(values: Values) => (parts: string[], library: import('./library.mjs').Library) => string} prepare parses the options and returns the filter
 */

const failed = 1;

/** @param {Filter} filter @param {string[]} words @returns {{ values: Values, file: string | undefined }} */
function readCommandLine({ options }, words) {
  const help = /** @type {const} */ ({ type: 'boolean', short: 'h' });
  const { values, positionals } = readWords(words, { ...options, help });
  if (positionals.length > 1) throw new UsageError(`expected one file or none, got ${positionals.length}`);
  return { values: /** @type {Values} */ (values), file: positionals[0] };
}

/** @param {Filter} filter @param {string[]} words @returns {Promise<number>} the exit code */
export async function runFilter(filter, words) {
  try {
    const { values, file } = readCommandLine(filter, words);
    if (values.help === true) {
      printOut(filter.help);
      return success;
    }
    const turn = filter.prepare(values);
    const library = loadLibrary();
    printFiltered(turn(await readParts(file), library));
    return success;
  } catch (error) {
    printError(`palimpsest ${filter.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? usageError : failed;
  }
}
