// @ts-check
/** Parses command lines; an error is one sentence. */
import { parseArgs } from 'node:util';
import { UsageError } from './option-values.mjs';
import { didYouMean } from './suggestion.mjs';

/** @typedef {Readonly<Record<string, { type: 'string' | 'boolean', short?: string }>>} Options */

/**
 * @template {Options} T
 * @param {readonly string[]} words
 * @param {T} options options of `parseArgs`
 * @returns the result of `parseArgs`
 * @throws {UsageError}
 */
export function readWords(words, options) {
  let read;
  try {
    read = parseArgs({ args: withNegativeNumbers(words, options), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(sentence(error, options));
  }
  const { json, csv } = /** @type {Record<string, unknown>} */ (read.values);
  if (json === true && csv === true) throw new UsageError('--json and --csv: expected one of them, got both');
  return read;
}

/** Joins `--limit -5` to `--limit=-5`: `parseArgs` calls the first form ambiguous and hides the real error, a negative number. @param {readonly string[]} words @param {Options} options */
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

/** @param {unknown} error what `parseArgs` threw @param {Options} options */
function sentence(error, options) {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /Unknown option '(--?[^']+)'/.exec(message)?.[1];
  if (unknown !== undefined) {
    const names = Object.keys(options).map((name) => `--${name}`);
    return `unknown option “${unknown}”${didYouMean(unknown, names) || `; known: ${names.join(', ')}`}`;
  }
  const [, bare] = /Option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:is ambiguous|missing)/.exec(message) ?? [];
  return bare === undefined ? message : `${bare}: expected a value behind it (one that begins with “-” as ${bare}=-…)`;
}
