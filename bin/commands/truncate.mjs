// @ts-check
/** `palimpsest truncate`: cuts a command's output to a limit. */

import { runFilter } from '../filter-command.mjs';
import { help } from '../help/truncate.mjs';
import { parseChoice, parseCount } from '../option-values.mjs';

const modes = /** @type {const} */ (['head', 'tail', 'both', 'errors']);

/** @type {import('../filter-command.mjs').Filter} */
const filter = {
  name: 'truncate',
  help,
  options: { limit: { type: 'string' }, keep: { type: 'string' } },
  prepare({ limit, keep }) {
    const options = {
      limit: typeof limit === 'string' ? parseCount('--limit', limit) : undefined,
      keep: typeof keep === 'string' ? parseChoice('--keep', keep, modes) : undefined,
    };
    return (parts, { truncateOutput }) => {
      const cut = truncateOutput(parts, options);
      // Keep the final line break, so that a terminal's prompt starts on a new line.
      const last = parts.findLast((part) => part !== '');
      return last?.endsWith('\n') && cut !== '' ? `${cut}\n` : cut;
    };
  },
};

/** @param {string[]} words @returns {Promise<number>} the exit code */
export function run(words) {
  return runFilter(filter, words);
}
