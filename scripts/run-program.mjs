// @ts-check
/** What all scripts do with arguments and errors: invalid arguments and failed set-ups are one sentence on stderr. */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { SetupError } from './ensure-built.mjs';

/** An error's message. @param {unknown} error @returns {string} */
export const sentenceOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Like `parseArgs`. For invalid arguments it prints one sentence and exits with code 2.
 * @template {import('node:util').ParseArgsConfig} T @param {T} config
 */
export function programArguments(config) {
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write(`${basename(process.argv[1] ?? '')}: ${sentenceOf(error)}\n`);
    process.exit(2);
  }
}

/**
 * Runs a program. Invalid arguments and set-up errors are printed as one sentence, other errors with their stack.
 * @param {string} name as in the sentence @param {() => Promise<number | void>} main returns the exit code
 */
export async function runProgram(name, main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const isUsage = error instanceof Error && String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS');
    if (!isUsage && !(error instanceof SetupError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = isUsage ? 2 : 1;
  }
}
