// @ts-check
/** `palimpsest tokens`: counts the tokens of recorded sessions by kind of message. */

import { sharedOptions } from '../accounts/command.mjs';
import { sessionsIn } from '../accounts/read.mjs';
import { readLists, reportOnPaths } from '../accounts/sessions-and-lists.mjs';
import { runCommand } from '../command-line.mjs';
import { loadInternals, loadLibrary } from '../library.mjs';
import { UsageError } from '../option-values.mjs';
import { printable } from '../print.mjs';
import { renderTable, right } from '../table.mjs';
import { lookOf } from '../terminal.mjs';
import { count, looksLike, messageOf, percentOf, plural } from '../wording.mjs';

export const help = `Usage: palimpsest tokens [options] [path…]

Counts the tokens of recorded sessions, by kind of message: text, tool calls and
the chat format around them, images by their pixel size. Paths are message lists
(“-” reads one from standard input), session files of coding agents, and
folders; without a path those of the installed agents. Nothing leaves the
machine.

Options:
  --model <name>      count as this model does: exactly for OpenAI's, estimated
                      for others (Claude, Gemini, DeepSeek, Qwen, …)
  --encoding <name>   o200k_base (the default) or cl100k_base
  --json              print one JSON object instead of tables
  -h, --help          show this

Exit code: 0; 1 when a file could not be read; 2 for a wrong command line.
`;

const options = /** @type {const} */ ({
  ...sharedOptions,
  model: { type: 'string' },
  encoding: { type: 'string' },
});

/**
 * @typedef {import('../../lib/command/recorded-list.js').Kind} Kind
 * @typedef {{ messages: number, tokens: number }} KindFigures
 *
 * @typedef {object} TokenFigures
 * @property {string} file
 * @property {number | null} contextWindow null if the model's is not known
 * @property {string} encoding name of the vocabulary
 * @property {boolean} isExact false if estimated from that vocabulary
 * @property {number} messages
 * @property {number} tokens tokens of a request with all messages
 * @property {number} unrecognised messages in an unknown form, counted as JSON text
 * @property {import('../../index.mjs').UnrecognisedForms} unrecognisedForms
 * @property {Readonly<Record<Kind, KindFigures>>} byKind including each message's chat format overhead, rounded up
 */

/** In display order. @type {readonly Kind[]} */
const kinds = ['system', 'user', 'assistant', 'tool calls', 'tool results', 'other'];

/**
 * @param {import('../session-file.mjs').Session} session @param {import('../../index.mjs').TokenCounter} counter
 * @returns {TokenFigures}
 */
function countSession({ file, messages }, counter) {
  const byKind = /** @type {Record<Kind, KindFigures>} */ (
    Object.fromEntries(kinds.map((kind) => [kind, { messages: 0, tokens: 0 }]))
  );
  const { kindOf } = loadInternals().list;
  for (const message of messages) {
    const figures = byKind[kindOf(message)];
    figures.messages += 1;
    figures.tokens += counter.countMessage(message);
  }
  const { contextWindow, encoding, isExact } = counter;
  const tokens = counter.countMessages(messages);
  // Only complete once all messages are counted.
  const { unrecognised, unrecognisedForms } = counter;
  const counts = { messages: messages.length, tokens, unrecognised, unrecognisedForms, byKind };
  return { file, contextWindow, encoding, isExact, ...counts };
}

/**
 * @param {TokenFigures} figures @param {unknown} model
 * @param {import('../terminal.mjs').Look} look @returns {string}
 */
function render(figures, model, look) {
  const { file, encoding, isExact, contextWindow, messages, tokens, byKind, unrecognised, unrecognisedForms } = figures;
  const { styles } = look;
  const counted = isExact ? `text counted exactly in ${encoding}` : `estimated for ${model} from ${encoding}`;
  const window = contextWindow ?? 0;
  const how = window > 0 ? `${counted}; ${percentOf(tokens, window)} of its window of ${count(window)}` : counted;
  const columns = [{ title: 'kind' }, right('messages'), right(isExact ? 'tokens' : 'est. tokens'), right('share')];
  const found = kinds.filter((kind) => byKind[kind].messages > 0);
  const rows = found.map((kind) => {
    const own = byKind[kind];
    return [kind, count(own.messages), count(own.tokens), percentOf(own.tokens, tokens)];
  });
  rows.push(['request', count(messages), count(tokens), '']);
  const table = renderTable(columns, rows, look, { indent: '  ', hasTotal: true });
  const note =
    unrecognised === 0
      ? ''
      : `  ${styles.yellow('note:')} ${count(unrecognised)} of ${count(messages)} messages not recognised (${looksLike(unrecognisedForms)}):\n        counted as JSON text, a little high\n`;
  return `${styles.bold(printable(file))}\n  ${printable(how)}\n\n${table}${note}`;
}

/** Each session's tokens by kind of message. @param {import('../accounts/read.mjs').Accounts} accounts @param {import('../terminal.mjs').Look} look */
function tokensTables(accounts, look) {
  return sessionsIn(accounts)
    .map(({ path, account }) => {
      const whole = account.kinds.reduce((sum, { tokens }) => sum + tokens.once, 0);
      const row = (/** @type {string} */ title, /** @type {number} */ tokens) => [title, count(Math.round(tokens))];
      const rows = account.kinds.map(({ kind, tokens }) => [...row(kind, tokens.once), percentOf(tokens.once, whole)]);
      rows.push([...row('all', whole), '']);
      const columns = [{ title: 'kind' }, right('tokens'), right('share')];
      const how = account.bill === null ? 'o200k_base' : 'o200k_base, scaled to the recorded usage';
      const table = renderTable(columns, rows, look, { indent: '  ', hasTotal: true });
      return `${look.styles.bold(printable(path))}\n  ${account.agentName}, ${plural(account.messages, 'message')}, each counted once (${how})\n\n${table}`;
    })
    .join('\n');
}

/** @type {import('../accounts/command.mjs').AccountReport} */
const reportOnSessions = { name: 'tokens', optionsFor: () => ({ simulate: true }), render: tokensTables };

/** @param {import('../library.mjs').Library} library @param {import('../command-line.mjs').Values} values @throws {UsageError} */
function counterFor(library, { model, encoding }) {
  try {
    return new library.TokenCounter(/** @type {any} */ ({ model, encoding }));
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** @param {string[]} words @returns {Promise<number>} the exit code */
export function run(words) {
  return runCommand(words, { name: 'tokens', help, options }, (values, paths) => {
    const library = loadLibrary();
    const counter = counterFor(library, values);
    return reportOnPaths(reportOnSessions, paths, values, (files, refusals) => {
      const { sessions, errors: found } = readLists(files, refusals, (session) => countSession(session, counter));
      const errors = found.map(({ file, message }) => ({ file, message }));
      const look = lookOf(process.stdout);
      return {
        errors,
        output: { version: library.version, model: values.model ?? null, sessions, errors },
        text: () => sessions.map((figures) => render(figures, values.model, look)).join('\n'),
      };
    });
  });
}
