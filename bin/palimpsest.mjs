#!/usr/bin/env node
// @ts-check
/** The command `palimpsest`: runs a subcommand with the remaining arguments. */
import { existsSync, readFileSync } from 'node:fs';
import { didYouMean, exitCodes } from './command-line.mjs';
import { commands } from './commands/registry.mjs';
import { isNativeError } from './library.mjs';
import { printError, printOut } from './print.mjs';

function usage() {
  const width = Math.max(...[...commands.keys()].map((name) => name.length));
  const list = [...commands].map(([name, command]) => `  ${name.padEnd(width)}  ${command.summary}`);
  return [
    'Usage: palimpsest <command> [options]',
    '',
    'Commands:',
    ...list,
    '',
    '  -h, --help     show this, or a command’s own help after its name',
    '  -v, --version  show the version',
    '',
  ].join('\n');
}

function packageVersion() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

/** @param {string} word */
function unknownCommand(word) {
  const known = [...commands.keys()].join(', ');
  const what = word.startsWith('-') ? 'option' : 'command';
  const hint = existsSync(word)
    ? `; to report on that file: palimpsest report ${word}`
    : didYouMean(word, commands.keys());
  return `palimpsest: unknown ${what} “${word}”; expected one of: ${known}, --help, --version${hint}\n`;
}

/** @param {string[]} words @returns {Promise<number>} the exit code */
async function main([first, ...rest]) {
  if (first === undefined) {
    printError(usage());
    return exitCodes.usageError;
  }
  if (first === '--version' || first === '-v') {
    printOut(`${packageVersion()}\n`);
    return exitCodes.success;
  }
  if (first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) {
    printOut(usage());
    return exitCodes.success;
  }
  const asksForHelp = first === 'help';
  const name = asksForHelp ? /** @type {string} */ (rest[0]) : first;
  const command = commands.get(name);
  if (command === undefined) {
    printError(unknownCommand(name));
    return exitCodes.usageError;
  }
  if (asksForHelp || (rest.length === 1 && /^(-h|--help)$/.test(rest[0] ?? ''))) {
    printOut((await command.load()).help);
    return exitCodes.success;
  }
  try {
    const { run } = await command.load();
    return await run(rest);
  } catch (error) {
    // Node.js would print an uncaught error's message without escaping control characters.
    const { message, stack } = /** @type {Partial<Error>} */ (Object(error));
    const shown = isNativeError(error) ? message : (stack ?? String(error));
    printError(`palimpsest ${name}: ${shown}\n`);
    return exitCodes.failure;
  }
}

// `| head` closes the pipe; exit without a stack trace.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

// `process.exit` would cut off output that a pipe has not read yet.
process.exitCode = await main(process.argv.slice(2));
