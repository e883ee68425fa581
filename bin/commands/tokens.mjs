// @ts-check
/** `palimpsest tokens`: counts the tokens of recorded sessions by kind of message. */

import { sharedOptions } from '../accounts/command.mjs';
import { readLists, reportOnRecorded } from '../accounts/report.mjs';
import { runCommand } from '../command-line.mjs';
import { help } from '../help/tokens.mjs';
import { loadLibrary } from '../library.mjs';
import { UsageError } from '../option-values.mjs';
import { printable } from '../printable.mjs';
import { renderTable, right } from '../table.mjs';
import { lookOf } from '../terminal.mjs';
import { countSession, kinds } from '../token-figures.mjs';
import { looksLike } from '../unrecognised-text.mjs';
import { count, messageOf, percentOf } from '../wording.mjs';

const options = /** @type {const} */ ({
  ...sharedOptions,
  model: { type: 'string' },
  encoding: { type: 'string' },
});

/**
 * @param {import('../token-figures.mjs').TokenFigures} figures @param {unknown} model
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
    return reportOnRecorded('tokens', paths, values, (files, refusals) => {
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
