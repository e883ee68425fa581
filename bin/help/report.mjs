// @ts-check

export const help = `Usage: palimpsest report [options] [path…]

Shows what fills the context of recorded sessions, what of it is outdated by
which rule, and what was paid for it. Paths are session files of coding agents,
folders of them, or message lists: a JSON array of messages, an object with a
"messages" array, or JSON lines; “-” reads a list from standard input. Without a
path the folders are read in which the installed agents keep their sessions.
Files are only read, and nothing leaves the machine.

Options:
  --json                  print one JSON object instead of tables: files for
                          sessions of agents, sessions for message lists
  --csv                   print one line for each session of an agent
  --prices <file>         a list of models’ prices, before the package’s own

Options for message lists (agents’ own tools are known):
  --now <when>            judge ages at this time: last (the default: the latest
                          timestamp of the session), last+1h, now, an ISO date,
                          or milliseconds since 1970
  --keep-recent <n>       newest successful results that stay (default 5)
  --max-age <duration>    remove older terminal and search results, such as 15m
                          (default 15m for terminal, 10m for text search)
  --terminal-tools <a,b>  terminal tools, instead of the well-known ones
  --read-tools <a,b>      file reading tools (default filesystem-read)
  --search-tools <a,b>    text search tools (default ace-text_search)
  --path-keys <a,b>       arguments that hold a path (default filePath)
  --project-root <dir>    what relative paths are relative to (default: the
                          source.projectRoot of the session, else the current
                          directory)
  --errors <rule>         what keeps a failed command: exitCode (default: stderr
                          or exit code), or seed (stderr only)
  --placeholder-language <zh|en>
                          the language of placeholders (default zh)
  -h, --help              show this

Exit code: 0; 1 when a file could not be reported on; 2 for a wrong command
line.
`;
