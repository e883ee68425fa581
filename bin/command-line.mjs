// @ts-check
/** The commands; reads a command's words and runs it. An error becomes one sentence and an exit code. */
import { parseArgs } from 'node:util';
import { UsageError } from './option-values.mjs';
import { printError, printOut } from './print.mjs';
import { messageOf } from './wording.mjs';

/**
 * @typedef {Readonly<Record<string, (text: string, option: string) => any>>} Options the parser of each option's value;
 *   `Boolean` for a flag
 * @typedef {Readonly<Record<string, any>>} Values
 * @typedef {(values: Values, positionals: string[], afterDashes: string[]) => Promise<number | void>} Work returns the
 *   exit code, by default 0; `afterDashes`: the positionals after `--`
 * @typedef {{ help: string, options: Options, work: Work }} Command
 */

/** `failure`: at least one file failed, the others were processed; `interrupted`: 128 + SIGINT, as shells report it. */
export const exitCodes = { success: 0, failure: 1, usageError: 2, interrupted: 130 };

/** @type {Readonly<Record<string, string>>} */ const summaries = {
  report: 'show what fills recorded sessions, and what of it is outdated',
  simulate: 'show what recorded sessions cost, and would have cost otherwise',
  sessions: 'list the sessions that agents have recorded',
  tokens: 'count the tokens of recorded sessions by kind',
  view: 'show a recorded session as a page',
  run: 'start an agent, and leave outdated results out of its requests',
  gateway: 'serve agents that are started elsewhere, as run does',
  truncate: 'cut a command’s output as a model would see it',
  completion: 'print what completes commands and options in a shell',
  sanitize: 'take binary data out of the JSON of tool results',
};

/**
 * A command is loaded when it runs or shows its help; loading it never loads an addon.
 * @type {ReadonlyMap<string, { summary: string, load: () => Promise<Command> }>}
 */
export const commands = new Map(
  Object.entries(summaries).map(([name, summary]) => [name, { summary, load: () => import(`./commands/${name}.mjs`) }]),
);

/** Returns the exit code. @param {string} name @param {Command} command @param {readonly string[]} words */
export async function runCommand(name, { help, options, work }, words) {
  try {
    const end = words.includes('--') ? words.indexOf('--') : words.length;
    const afterDashes = words.slice(end + 1);
    const { values, positionals } = readWords(words.slice(0, end), options);
    if (values.help === true) {
      printOut(help);
      return exitCodes.success;
    }
    const parsed = Object.entries(options).map(([option, parse]) => {
      const value = values[option];
      return [option, typeof value === 'string' ? parse(value, `--${option}`) : value];
    });
    const code = await work(Object.fromEntries(parsed), [...positionals, ...afterDashes], afterDashes);
    return code ?? exitCodes.success;
  } catch (error) {
    printError(`palimpsest ${name}: ${messageOf(error)}\n`);
    return error instanceof UsageError ? exitCodes.usageError : exitCodes.failure;
  }
}

/** @param {Options} options @returns {NonNullable<import('node:util').ParseArgsConfig['options']>} */
export function optionsOfParseArgs(options) {
  const entries = Object.entries(options).map(([name, parse]) => {
    return [name, { type: parse === Boolean ? 'boolean' : 'string', ...(name === 'help' && { short: 'h' }) }];
  });
  return Object.fromEntries(entries);
}

/** @param {readonly string[]} words @param {Options} options @throws {UsageError} */
function readWords(words, options) {
  /** @type {string[]} */ const args = [];
  for (const word of words) {
    const previous = args.at(-1) ?? '';
    const parse = previous.startsWith('--') ? options[previous.slice(2)] : undefined;
    const takesText = parse !== undefined && parse !== Boolean;
    // `parseArgs` calls `--limit -5` ambiguous, which would hide that the number is negative.
    if (takesText && /^-\d/.test(word)) args[args.length - 1] = `${previous}=${word}`;
    else args.push(word);
  }
  try {
    const { values, positionals } = parseArgs({ args, options: optionsOfParseArgs(options), allowPositionals: true });
    if (values.json !== true || values.csv !== true) return { values, positionals };
  } catch (error) {
    throw new UsageError(usageSentence(messageOf(error), options));
  }
  throw new UsageError('--json and --csv: expected one of them, got both');
}

/** The error of `parseArgs` in this command's words. @param {string} message @param {Options} options */
function usageSentence(message, options) {
  const unknownOption = /Unknown option '(--?[^']+)'/.exec(message)?.[1];
  if (unknownOption !== undefined) {
    const names = Object.keys(options).map((name) => `--${name}`);
    return `unknown option “${unknownOption}”${didYouMean(unknownOption, names) || `; known: ${names.join(', ')}`}`;
  }
  const [, option] = /Option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:is ambiguous|missing)/.exec(message) ?? [];
  if (option === undefined) return message;
  return `${option}: expected a value behind it (one that begins with “-” as ${option}=-…)`;
}

/** Number of edits; a swap of adjacent characters counts as one. @param {string} a @param {string} b */
function editDistance(a, b) {
  /** `rows[i][j]`: between the first `i` characters of `a` and the first `j` of `b`. @type {number[][]} */
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const distance = (/** @type {number} */ row, /** @type {number} */ column) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = distance(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwap ? distance(row - 2, column - 2) + 1 : replaced;
      current.push(Math.min(distance(row - 1, column) + 1, distance(row, column - 1) + 1, replaced, swapped));
    }
  }
  return distance(a.length, b.length);
}

/** Suggests the nearest known word; empty if none is near. @param {string} word @param {Iterable<string>} known */
export function didYouMean(word, known) {
  const [nearest] = [...known]
    .map((name) => ({ name, edits: name.startsWith(word) && word.length > 2 ? 0 : editDistance(word, name) }))
    .filter(({ name, edits }) => edits <= Math.min(2, name.length / 2))
    .sort((a, b) => a.edits - b.edits);
  return nearest === undefined ? '' : `; did you mean “${nearest.name}”?`;
}
