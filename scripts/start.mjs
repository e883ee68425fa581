// @ts-check
/** `npm start`: builds what is missing, then reports on the example session, or on the files that were given. */
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, SetupError } from './ensure-built.mjs';

const command = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
const example = fileURLToPath(new URL('../examples/session.json', import.meta.url));

/**
 * @param {string[]} words
 * @param {string} directory
 * @returns {Promise<string[]>} with the example where no file is named
 */
async function addExample(words, directory) {
  // Loaded only now: an older Node.js should reach the sentence about its version, not a missing export.
  const { parseArgs } = await import('node:util');
  const { options } = await import('../bin/commands/report.mjs');
  const { positionals, values } = parseArgs({ args: words, options, allowPositionals: true, strict: false });
  return positionals.length > 0 || values.help ? words : [...words, relative(directory, example)];
}

// npm runs scripts in the package's directory; the user's file names are relative to where the user is.
const startedByNpm = process.env.npm_lifecycle_event === 'start';
const directory = (startedByNpm && process.env.INIT_CWD) || process.cwd();
const words = process.argv.slice(2).filter((word) => word !== '--verbose');

try {
  await ensureBuilt({ dev: false, verbose: process.argv.includes('--verbose') });
  const reportWords = [command, 'report', ...(await addExample(words, directory))];
  const { status, signal, error } = spawnSync(process.execPath, reportWords, { cwd: directory, stdio: 'inherit' });
  if (error !== undefined) throw error;
  process.exitCode = signal === null ? (status ?? 1) : 1;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`npm start: ${error.message}\n`);
  process.exitCode = 1;
}
