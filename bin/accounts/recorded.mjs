// @ts-check
/** Sorts the paths of the command line into agents' sessions and lists of messages, which other options apply to. */
import { isNativeError } from '../library.mjs';
import { statsOf } from '../regular-file.mjs';
import { readSession } from '../session-file.mjs';
import { readAccounts } from './read.mjs';

/**
 * @typedef {object} Sorted
 * @property {string[]} lists message lists, files that are not a session, missing files, and standard input
 * @property {string[]} recorded folders, and session files of agents
 * @property {Map<string, string>} refusals why each file is not a session of a known format
 */

/** SDK formats whose files hold plain lists of messages, so the options for message lists apply. */
const dialects = ['langchain', 'openai-agents'];

/** @param {string} path @param {string} agent */
function isMessageList(path, agent) {
  return agent === 'message-array' || (dialects.includes(agent) && holdsOnlyMessages(path));
}

/** @param {string} path */
function holdsOnlyMessages(path) {
  try {
    return readSession(path).oddEntries === 0;
  } catch {
    // A saved run state is not a list of messages.
    return false;
  }
}

/**
 * @param {readonly string[]} files
 * @returns {Promise<readonly import('./read.mjs').FileAccounts[]>} none if the command's addon, which reads agents' sessions, is missing and all
 *   files are message lists
 */
async function accountsOf(files) {
  try {
    return (await readAccounts(files)).accounts.files;
  } catch (error) {
    if (isNativeError(error) && files.every(holdsOnlyMessages)) return [];
    throw error;
  }
}

/** @param {readonly string[]} paths of the command line @returns {Promise<Sorted>} */
export async function sortPaths(paths) {
  const recorded = paths.filter((path) => statsOf(path)?.isDirectory());
  const files = paths.filter((path) => !statsOf(path)?.isDirectory());
  const existing = files.filter((path) => statsOf(path) !== undefined);
  /** For each file that a session reader understood, the agent. */
  const agents = new Map();
  const refusals = new Map();
  for (const { path, sessions, error } of await accountsOf(existing)) {
    if (error !== null) refusals.set(path, error.message);
    else agents.set(path, sessions[0]?.agent ?? 'none');
  }
  // Refused and missing files are message lists here; reading them reports the reason.
  const isRecorded = (/** @type {string} */ path) => {
    const agent = agents.get(path);
    return agent !== undefined && !isMessageList(path, agent);
  };
  const recordedFiles = new Set(files.filter(isRecorded));
  recorded.push(...recordedFiles);
  return { lists: files.filter((path) => !recordedFiles.has(path)), recorded, refusals };
}
