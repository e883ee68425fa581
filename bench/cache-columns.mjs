// @ts-check
/** Sessions as numbers: everything that a cache's bill depends on, without message content. */
import { createRequire } from 'node:module';

const product = createRequire(import.meta.url)('palimpsest');

/** Names of agents' tools, by which the rules recognise results. */
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
/** Time between requests if a recording has no times: that of a working agent. */
const SYNTHETIC_PACE_MS = 10_000;

/**
 * @typedef {object} Columns
 * @property {string} name
 * @property {boolean} isTimed true if the recording has message times
 * @property {number[]} tokens of each message as stored
 * @property {number[]} replaced of each message with its placeholder; if it never gets one, its own tokens
 * @property {number[]} staleAt index of the first request at which the message's result is outdated; −1: never
 * @property {number[]} lengths number of messages in each request
 * @property {number[]} times time of each request, ms
 */

/**
 * One request before each assistant message.
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
  const view = new product.ContextView({ ...OPTIONS, price: 'none' });
  /** @type {any[]} */ const stored = [];
  let now = 0;
  messages.forEach((message, index) => {
    const sent = isTimed ? message : { ...message, timestamp: lengths.length * SYNTHETIC_PACE_MS };
    if (message.role === 'assistant' && index > 0) {
      const projected = view.project(stored, { now });
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
