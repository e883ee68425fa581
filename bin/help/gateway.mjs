// @ts-check

export const help = `Usage: palimpsest gateway [options]

Serves the gateway of \`palimpsest run\` to agents that you start yourself. Their
base URLs are printed; at the end two lines say what the prompts cost.

Options:
  --port <n>          the port to listen on (default: a free one)
  --upstream <url>    where requests go, for all APIs alike (default: the base
                      URL in the environment, else the provider’s own address)
  --dry-run           send every request on untouched, and say at the end what
                      would have been
  -h, --help          show this

It listens on 127.0.0.1 only, to whoever has an address that is printed; each
start has another token in it. Ctrl-C ends it.

Exit code: 0, when Ctrl-C ends it; 2 for a wrong command line.
`;
