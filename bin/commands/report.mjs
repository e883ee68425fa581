// @ts-check
/** `palimpsest report`: what fills recorded sessions, and what of it is outdated. */
import { isAbsolute, resolve } from 'node:path';
import { billTables } from '../accounts/bill-tables.mjs';
import { sharedOptions } from '../accounts/command.mjs';
import { sessionsIn } from '../accounts/read.mjs';
import { sessionDetail } from '../accounts/session-detail.mjs';
import { readLists, reportOnPaths } from '../accounts/sessions-and-lists.mjs';
import { loadLibrary } from '../library.mjs';
import { choiceOf, parseCount, parseDuration, parseMoment, parseNames, UsageError } from '../option-values.mjs';
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

/** @param {string} directory @param {string} option */
function parseRoot(directory, option) {
  if (directory === '') throw new UsageError(`${option}: expected a directory; got “”`);
  const isWindowsPath = /^(?:[A-Za-z]:|[\\/]{2})/.test(directory);
  return isAbsolute(directory) || isWindowsPath ? directory : resolve(directory);
}

export const options = {
  ...sharedOptions,
  now: parseMoment,
  'keep-recent': parseCount,
  'max-age': parseDuration,
  'terminal-tools': parseNames,
  'read-tools': parseNames,
  'search-tools': parseNames,
  'path-keys': parseNames,
  'project-root': parseRoot,
  errors: choiceOf(['exitCode', 'seed']),
  'placeholder-language': choiceOf(['zh', 'en']),
};

/** Up to this many sessions have a page each, before the table. */ const maxDetails = 3;

/** @type {import('../accounts/command.mjs').AccountReport} */ const reportOnSessions = {
  name: 'report',
  optionsFor: () => ({ simulate: true }),
  render(accounts, look) {
    const sessions = sessionsIn(accounts);
    const details = sessions.length > maxDetails ? [] : sessions.map((session) => sessionDetail(session, look));
    return details.join('') + billTables(accounts, look);
  },
};

/** @type {import('../command-line.mjs').Work} */
export function work(values, paths) {
  const library = loadLibrary();
  return reportOnPaths(reportOnSessions, paths, values, (files, refusals) => {
    const progress = createFileProgress(files.length);
    const report = (/** @type {import('../session-file.mjs').Session} */ session) =>
      reportOnSession(session, library, values);
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
}
