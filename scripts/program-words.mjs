// @ts-check
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * What `parseArgs` gives. Words that it refuses are a mistake of who wrote them: it is said in one sentence, and the process ends with 2.
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
