// @ts-check
/** Reads a command's words and runs it; an error becomes one sentence and an exit code. */
import { parseArgs } from 'node:util';
import { someFilesFailed, success, usageError } from './exit-codes.mjs';
import { UsageError } from './option-values.mjs';
import { printError, printOut } from './print.mjs';
import { didYouMean } from './suggestion.mjs';
import { messageOf } from './wording.mjs';

/**
 * @typedef {Readonly<Record<string, { type: 'string' | 'boolean', short?: string }>>} Options options of `parseArgs`
 * @typedef {Readonly<Record<string, string | boolean | undefined>>} Values
 */

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
    return success;
  } catch (error) {
    printError(`palimpsest ${name}: ${messageOf(error)}\n`);
    return error instanceof UsageError ? usageError : someFilesFailed;
  }
}

/**
 * @param {readonly string[]} words @param {Options} options
 * @returns {{ values: Values, positionals: string[] }} @throws {UsageError}
 */
function readWords(words, options) {
  let read;
  try {
    read = parseArgs({ args: withNegativeNumbers(words, options), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(explained(messageOf(error), options));
  }
  const { values, positionals } = read;
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
    const last = joined.at(-1) ?? '';
    const takesText = last.startsWith('--') && options[last.slice(2)]?.type === 'string';
    if (takesText && /^-\d/.test(word)) joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** The error of `parseArgs` in this command's words. @param {string} message @param {Options} options */
function explained(message, options) {
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
