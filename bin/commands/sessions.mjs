// @ts-check
/** `palimpsest sessions`: which recorded sessions there are, and what they cost. */

import { runAccounts } from '../accounts/command.mjs';
import { sessionsTable } from '../accounts/text.mjs';
import { help } from '../help/sessions.mjs';

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
