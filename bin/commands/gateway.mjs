// @ts-check
/** `palimpsest gateway`: runs a gateway for several agents until a signal ends it. */
import { gatewayOptions, startGateway } from '../gateway/server.mjs';
import { loadLibrary } from '../library.mjs';
import { untilSignal } from '../local-server.mjs';
import { parsePort, UsageError } from '../option-values.mjs';
import { printError, printOut } from '../print.mjs';

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

export const options = { ...gatewayOptions, port: parsePort };

/** @type {import('../command-line.mjs').Work} */
export async function work(values, positionals) {
  if (positionals.length > 0) throw new UsageError(`expected options only; got “${positionals[0]}”`);
  loadLibrary();
  const { baseUrls, closeAndSummarise } = await startGateway(values);
  for (const [name, url] of Object.entries(baseUrls)) printOut(`${name}=${url}\n`);
  printError('Start agents with these variables. Whoever has an address can use the gateway; Ctrl-C ends it.\n');
  await untilSignal();
  printError(await closeAndSummarise());
}
