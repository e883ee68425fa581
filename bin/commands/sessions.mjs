// @ts-check
/** `palimpsest sessions`: which recorded sessions there are, and what they cost. */
import { runAccounts, sharedHelp } from '../accounts/command.mjs';
import { sessionsTable } from '../accounts/text.mjs';

const help = `Usage: palimpsest sessions [options] [path…]

Lists recorded sessions of coding agents: whose, of which project, when last
used, how many requests, the longest prompt, and what it cost.

Options:
${sharedHelp}`;

/** @type {import('../accounts/command.mjs').AccountCommand} */
const command = {
  name: 'sessions',
  help,
  options: {},
  wanted: () => ({ lists: [], simulate: false, hindsight: false, curves: false }),
  render: sessionsTable,
};

/** @param {string[]} words @returns {Promise<number>} the exit code */
export function run(words) {
  return runAccounts(command, words);
}
