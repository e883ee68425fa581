// @ts-check
/** Sorts paths into agents' sessions and message lists. */
import { statSync } from 'node:fs';
import { readSession } from '../session-file.mjs';
import { readAccounts } from './read.mjs';

/**
 * @typedef {object} Sorted
 * @property {string[]} messages message lists, files that are none of anybody's sessions, missing files, and standard input
 * @property {string[]} recorded folders, and files that an agent wrote
 * @property {Map<string, string>} refusals why a file is no session of any known format
 */

/** @param {string} path @returns {import('node:fs').Stats | undefined} undefined for standard input, and where it fails */
export function statsOf(path) {
  try {
    return path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  } catch {
    // It links to itself, or is closed to us: its reader will say so.
    return undefined;
  }
}

/** The rules read these SDKs' messages, so options for message lists hold for them. */
const dialects = ['langchain', 'openai-agents'];

/** @param {string} path @param {string} agent */
function isMessageList(path, agent) {
  if (agent === 'message-array') return true;
  if (!dialects.includes(agent)) return false;
  try {
    return readSession(path).oddEntries === 0;
  } catch {
    // A run's state has messages only deep inside.
    return false;
  }
}

/** @param {readonly string[]} paths @returns {Promise<Sorted>} */
export async function sortPaths(paths) {
  const recorded = paths.filter((path) => statsOf(path)?.isDirectory());
  const files = paths.filter((path) => !statsOf(path)?.isDirectory());
  const known = files.filter((path) => statsOf(path) !== undefined);
  const { accounts } = await readAccounts(known, { lists: [], simulate: false, hindsight: false, curves: false });
  const agents = new Map();
  const refusals = new Map();
  for (const { path, sessions, error } of accounts.files) {
    if (error !== null) refusals.set(path, error.message);
    else agents.set(path, sessions[0]?.agent ?? 'none');
  }
  // Whoever knows why a file is refused, or that it is missing, says so.
  const isRecorded = (/** @type {string} */ path) => {
    const agent = agents.get(path);
    return agent !== undefined && !isMessageList(path, agent);
  };
  const found = new Set(files.filter(isRecorded));
  recorded.push(...found);
  return { messages: files.filter((path) => !found.has(path)), recorded, refusals };
}
