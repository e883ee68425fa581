/** `palimpsest truncate`: cuts a command's output to a limit. */
import { filterCommand } from '../filter-command.mjs';
import { parseChoice, parseCount } from '../option-values.mjs';

export const help = `Usage: palimpsest truncate [options] [file]

Reads output from the file or standard input, and prints it without blank lines
at its ends and cut to the limit, with a line that says how much was cut.

Options:
  --limit <n>    UTF-16 units to keep (default: BASH_MAX_OUTPUT_LENGTH, else
                 30000)
  --keep <what>  head, tail, both, or errors: both ends and the lines around
                 errors (default: the head)
  -h, --help     show this
`;

const modes = /** @type {const} */ (['head', 'tail', 'both', 'errors']);

export const run = filterCommand({
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
});
