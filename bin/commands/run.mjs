// @ts-check
/** `palimpsest run`: starts an agent with a gateway to its provider. */
import { runCommand } from '../command-line.mjs';
import { environmentFor, runChild, withSettings } from '../gateway/child.mjs';
import { gatewayOptions, startGateway } from '../gateway/start.mjs';
import { help } from '../help/run.mjs';
import { loadLibrary } from '../library.mjs';
import { UsageError } from '../option-values.mjs';
import { printError } from '../print.mjs';

/** The exit codes that shells use for a missing or non-executable command. @type {Readonly<Record<string, number>>} */
const NOT_STARTED = { ENOENT: 127, EACCES: 126 };

/** @param {readonly string[]} command @param {import('../command-line.mjs').Values} values @returns {Promise<number>} */
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
export function run(words) {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return runCommand(words.slice(0, end), { name: 'run', help, options: gatewayOptions }, (values, positionals) => {
    const command = words.slice(end + 1);
    if (command.length === 0 || positionals.length > 0) {
      throw new UsageError('expected -- and the command behind it, such as: palimpsest run -- claude');
    }
    loadLibrary();
    return runWithGateway(command, values);
  });
}
