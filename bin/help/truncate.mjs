// @ts-check

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
