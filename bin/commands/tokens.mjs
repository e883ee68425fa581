// @ts-check
/** `palimpsest tokens`: reads files, never writes them. */

import { sharedOptions } from '../accounts/command.mjs';
import { reportOnRecorded } from '../accounts/report.mjs';
import { readWords } from '../command-line.mjs';
import { someFilesFailed, success, usageError } from '../exit-codes.mjs';
import { help } from '../help/tokens.mjs';
import { loadLibrary } from '../library.mjs';
import { printError, printLabelled, printOut } from '../print.mjs';
import { printable } from '../printable.mjs';
import { alsoRefused, readList, SessionFileError } from '../session-file.mjs';
import { renderTable } from '../table.mjs';
import { stylesFor, widthOf } from '../terminal.mjs';
import { countSession, kinds } from '../token-figures.mjs';
import { looksLike } from '../unrecognised-text.mjs';

/** @typedef {import('../token-figures.mjs').TokenFigures} TokenFigures */

const options = /** @type {const} */ ({
  ...sharedOptions,
  model: { type: 'string' },
  encoding: { type: 'string' },
});

const numbers = new Intl.NumberFormat('en-US');

/** @param {number} tokens @param {number} contextWindow */
function windowShare(tokens, contextWindow) {
  return `${((tokens / contextWindow) * 100).toFixed(1)} % of its window of ${numbers.format(contextWindow)}`;
}

/**
 * @param {TokenFigures} figures
 * @param {string | undefined} model
 * @param {import('../report-text.mjs').Look} look
 * @returns {string}
 */
function render(
  { file, encoding, isExact, contextWindow, messages, tokens, byKind, ...figures },
  model,
  { styles, width },
) {
  const counted = isExact ? `text counted exactly in ${encoding}` : `estimated for ${model} from ${encoding}`;
  const how = contextWindow === null ? counted : `${counted}; ${windowShare(tokens, contextWindow)}`;
  const columns = [
    { title: 'kind' },
    { title: 'messages', align: /** @type {const} */ ('right') },
    { title: isExact ? 'tokens' : 'est. tokens', align: /** @type {const} */ ('right') },
    { title: 'share', align: /** @type {const} */ ('right') },
  ];
  const share = (/** @type {number} */ part) => (tokens === 0 ? '' : `${((part / tokens) * 100).toFixed(1)} %`);
  const rows = kinds
    .filter((kind) => byKind[kind].messages > 0)
    .map((kind) => {
      const figures = byKind[kind];
      return [kind, numbers.format(figures.messages), numbers.format(figures.tokens), share(figures.tokens)];
    });
  rows.push(['request', numbers.format(messages), numbers.format(tokens), '']);
  const table = renderTable(columns, rows, {
    indent: '  ',
    maxWidth: width,
    titleStyle: styles.dim,
    ruleBefore: [rows.length - 1],
  });
  const { unrecognised, unrecognisedForms } = figures;
  const note =
    unrecognised === 0
      ? ''
      : `  ${styles.yellow('note:')} ${numbers.format(unrecognised)} of ${numbers.format(messages)} messages not recognised (${looksLike(unrecognisedForms)}):\n        counted as JSON text, a little high\n`;
  return `${styles.bold(printable(file))}\n  ${printable(how)}\n\n${table}${note}`;
}

/**
 * @param {readonly string[]} files
 * @param {import('../../index.mjs').TokenCounter} counter
 * @param {ReadonlyMap<string, string>} refusals why each file is not a session
 * @returns {{ sessions: TokenFigures[], errors: { file: string, message: string }[] }}
 */
function countFiles(files, counter, refusals) {
  /** @type {TokenFigures[]} */ const sessions = [];
  /** @type {{ file: string, message: string }[]} */ const errors = [];
  for (const file of files) {
    try {
      sessions.push(countSession(readList(file, refusals), counter));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      errors.push({ file, message });
      const located = error instanceof SessionFileError ? error.located : `${file}: ${message}`;
      printLabelled('error', located);
      printError(alsoRefused(located, refusals.get(file)));
    }
  }
  return { sessions, errors };
}

/** @param {unknown} error @returns {number} */
function refuse(error) {
  const message = error instanceof Error ? error.message : String(error);
  printError(`palimpsest tokens: ${message}\n`);
  return usageError;
}

/** @param {string[]} words @returns {Promise<number>} the exit code */
export async function run(words) {
  let commandLine;
  try {
    commandLine = readWords(words, options);
  } catch (error) {
    return refuse(error);
  }
  const { values, positionals } = commandLine;
  if (values.help) {
    printOut(help);
    return success;
  }
  let library;
  try {
    library = loadLibrary();
  } catch (error) {
    refuse(error);
    return someFilesFailed;
  }
  let counter;
  try {
    counter = new library.TokenCounter(/** @type {any} */ ({ model: values.model, encoding: values.encoding }));
  } catch (error) {
    return refuse(error);
  }
  try {
    return await reportOnRecorded('tokens', positionals, values, (files, refusals) => {
      const { sessions, errors } = countFiles(files, counter, refusals);
      const look = { styles: stylesFor(process.stdout), width: widthOf(process.stdout) };
      return {
        code: errors.length === 0 ? success : someFilesFailed,
        output: { version: library.version, model: values.model ?? null, sessions, errors },
        text: () => sessions.map((figures) => render(figures, values.model, look)).join('\n'),
      };
    });
  } catch (error) {
    return refuse(error);
  }
}
