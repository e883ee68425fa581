// @ts-check
/** Reads a command's words and runs it; an error becomes one sentence and an exit code. */
import { parseArgs } from 'node:util';
import { UsageError } from './option-values.mjs';
import { printError, printOut } from './print.mjs';
import { messageOf } from './wording.mjs';

/**
 * @typedef {Readonly<Record<string, { type: 'string' | 'boolean', short?: string }>>} Options options of `parseArgs`
 * @typedef {Readonly<Record<string, string | boolean | undefined>>} Values
 */

export const exitCodes = {
  success: 0,
  /** At least one file failed; the others were processed. */
  failure: 1,
  usageError: 2,
  /** 128 + SIGINT, the exit code that shells report. */
  interrupted: 130,
};

/**
 * @param {readonly string[]} words @param {{ name: string, help: string, options: Options }} command
 * @param {(values: Values, positionals: string[]) => number | Promise<number>} work not called if `--help` is among the words
 * @returns {Promise<number>} the exit code
 */
export async function runCommand(words, { name, help, options }, work) {
  try {
    const { values, positionals } = readWords(words, options);
    if (values.help !== true) return await work(values, positionals);
    printOut(help);
    return exitCodes.success;
  } catch (error) {
    printError(`palimpsest ${name}: ${messageOf(error)}\n`);
    return error instanceof UsageError ? exitCodes.usageError : exitCodes.failure;
  }
}

/**
 * @param {readonly string[]} words @param {Options} options
 * @returns {{ values: Values, positionals: string[] }} @throws {UsageError}
 */
function readWords(words, options) {
  let parsed;
  try {
    parsed = parseArgs({ args: withNegativeNumbers(words, options), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(usageSentence(messageOf(error), options));
  }
  const { values, positionals } = parsed;
  if (values.json === true && values.csv === true) {
    throw new UsageError('--json and --csv: expected one of them, got both');
  }
  return { values: /** @type {Values} */ (values), positionals };
}

/**
 * Joins `--limit -5` to `--limit=-5`: `parseArgs` calls the first form ambiguous, which would hide that the number is negative.
 * @param {readonly string[]} words @param {Options} options
 */
function withNegativeNumbers(words, options) {
  /** @type {string[]} */ const joined = [];
  for (const word of words) {
    const previous = joined.at(-1) ?? '';
    const takesText = previous.startsWith('--') && options[previous.slice(2)]?.type === 'string';
    if (takesText && /^-\d/.test(word)) joined[joined.length - 1] = `${previous}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** The error of `parseArgs` in this command's words. @param {string} message @param {Options} options */
function usageSentence(message, options) {
  const unknownOption = /Unknown option '(--?[^']+)'/.exec(message)?.[1];
  if (unknownOption !== undefined) {
    const names = Object.keys(options).map((name) => `--${name}`);
    return `unknown option “${unknownOption}”${didYouMean(unknownOption, names) || `; known: ${names.join(', ')}`}`;
  }
  const [, option] = /Option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:is ambiguous|missing)/.exec(message) ?? [];
  return option === undefined
    ? message
    : `${option}: expected a value behind it (one that begins with “-” as ${option}=-…)`;
}

/** A known word with more edits than this is not suggested. */
const maxEdits = 2;

/** @param {string} a @param {string} b @returns {number} edit distance; a swap of adjacent characters counts as one edit */
function editDistance(a, b) {
  /** The distance between the first `row` characters of `a` and the first `column` of `b`. @type {number[][]} */
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const distance = (/** @type {number} */ row, /** @type {number} */ column) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = distance(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let least = Math.min(distance(row - 1, column) + 1, distance(row, column - 1) + 1, replaced);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) least = Math.min(least, distance(row - 2, column - 2) + 1);
      current.push(least);
    }
  }
  return distance(a.length, b.length);
}

/**
 * Suggests the known word that is closest to an unknown one.
 * @param {string} word @param {Iterable<string>} known
 * @returns {string} text to append to a sentence; empty if no word is close
 */
export function didYouMean(word, known) {
  const near = [...known]
    .map((name) => ({ name, edits: name.startsWith(word) && word.length > 2 ? 0 : editDistance(word, name) }))
    .filter(({ name, edits }) => edits <= Math.min(maxEdits, name.length / 2))
    .sort((a, b) => a.edits - b.edits);
  return near[0] === undefined ? '' : `; did you mean “${near[0].name}”?`;
}
