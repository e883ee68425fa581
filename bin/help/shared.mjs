// @ts-check
/** Shared end of the help of all commands over recorded sessions. */
export const sharedHelp = `  --json              print one JSON object instead of tables
  --csv               print one line for each session
  --prices <file>     a list of models’ prices, before the package’s own:
                      {"date", "models": [{"model", "input", "cacheRead",
                      "output", …}]}, in US dollars for a million tokens
  -h, --help          show this

Paths are files and folders; without one, the folders in which the installed
agents keep their sessions. Files are only read, and nothing leaves the machine.

Exit code: 0; 1 when a file could not be read; 2 for a wrong command line; 130
after Ctrl-C, which ends with what is done (twice: at once).
`;
