/** `palimpsest report`: what fills recorded sessions, and what of it is outdated. */
import { isAbsolute, resolve } from 'node:path';
import { billTables } from '../accounts/bill-tables.mjs';
import { sharedOptions } from '../accounts/command.mjs';
import { sessionsIn } from '../accounts/read.mjs';
import { sessionDetail } from '../accounts/session-detail.mjs';
import { readLists, reportOnPaths } from '../accounts/sessions-and-lists.mjs';
import { runCommand } from '../command-line.mjs';
import { loadLibrary } from '../library.mjs';
import { parseChoice, parseCount, parseDuration, parseMoment, parseNames, UsageError } from '../option-values.mjs';
import { createFileProgress, lookOf, printError } from '../print.mjs';
import { renderReports } from '../report-text.mjs';
import { reportOnSession, totalsOf } from '../session-report.mjs';

export const help = `Usage: palimpsest report [options] [path…]

Shows what fills the context of recorded sessions, what of it is outdated by
which rule, and what was paid for it. Paths are session files of coding agents,
folders of them, or message lists: a JSON array of messages, an object with a
"messages" array, or JSON lines; “-” reads a list from standard input. Without a
path the folders are read in which the installed agents keep their sessions.
Files are only read, and nothing leaves the machine.

Options:
  --json                  print one JSON object instead of tables: files for
                          sessions of agents, sessions for message lists
  --csv                   print one line for each session of an agent
  --prices <file>         a list of models’ prices, before the package’s own

Options for message lists (agents’ own tools are known):
  --now <when>            judge ages at this time: last (the default: the latest
                          timestamp of the session), last+1h, now, an ISO date,
                          or milliseconds since 1970
  --keep-recent <n>       newest successful results that stay (default 5)
  --max-age <duration>    remove older terminal and search results, such as 15m
                          (default 15m for terminal, 10m for text search)
  --terminal-tools <a,b>  terminal tools, instead of the well-known ones
  --read-tools <a,b>      file reading tools (default filesystem-read)
  --search-tools <a,b>    text search tools (default ace-text_search)
  --path-keys <a,b>       arguments that hold a path (default filePath)
  --project-root <dir>    what relative paths are relative to (default: the
                          source.projectRoot of the session, else the current
                          directory)
  --errors <rule>         what keeps a failed command: exitCode (default: stderr
                          or exit code), or seed (stderr only)
  --placeholder-language <zh|en>
                          the language of placeholders (default zh)
  -h, --help              show this

Exit code: 0; 1 when a file could not be reported on; 2 for a wrong command
line; 130 after Ctrl-C, which ends with what is done (twice: at once).
`;

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

/** @param {string} option @param {string} directory */
function parseRoot(option, directory) {
  if (directory === '') throw new UsageError(`${option}: expected a directory; got “”`);
  const isWindowsPath = /^(?:[A-Za-z]:|[\\/]{2})/.test(directory);
  return isAbsolute(directory) || isWindowsPath ? directory : resolve(directory);
}

/** @param {import('../command-line.mjs').Values} values @returns {import('../session-report.mjs').ReportOptions} */
function readOptions(values) {
  /** @type {<T>(name: string, parse: (option: string, text: string) => T) => T | undefined} */
  const read = (name, parse) => {
    const text = values[name];
    return typeof text === 'string' ? parse(`--${name}`, text) : undefined;
  };
  /** @type {<T extends string>(...choices: T[]) => (option: string, text: string) => T} */ const oneOf =
    (...choices) =>
    (option, text) =>
      parseChoice(option, text, choices);
  return {
    moment: read('now', parseMoment) ?? { afterLast: 0 },
    keepRecent: read('keep-recent', parseCount),
    maxAgeMs: read('max-age', parseDuration),
    terminalTools: read('terminal-tools', parseNames),
    readTools: read('read-tools', parseNames),
    searchTools: read('search-tools', parseNames),
    pathKeys: read('path-keys', parseNames),
    projectRoot: read('project-root', parseRoot),
    errors: read('errors', oneOf('exitCode', 'seed')),
    placeholderLanguage: read('placeholder-language', oneOf('zh', 'en')),
  };
}

/** Up to this many sessions have a page each, before the table. */
const maxDetails = 3;

/** @type {import('../accounts/command.mjs').AccountReport} */ const reportOnSessions = {
  name: 'report',
  optionsFor: () => ({ simulate: true }),
  render(accounts, look) {
    const sessions = sessionsIn(accounts);
    const details = sessions.length > maxDetails ? [] : sessions.map((session) => sessionDetail(session, look));
    return details.join('') + billTables(accounts, look);
  },
};

/** @param {string[]} words @returns {Promise<number>} the exit code */
export function run(words) {
  return runCommand(words, { name: 'report', help, options }, (values, paths) => {
    const reportOptions = readOptions(values);
    const library = loadLibrary();
    return reportOnPaths(reportOnSessions, paths, values, (files, refusals) => {
      const progress = createFileProgress(files.length);
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
