// @ts-check
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Like `parseArgs`. For invalid arguments it prints one sentence and exits with code 2.
 * @template {import('node:util').ParseArgsConfig} T
 * @param {T} config
 */
export function programWords(config) {
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write(`${basename(process.argv[1] ?? '')}: ${error instanceof Error ? error.message : error}\n`);
    process.exit(2);
  }
}
