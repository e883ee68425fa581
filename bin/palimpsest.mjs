#!/usr/bin/env node
// @ts-check
/** The command `palimpsest`: runs a subcommand with the remaining arguments. */
import { existsSync, readFileSync } from 'node:fs';
import { commands, didYouMean, exitCodes, runCommand } from './command-line.mjs';
import { printError, printOut } from './print.mjs';

function usage() {
  const width = Math.max(...[...commands.keys()].map((name) => name.length));
  const list = [...commands].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `Usage: palimpsest <command> [options]

Commands:
${list.join('')}
  -h, --help     show this, or a command’s own help after its name
  -v, --version  show the version
`;
}

/** @param {string} word */
function unknownCommand(word) {
  const what = word.startsWith('-') ? 'option' : 'command';
  const isFile = existsSync(word);
  const hint = isFile ? `; to report on that file: palimpsest report ${word}` : didYouMean(word, commands.keys());
  const known = [...commands.keys()].join(', ');
  return `palimpsest: unknown ${what} “${word}”; expected one of: ${known}, --help, --version${hint}\n`;
}

/** @param {string[]} words @returns {Promise<number>} the exit code */
async function main([first, ...rest]) {
  if (first === undefined) {
    printError(usage());
    return exitCodes.usageError;
  }
  const [name, words] = first === 'help' ? [rest[0], ['--help']] : [first, rest];
  const isVersion = first === '--version' || first === '-v';
  if (isVersion || first === '--help' || first === '-h' || name === undefined) {
    const manifest = new URL('../package.json', import.meta.url);
    printOut(isVersion ? `${JSON.parse(readFileSync(manifest, 'utf8')).version}\n` : usage());
    return exitCodes.success;
  }
  const command = commands.get(name);
  if (command === undefined) {
    printError(unknownCommand(name));
    return exitCodes.usageError;
  }
  return runCommand(name, await command.load(), words);
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
