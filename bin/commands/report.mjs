// @ts-check
/** `palimpsest report`: what fills recorded sessions, and what of it is outdated. */

import { isAbsolute, resolve } from 'node:path';
import { sharedOptions } from '../accounts/command.mjs';
import { readLists, reportOnRecorded } from '../accounts/report.mjs';
import { runCommand } from '../command-line.mjs';
import { help } from '../help/report.mjs';
import { loadLibrary } from '../library.mjs';
import { parseChoice, parseCount, parseDuration, parseMoment, parseNames, UsageError } from '../option-values.mjs';
import { printError } from '../print.mjs';
import { renderReports } from '../report-text.mjs';
import { reportOnSession, totalsOf } from '../session-report.mjs';
import { createProgress, lookOf } from '../terminal.mjs';

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
 * @template T @param {import('../command-line.mjs').Values} values @param {string} name
 * @param {(option: string, text: string) => T} parse @returns {T | undefined}
 */
function read(values, name, parse) {
  const text = values[name];
  return typeof text === 'string' ? parse(`--${name}`, text) : undefined;
}

/** @param {import('../command-line.mjs').Values} values @returns {import('../session-report.mjs').ReportOptions} */
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

/** @param {string[]} words @returns {Promise<number>} the exit code */
export function run(words) {
  return runCommand(words, { name: 'report', help, options }, (values, paths) => {
    const reportOptions = readOptions(values);
    const library = loadLibrary();
    return reportOnRecorded('report', paths, values, (files, refusals) => {
      const progress = createProgress(process.stderr, files.length);
      const report = (/** @type {import('../session-file.mjs').Session} */ session) =>
        reportOnSession(session, library, reportOptions);
      const { sessions, errors } = readLists(files, refusals, report, progress);
      if (errors.length > 0 && sessions.length > 0) {
        // Repeat the count at the end: the errors may have scrolled away.
        printError(`${errors.length} of ${files.length} files could not be reported on\n`);
      }
      return {
        errors,
        output: { version: library.version, sessions, totals: totalsOf(sessions), errors },
        text: () => (sessions.length === 0 ? '' : renderReports(sessions, lookOf(process.stdout))),
      };
    });
  });
}
