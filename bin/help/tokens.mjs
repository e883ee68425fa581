// @ts-check

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
