// @ts-check
/** `palimpsest report`: reads files, never writes them. */

import { isAbsolute, resolve } from 'node:path';
import { sharedOptions } from '../accounts/command.mjs';
import { statsOf } from '../accounts/recorded.mjs';
import { reportOnRecorded } from '../accounts/report.mjs';
import { readWords } from '../command-line.mjs';
import { someFilesFailed, success, usageError } from '../exit-codes.mjs';
import { help } from '../help/report.mjs';
import { loadLibrary } from '../library.mjs';
import { parseChoice, parseCount, parseDuration, parseMoment, parseNames, UsageError } from '../option-values.mjs';
import { printError, printLabelled, printOut } from '../print.mjs';
import { renderReports } from '../report-text.mjs';
import { alsoRefused, readList, SessionFileError } from '../session-file.mjs';
import { reportOnSession, totalsOf } from '../session-report.mjs';
import { createProgress, stylesFor, widthOf } from '../terminal.mjs';

/**
 * @typedef {import('../session-report.mjs').SessionReport} SessionReport
 * @typedef {import('../session-report.mjs').ReportOptions} ReportOptions
 * @typedef {{ file: string, line?: number, column?: number, message: string }} ReportedError
 */

export const options = /** @type {const} */ ({
  ...sharedOptions,
  now: { type: 'string' },
  'keep-recent': { type: 'string' },
  'max-age': { type: 'string' },
  'terminal-tools': { type: 'string' },
  'read-tools': { type: 'string' },
  'search-tools': { type: 'string' },
  'path-keys': { type: 'string' },
  'project-root': { type: 'string' },
  errors: { type: 'string' },
  'placeholder-language': { type: 'string' },
});

/** @param {string} directory @returns {string} */
function absoluteRoot(directory) {
  const isWindowsPath = /^(?:[A-Za-z]:|[\\/]{2})/.test(directory);
  return isAbsolute(directory) || isWindowsPath ? directory : resolve(directory);
}

/**
 * @template T
 * @param {Readonly<Record<string, string | boolean | undefined>>} values
 * @param {string} name
 * @param {(option: string, text: string) => T} parse
 * @returns {T | undefined}
 */
function read(values, name, parse) {
  const text = values[name];
  return typeof text === 'string' ? parse(`--${name}`, text) : undefined;
}

/** @param {Readonly<Record<string, string | boolean | undefined>>} values @returns {ReportOptions} */
function readOptions(values) {
  return {
    moment: read(values, 'now', parseMoment) ?? { afterLast: 0 },
    keepRecent: read(values, 'keep-recent', parseCount),
    maxAgeMs: read(values, 'max-age', parseDuration),
    terminalTools: read(values, 'terminal-tools', parseNames),
    readTools: read(values, 'read-tools', parseNames),
    searchTools: read(values, 'search-tools', parseNames),
    pathKeys: read(values, 'path-keys', parseNames),
    projectRoot: read(values, 'project-root', (option, text) => {
      if (text === '') throw new UsageError(`${option}: expected a directory; got “”`);
      return absoluteRoot(text);
    }),
    errors: read(values, 'errors', (option, text) =>
      parseChoice(option, text, /** @type {const} */ (['exitCode', 'seed'])),
    ),
    placeholderLanguage: read(values, 'placeholder-language', (option, text) =>
      parseChoice(option, text, /** @type {const} */ (['zh', 'en'])),
    ),
  };
}

/**
 * @param {string[]} words
 * @returns {{ values: import('../accounts/command.mjs').Values, files: string[], options: ReportOptions }}
 */
function readCommandLine(words) {
  const { values, positionals } = readWords(words, options);
  return { values, files: positionals, options: readOptions(values) };
}

/** @param {string} file @param {unknown} error @returns {{ entry: ReportedError, text: string }} */
function describeFailure(file, error) {
  if (error instanceof SessionFileError) {
    const { line, column, message } = error;
    return { entry: { file, line, column, message }, text: error.located };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { entry: { file, message }, text: `${file}: ${message}` };
}

/**
 * @param {readonly string[]} files
 * @param {import('../library.mjs').Library} library
 * @param {ReportOptions} reportOptions
 * @param {ReadonlyMap<string, string>} refusals why each file is not an agent's session
 * @returns {{ sessions: SessionReport[], errors: ReportedError[] }}
 */
function reportOnFiles(files, library, reportOptions, refusals) {
  const progress = createProgress(process.stderr, files.length);
  /** @type {SessionReport[]} */ const sessions = [];
  /** @type {ReportedError[]} */ const errors = [];
  for (const [index, file] of files.entries()) {
    progress.step(index + 1, file, statsOf(file)?.size ?? 0);
    try {
      sessions.push(reportOnSession(readList(file, refusals), library, reportOptions));
    } catch (error) {
      const { entry, text } = describeFailure(file, error);
      errors.push(entry);
      progress.clear();
      printLabelled('error', text);
      printError(alsoRefused(text, refusals.get(file)));
    }
  }
  progress.clear();
  return { sessions, errors };
}

/** @param {string[]} words @returns {Promise<number>} the exit code */
export async function run(words) {
  try {
    const commandLine = readCommandLine(words);
    if (commandLine.values.help === true) {
      printOut(help);
      return success;
    }
    const library = loadLibrary();
    const { files, values } = commandLine;
    return await reportOnRecorded('report', files, values, (lists, refusals) =>
      reportOnMessages(lists, refusals, library, commandLine),
    );
  } catch (error) {
    printError(`palimpsest report: ${/** @type {Error} */ (error).message}\n`);
    return error instanceof UsageError ? usageError : someFilesFailed;
  }
}

/**
 * @param {string[]} files
 * @param {ReadonlyMap<string, string>} refusals
 * @param {import('../library.mjs').Library} library
 * @param {ReturnType<typeof readCommandLine>} commandLine
 * @returns {import('../accounts/report.mjs').ListReport}
 */
function reportOnMessages(files, refusals, library, { options }) {
  const { sessions, errors } = reportOnFiles(files, library, options, refusals);
  if (errors.length > 0 && sessions.length > 0) {
    // Repeat the count at the end: the errors may have scrolled away.
    printError(`${errors.length} of ${files.length} files could not be reported on\n`);
  }
  return {
    code: errors.length === 0 ? success : someFilesFailed,
    output: { version: library.version, sessions, totals: totalsOf(sessions), errors },
    text: () =>
      sessions.length === 0
        ? ''
        : renderReports(sessions, { styles: stylesFor(process.stdout), width: widthOf(process.stdout) }),
  };
}
