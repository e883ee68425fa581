// @ts-check
/** `palimpsest run`: starts an agent with a gateway to its provider. */
import { readWords } from '../command-line.mjs';
import { someFilesFailed, success, usageError } from '../exit-codes.mjs';
import { environmentFor, runChild, withSettings } from '../gateway/child.mjs';
import { gatewayOptions as options, startGateway } from '../gateway/start.mjs';
import { help } from '../help/run.mjs';
import { loadLibrary } from '../library.mjs';
import { UsageError } from '../option-values.mjs';
import { printError, printOut } from '../print.mjs';

export { options };

/** The exit codes that shells use for a missing or non-executable command. @type {Readonly<Record<string, number>>} */
const NOT_STARTED = { ENOENT: 127, EACCES: 126 };

/** @param {readonly string[]} command @param {Parameters<typeof startGateway>[0]} values @returns {Promise<number>} */
async function runWithGateway(command, values) {
  const { gateway, ended } = await startGateway(values, 0);
  const { baseUrls } = gateway;
  try {
    const isAnthropics = values.upstream === undefined && !process.env.ANTHROPIC_BASE_URL;
    const environment = environmentFor(process.env, baseUrls, isAnthropics);
    const code = await runChild(withSettings(command, baseUrls), environment);
    printError(await ended());
    return code;
  } catch (error) {
    await ended();
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (NOT_STARTED[code] === undefined) throw error;
    printError(`palimpsest run: ${command[0]} can’t be started (${code})\n`);
    return /** @type {number} */ (NOT_STARTED[code]);
  }
}

/** @param {string[]} words @returns {Promise<number>} the exit code */
export async function run(words) {
  try {
    const at = words.indexOf('--');
    const { values, positionals } = readWords(at < 0 ? words : words.slice(0, at), options);
    if (values.help === true) {
      printOut(help);
      return success;
    }
    const command = at < 0 ? [] : words.slice(at + 1);
    if (command.length === 0 || positionals.length > 0) {
      throw new UsageError('expected -- and the command behind it, such as: palimpsest run -- claude');
    }
    loadLibrary();
    return await runWithGateway(command, values);
  } catch (error) {
    printError(`palimpsest run: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? usageError : someFilesFailed;
  }
}
