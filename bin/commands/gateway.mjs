// @ts-check
/** `palimpsest gateway`: runs a gateway for several agents until a signal ends it. */
import { readWords } from '../command-line.mjs';
import { someFilesFailed, success, usageError } from '../exit-codes.mjs';
import { gatewayOptions, startGateway } from '../gateway/start.mjs';
import { help } from '../help/gateway.mjs';
import { loadLibrary } from '../library.mjs';
import { parsePort, UsageError } from '../option-values.mjs';
import { printError, printOut } from '../print.mjs';

export const options = /** @type {const} */ ({ ...gatewayOptions, port: { type: 'string' } });

/** @param {Parameters<typeof startGateway>[0]} values @param {number} port @returns {Promise<number>} resolves when a signal ends it */
async function serve(values, port) {
  let started;
  try {
    started = await startGateway(values, port);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const why = code === 'EACCES' ? 'may not be listened on' : 'is taken';
    throw new UsageError(`--port: port ${port} ${why}; without --port a free one is used`);
  }
  const { gateway, ended } = started;
  printOut(
    Object.entries(gateway.baseUrls)
      .map(([name, url]) => `${name}=${url}\n`)
      .join(''),
  );
  printError('Start agents with these variables. Whoever has an address can use the gateway; Ctrl-C ends it.\n');
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
  });
  printError(await ended());
  return success;
}

/** @param {string[]} words @returns {Promise<number>} the exit code */
export async function run(words) {
  try {
    const { values, positionals } = readWords(words, options);
    if (values.help === true) {
      printOut(help);
      return success;
    }
    if (positionals.length > 0) throw new UsageError(`expected options only; got “${positionals[0]}”`);
    const port = values.port === undefined ? 0 : parsePort('--port', values.port);
    loadLibrary();
    return await serve(values, port);
  } catch (error) {
    printError(`palimpsest gateway: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? usageError : someFilesFailed;
  }
}
