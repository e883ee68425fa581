// @ts-check

export const help = `Usage: palimpsest view [options] [path…]

Shows recorded sessions as a page: what fills the context of each request, what
of it is outdated, where the cache was lost and why, what each request cost and
would have cost otherwise, and where history was compressed, with every original
message. The page follows a session that grows. It is served on 127.0.0.1 only,
to whoever has the address that is printed; Ctrl-C ends it.

Options:
  --port <n>          the port to listen on (default: a free one)
  --export <file>     write the newest session as one HTML file instead, with
                      all its messages in it, and its bill as a picture
                      without any content (file.svg), to be shared
  --force             write over a file that exists
  --text              print the newest session’s compressions instead
  --no-cache          read all files again; else what was read before is kept in
                      the user’s cache directory, by path, size and time
  --prices <file>     a list of models’ prices, before the package’s own
  --price-list <a,b>  presets to compare costs under (default: all)
  -h, --help          show this

Paths are files and folders; without one, the folders in which the installed
agents keep their sessions. Files are only read, and nothing leaves the machine.

Exit code: 0, also when Ctrl-C ends the page; 1 when nothing could be shown; 2
for a wrong command line; 130 when Ctrl-C ended the reading.
`;
