// @ts-check
/** Sessions as numbers: what a cache's bill depends on, and nothing of what was said. */
import { product } from './contenders.mjs';

/** The tools of agents in use today whose results these rules are about; without names the rules find nothing. */
const TERMINAL_TOOLS = [
  'terminal-execute',
  'bash',
  'shell',
  'exec',
  'exec_command',
  'execute_command',
  'execute_bash',
  'run_command',
  'run_shell_command',
  'run_terminal_cmd',
  'run_in_terminal',
  'local_shell',
];
const READ_TOOLS = [
  'filesystem-read',
  'Read',
  'read',
  'read_file',
  'readFile',
  'view',
  'view_file',
  'open_file',
  'cat',
];
const SEARCH_TOOLS = ['ace-text_search', 'Grep', 'grep', 'Glob', 'glob', 'search_files', 'search_file_content', 'find'];
const PATH_KEYS = ['filePath', 'file_path', 'path', 'target_file', 'absolute_path'];
const OPTIONS = {
  orphans: false,
  placeholderLanguage: 'en',
  terminal: { terminalTools: TERMINAL_TOOLS },
  fileReads: { readTools: READ_TOOLS, pathKeys: PATH_KEYS },
  textSearch: { searchTools: SEARCH_TOOLS },
};
/** Where a recording has no times, requests follow each other at the pace of an agent at work. */
const SYNTHETIC_PACE_MS = 10_000;

/**
 * @typedef {object} Columns
 * @property {string} name
 * @property {boolean} isTimed whether the recording says when its messages were written
 * @property {number[]} tokens of each message as it is stored
 * @property {number[]} replaced of each message with a placeholder in it; its own where none ever stands there
 * @property {number[]} staleAt the request at which a message's result is first outdated, −1 for never
 * @property {number[]} lengths messages in each request
 * @property {number[]} times of each request, milliseconds
 */

/**
 * A request is sent before each message of the assistant.
 * @param {{ name: string, messages: any[] }} session
 * @returns {Columns}
 */
export function columnsOf({ name, messages }) {
  const counter = new product.TokenCounter();
  const tokens = messages.map((message) => counter.countMessage(message));
  const replaced = [...tokens];
  const staleAt = tokens.map(() => -1);
  const isTimed = messages.some(({ timestamp }) => timestamp !== undefined);
  /** @type {number[]} */ const lengths = [];
  /** @type {number[]} */ const times = [];
  const session = new product.ContextView({ ...OPTIONS, price: 'none' });
  /** @type {any[]} */ const stored = [];
  let now = 0;
  messages.forEach((message, index) => {
    const sent = isTimed ? message : { ...message, timestamp: lengths.length * SYNTHETIC_PACE_MS };
    if (message.role === 'assistant' && index > 0) {
      const projected = session.project(stored, { now });
      for (const edited of projected.report.indices) {
        if (staleAt[edited] !== -1) continue;
        staleAt[edited] = lengths.length;
        replaced[edited] = counter.countMessage(projected.messages[edited]);
      }
      lengths.push(index);
      times.push(now);
    }
    stored.push(sent);
    now = Math.max(now, sent.timestamp ?? 0);
  });
  return { name, isTimed, tokens, replaced, staleAt, lengths, times };
}
