// @ts-check
/** `palimpsest report` and `palimpsest tokens`: they report on agents' recorded sessions and on lists of messages. */

import { someFilesFailed, success } from '../exit-codes.mjs';
import { UsageError } from '../option-values.mjs';
import { printError, printJson, printLabelled, printOut } from '../print.mjs';
import { statsOf } from '../regular-file.mjs';
import { alsoRefused, readList, SessionFileError } from '../session-file.mjs';
import { messageOf } from '../wording.mjs';
import { runReport } from './command.mjs';
import { sessionsIn } from './figures.mjs';
import { sortPaths } from './recorded.mjs';
import { billTables, sessionDetail, tokensTables } from './text.mjs';

/** More sessions than this are shown as a table, not a page each. */
const maxDetails = 3;
const optionsFor = () => ({ simulate: true });

/** @type {Record<'report' | 'tokens', import('./command.mjs').AccountReport>} */
const reports = {
  report: {
    name: 'report',
    optionsFor,
    render(accounts, look) {
      const sessions = sessionsIn(accounts);
      const details = sessions.length > maxDetails ? [] : sessions.map((session) => sessionDetail(session, look));
      return details.join('') + billTables(accounts, look);
    },
  },
  tokens: { name: 'tokens', optionsFor, render: tokensTables },
};

/**
 * @typedef {{ file: string, line?: number | undefined, column?: number | undefined, message: string }} ReportedError
 * @typedef {ReadonlyMap<string, string>} Refusals why each file is not an agent's session
 * @typedef {{ errors: readonly ReportedError[], output: object, text: () => string }} ListReport report on message lists
 */

/**
 * Reads message lists, and prints the error of each that can't be read.
 * @template T @param {readonly string[]} files @param {Refusals} refusals
 * @param {(session: import('../session-file.mjs').Session) => T} each
 * @param {ReturnType<typeof import('../terminal.mjs').createProgress>} [progress]
 * @returns {{ sessions: T[], errors: ReportedError[] }}
 */
export function readLists(files, refusals, each, progress) {
  /** @type {T[]} */ const sessions = [];
  /** @type {ReportedError[]} */ const errors = [];
  for (const [index, file] of files.entries()) {
    progress?.step(index + 1, file, statsOf(file)?.size ?? 0);
    try {
      sessions.push(each(readList(file, refusals)));
    } catch (error) {
      const { line, column, located } =
        error instanceof SessionFileError ? error : /** @type {Partial<SessionFileError>} */ ({});
      const message = messageOf(error);
      const text = located ?? `${file}: ${message}`;
      errors.push({ file, line, column, message });
      progress?.clear();
      printLabelled('error', text);
      printError(alsoRefused(text, refusals.get(file)));
    }
  }
  progress?.clear();
  return { sessions, errors };
}

/**
 * Reports on agents' sessions and message lists; without paths, on installed agents' sessions.
 * @param {'report' | 'tokens'} name @param {readonly string[]} paths @param {import('./command.mjs').Values} values
 * @param {(files: string[], refusals: Refusals) => ListReport} reportOnLists @returns {Promise<number>} the exit code
 */
export async function reportOnRecorded(name, paths, values, reportOnLists) {
  const report = reports[name];
  if (paths.length === 0) return runReport(report, [], values);
  const { lists, recorded, refusals } = await sortPaths(paths);
  if (lists.length === 0) return runReport(report, recorded, values);
  if (values.csv === true) throw new UsageError(`--csv takes sessions of agents; ${lists[0]} is none`);
  const isJson = values.json === true;
  let recordedCode = success;
  if (recorded.length > 0 && !isJson) recordedCode = await runReport(report, recorded, values);
  const { errors, output, text } = reportOnLists(lists, refusals);
  if (!isJson) printOut(text());
  else if (recorded.length === 0) printJson(output);
  // One JSON object holds both reports.
  else recordedCode = await runReport(report, recorded, values, output);
  return Math.max(recordedCode, errors.length === 0 ? success : someFilesFailed);
}
