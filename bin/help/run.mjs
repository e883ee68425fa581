// @ts-check

export const help = `Usage: palimpsest run [options] -- <command> [argument…]

Starts an agent (claude, codex, or any command) with a gateway between it and its
provider: outdated tool results are left out of requests when that makes the bill
smaller. At the end two lines say what the prompts cost, and what they would have
cost with nothing left out.

Options:
  --upstream <url>    where requests go, for all APIs alike (default: the base
                      URL in the environment, else the provider’s own address)
  --dry-run           send every request on untouched, and say at the end what
                      would have been; try that for a week first
  -h, --help          show this

The command gets ANTHROPIC_BASE_URL, OPENAI_BASE_URL and GOOGLE_GEMINI_BASE_URL;
codex gets its setting openai_base_url. Requests that aren’t understood are sent
on byte for byte. The gateway listens on 127.0.0.1, and its address holds a token.
PALIMPSEST_PRICE names a list of prices, PALIMPSEST_REPEATED=off refers to no
earlier lines, PALIMPSEST=off changes no request.

Exit code: the command’s own; 126 or 127 when it can’t be started; 2 for a wrong
command line.
`;
