// @ts-check
/** `palimpsest gateway`: runs a gateway for several agents until a signal ends it. */
import { runCommand } from '../command-line.mjs';
import { success } from '../exit-codes.mjs';
import { gatewayOptions, startGateway } from '../gateway/start.mjs';
import { help } from '../help/gateway.mjs';
import { loadLibrary } from '../library.mjs';
import { portIn, startOnPort, untilSignal } from '../local-server.mjs';
import { UsageError } from '../option-values.mjs';
import { printError, printOut } from '../print.mjs';

const command = {
  name: 'gateway',
  help,
  options: { ...gatewayOptions, port: { type: /** @type {const} */ ('string') } },
};

/** @param {string[]} words @returns {Promise<number>} the exit code, when a signal ends the gateway */
export function run(words) {
  return runCommand(words, command, async (values, positionals) => {
    if (positionals.length > 0) throw new UsageError(`expected options only; got “${positionals[0]}”`);
    const port = portIn(values);
    loadLibrary();
    const { gateway, ended } = await startOnPort(port, () => startGateway(values, port));
    printOut(
      Object.entries(gateway.baseUrls)
        .map(([name, url]) => `${name}=${url}\n`)
        .join(''),
    );
    printError('Start agents with these variables. Whoever has an address can use the gateway; Ctrl-C ends it.\n');
    await untilSignal();
    printError(await ended());
    return success;
  });
}
