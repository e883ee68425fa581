// @ts-check
/** `palimpsest tokens`: counts the tokens of recorded sessions by kind of message. */
import { sharedOptions } from '../accounts/command.mjs';
import { sessionsIn } from '../accounts/read.mjs';
import { readLists, reportOnPaths } from '../accounts/sessions-and-lists.mjs';
import { loadInternals, loadLibrary } from '../library.mjs';
import { orUsageError } from '../option-values.mjs';
import { lookOf, printable } from '../print.mjs';
import { renderTable, right } from '../table.mjs';
import { formatCount, looksLike, percentOf, plural } from '../wording.mjs';

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
  --json              print one JSON object instead of tables: files for
                      sessions of agents, sessions for message lists
  --csv, --prices     as for “palimpsest report”
  -h, --help          show this

Exit code: 0; 1 when a file could not be read; 2 for a wrong command line.
`;

/** @import { Look } from '../print.mjs' */
/** @import { Work } from '../command-line.mjs' */

export const options = { ...sharedOptions, model: String, encoding: String };

/** In display order. */
const kinds = ['system', 'user', 'assistant', 'tool calls', 'tool results', 'other'];

/** @param {import('../session-file.mjs').Session} session @param {import('../../index.mjs').TokenCounter} counter */
function countList({ file, messages }, counter) {
  const { kindOf } = loadInternals().list;
  /** @type {Record<string, { messages: number, tokens: number }>} */
  const byKind = Object.fromEntries(kinds.map((kind) => [kind, { messages: 0, tokens: 0 }]));
  for (const message of messages) {
    const figures = /** @type {(typeof byKind)[string]} */ (byKind[kindOf(message)]);
    figures.messages += 1;
    // Includes the chat format of each message, rounded up.
    figures.tokens += counter.countMessage(message);
  }
  const { contextWindow, encoding, isExact } = counter;
  const tokens = counter.countMessages(messages);
  // Only complete once all messages are counted.
  const { unrecognised, unrecognisedForms } = counter;
  const counts = { messages: messages.length, tokens, unrecognised, unrecognisedForms, byKind };
  return { file, contextWindow, encoding, isExact, ...counts };
}

/** @param {ReturnType<typeof countList>} figures @param {unknown} model @param {Look} look */
function listTable(figures, model, look) {
  const { file, encoding, isExact, contextWindow, messages, tokens, byKind, unrecognised, unrecognisedForms } = figures;
  const { styles } = look;
  const counted = isExact ? `text counted exactly in ${encoding}` : `estimated for ${model} from ${encoding}`;
  const window = contextWindow ?? 0;
  const how = window > 0 ? `${counted}; ${percentOf(tokens, window)} of its window of ${formatCount(window)}` : counted;
  const columns = [{ title: 'kind' }, right('messages'), right(isExact ? 'tokens' : 'est. tokens'), right('share')];
  const used = Object.entries(byKind).filter(([, ofKind]) => ofKind.messages > 0);
  const rows = used.map(([kind, { messages, tokens: ofKind }]) => {
    return [kind, formatCount(messages), formatCount(ofKind), percentOf(ofKind, tokens)];
  });
  rows.push(['request', formatCount(messages), formatCount(tokens), '']);
  const table = renderTable(columns, rows, look, { indent: '  ', hasTotal: true });
  const share = `${formatCount(unrecognised)} of ${formatCount(messages)} messages not recognised`;
  const note = `  ${styles.yellow('note:')} ${share} (${looksLike(unrecognisedForms)}):\n        counted as JSON text, a little high\n`;
  return `${styles.bold(printable(file))}\n  ${printable(how)}\n\n${table}${unrecognised === 0 ? '' : note}`;
}

/** The tables of agents' sessions. @param {import('../accounts/read.mjs').Accounts} accounts @param {Look} look */
function sessionTables(accounts, look) {
  const columns = [{ title: 'kind' }, right('tokens'), right('share')];
  const tables = sessionsIn(accounts).map(({ path, account }) => {
    const all = account.kinds.reduce((sum, { tokens }) => sum + tokens.once, 0);
    const count = (/** @type {number} */ tokens) => formatCount(Math.round(tokens));
    const rows = account.kinds.map(({ kind, tokens: { once } }) => [kind, count(once), percentOf(once, all)]);
    const table = renderTable(columns, [...rows, ['all', count(all), '']], look, { indent: '  ', hasTotal: true });
    const how = account.bill === null ? 'o200k_base' : 'o200k_base, scaled to the recorded usage';
    const counted = `${plural(account.messages, 'message')}, each counted once (${how})`;
    return `${look.styles.bold(printable(path))}\n  ${account.agentName}, ${counted}\n\n${table}`;
  });
  return tables.join('\n');
}

/** @type {import('../accounts/command.mjs').AccountReport} */
const reportOnSessions = { name: 'tokens', optionsFor: () => ({ simulate: true }), render: sessionTables };

/** @type {Work} */
export function work(values, paths) {
  const { TokenCounter, version } = loadLibrary();
  const { model, encoding } = values;
  const counter = orUsageError(() => new TokenCounter({ model, encoding }));
  return reportOnPaths(reportOnSessions, paths, values, (files, refusals) => {
    const { sessions, errors: located } = readLists(files, refusals, (session) => countList(session, counter));
    const errors = located.map(({ file, message }) => ({ file, message }));
    const look = lookOf(process.stdout);
    return {
      errors,
      output: { version, model: model ?? null, sessions, errors },
      text: () => sessions.map((figures) => listTable(figures, model, look)).join('\n'),
    };
  });
}
