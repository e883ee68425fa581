// @ts-check
/** `palimpsest truncate`: cuts a command's output to a limit. */
import { filterWork } from '../filter-command.mjs';
import { choiceOf, parseCount } from '../option-values.mjs';

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

export const options = { limit: parseCount, keep: choiceOf(['head', 'tail', 'both', 'errors']), help: Boolean };

export const work = filterWork((parts, { limit, keep }, { truncateOutput }) => {
  const cut = truncateOutput(parts, { limit, keep });
  // Keep the final line break, so that a terminal's prompt starts on a new line.
  const last = parts.findLast((part) => part !== '');
  return last?.endsWith('\n') && cut !== '' ? `${cut}\n` : cut;
});
