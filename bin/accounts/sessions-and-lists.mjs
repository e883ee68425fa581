// @ts-check
/** Reports on agents' recorded sessions and on lists of messages: for `palimpsest report` and `palimpsest tokens`. */
import { exitCodes } from '../command-line.mjs';
import { isNativeError } from '../library.mjs';
import { UsageError } from '../option-values.mjs';
import { printError, printJson, printLabelled, printOut } from '../print.mjs';
import { statsOf } from '../regular-file.mjs';
import { readSession, SessionFileError } from '../session-file.mjs';
import { messageOf } from '../wording.mjs';
import { runReport } from './command.mjs';
import { readAccounts } from './read.mjs';

/**
 * @typedef {{ file: string, line?: number | undefined, column?: number | undefined, message: string }} ReportedError
 * @typedef {ReadonlyMap<string, string>} Refusals for each file that is no session of a known format, the reason
 * @typedef {{ errors: readonly ReportedError[], output: object, text: () => string }} ReportOnLists `output`: JSON
 */

/** SDK formats whose files hold plain lists of messages, so the options for message lists apply. */
const listFormats = ['langchain', 'openai-agents'];

/** @param {string} path */
function holdsOnlyMessages(path) {
  try {
    return readSession(path).oddEntries === 0;
  } catch {
    // A saved run state is not a list of messages.
    return false;
  }
}

/** @param {readonly string[]} files */
async function accountsOf(files) {
  try {
    return (await readAccounts(files)).accounts.files;
  } catch (error) {
    // Message lists don't need the command's addon, which reads agents' sessions.
    if (isNativeError(error) && files.every(holdsOnlyMessages)) return [];
    throw error;
  }
}

/**
 * `lists`: message lists, files that are not a session, missing files, and standard input; `recorded`: folders, and
 * session files of agents.
 * @param {readonly string[]} paths of the command line
 */
async function sortPaths(paths) {
  const isFolder = (/** @type {string} */ path) => statsOf(path)?.isDirectory() === true;
  const files = paths.filter((path) => !isFolder(path));
  /** @type {Set<string>} */ const recordedFiles = new Set();
  /** @type {Map<string, string>} */ const refusals = new Map();
  for (const { path, sessions, error } of await accountsOf(files.filter((file) => statsOf(file) !== undefined))) {
    const agent = sessions[0]?.agent ?? 'none';
    if (error !== null) refusals.set(path, error.message);
    else if (agent !== 'message-array' && !(listFormats.includes(agent) && holdsOnlyMessages(path)))
      recordedFiles.add(path);
  }
  // Refused and missing files are message lists here; reading them reports the reason.
  const lists = files.filter((path) => !recordedFiles.has(path));
  const recorded = new Set([...paths.filter(isFolder), ...files.filter((path) => recordedFiles.has(path))]);
  return { lists, recorded: [...recorded], refusals };
}

/**
 * Reads message lists, and prints the error of each that can't be read. A file that the session readers recognised and
 * refused stays refused, even if each entry has a `role`.
 * @template T @param {readonly string[]} files @param {Refusals} refusals
 * @param {(session: import('../session-file.mjs').Session) => T} each
 * @param {ReturnType<typeof import('../print.mjs').createFileProgress>} [progress]
 */
export function readLists(files, refusals, each, progress) {
  /** @type {T[]} */ const sessions = [];
  /** @type {ReportedError[]} */ const errors = [];
  for (const [index, file] of files.entries()) {
    const refusal = refusals.get(file);
    progress?.step(index + 1, file, statsOf(file)?.size ?? 0);
    try {
      const session = readSession(file);
      if (refusal !== undefined) throw new SessionFileError(file, refusal);
      sessions.push(each(session));
    } catch (error) {
      const message = messageOf(error);
      const { line, column, located } = error instanceof SessionFileError ? error : { located: `${file}: ${message}` };
      errors.push({ file, line, column, message });
      progress?.clear();
      printLabelled('error', located);
      if (refusal !== undefined && !located.includes(refusal)) printError(`  ${refusal}\n`);
    }
  }
  progress?.clear();
  return { sessions, errors };
}

/**
 * Reports on agents' sessions and message lists; without paths, on installed agents' sessions.
 * @param {import('./command.mjs').AccountReport} report on sessions @param {readonly string[]} paths
 * @param {import('../command-line.mjs').Values} values
 * @param {(files: string[], refusals: Refusals) => ReportOnLists} reportOnLists @returns {Promise<number>} exit code
 */
export async function reportOnPaths(report, paths, values, reportOnLists) {
  if (paths.length === 0) return runReport(report, [], values);
  const { lists, recorded, refusals } = await sortPaths(paths);
  if (lists.length === 0) return runReport(report, recorded, values);
  if (values.csv === true) throw new UsageError(`--csv takes sessions of agents; ${lists[0]} is none`);
  const isJson = values.json === true;
  let recordedCode = exitCodes.success;
  if (recorded.length > 0 && !isJson) recordedCode = await runReport(report, recorded, values);
  const { errors, output, text } = reportOnLists(lists, refusals);
  if (!isJson) printOut(text());
  else if (recorded.length === 0) printJson(output);
  // One JSON object holds both reports.
  else recordedCode = await runReport(report, recorded, values, output);
  return Math.max(recordedCode, errors.length === 0 ? exitCodes.success : exitCodes.failure);
}
