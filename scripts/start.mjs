// @ts-check
/**
 * `npm start`: builds what is missing, then reports on the given files or on the example session. `npm start -- view`
 * shows them as a page.
 */
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleElements, isBundled } from './bundle-ui.mjs';
import { ensureBuilt, SetupError } from './ensure-built.mjs';

const command = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
const example = fileURLToPath(new URL('../examples/session.json', import.meta.url));

/**
 * @param {'report' | 'view'} name @param {string[]} args @param {string} directory
 * @returns {Promise<{ completeArgs: string[], isExample: boolean }>} the example is added if no file is given
 */
async function addExample(name, args, directory) {
  // Imported late, so that an older Node.js reports its version instead of a missing export.
  const { parseArgs } = await import('node:util');
  const { optionsOfParseArgs } = await import('../bin/command-line.mjs');
  const { options } = await import(`../bin/commands/${name}.mjs`);
  const config = { args, options: optionsOfParseArgs(options), allowPositionals: true, strict: false };
  const { positionals, values } = parseArgs(config);
  const isExample = positionals.length === 0 && !values.help;
  return { completeArgs: isExample ? [...args, relative(directory, example)] : args, isExample };
}

// npm runs scripts in the package's directory, but file names are relative to the user's directory.
const startedByNpm = process.env.npm_lifecycle_event === 'start';
const directory = (startedByNpm && process.env.INIT_CWD) || process.cwd();
const given = process.argv.slice(2).filter((word) => word !== '--verbose');
const isView = given[0] === 'view';
const name = isView ? 'view' : 'report';
const args = isView ? given.slice(1) : given;

try {
  const verbose = process.argv.includes('--verbose');
  await ensureBuilt({ dev: isView, cli: isView, verbose });
  const { completeArgs, isExample } = await addExample(name, args, directory);
  // For the example, a list of messages, the library's addon is enough, and the first build takes half the time.
  if (!isExample) await ensureBuilt({ cli: true, verbose });
  if (isView && !isBundled()) await bundleElements();
  const started = spawnSync(process.execPath, [command, name, ...completeArgs], { cwd: directory, stdio: 'inherit' });
  const { status, signal, error } = started;
  if (error !== undefined) throw error;
  process.exitCode = signal === null ? (status ?? 1) : 1;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`npm start: ${error.message}\n`);
  process.exitCode = 1;
}
