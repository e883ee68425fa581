// @ts-check
/** `palimpsest simulate`: what recorded sessions cost, and what they would have cost under other policies. */
import { listsOf, runAccounts, sharedHelp } from '../accounts/command.mjs';
import { billTables, policyTables } from '../accounts/text.mjs';

const help = `Usage: palimpsest simulate [options] [path…]

Shows for recorded sessions the bill that was paid beside the bill that the model
of the prompt cache predicts, and what each policy would have made of it: leaving
the history alone, the rules at every request, batches of 20 k and 30 k tokens,
all but 3 above 100 k, and ContextView.

Options:
  --price-list <a,b>  instead of each session’s own prices those of anthropic,
                      anthropic-1h, openai, openai-older, deepseek, gemini, none
                      or all
  --hindsight         search for the cheapest schedule, too: seconds for each
                      session of a thousand messages
${sharedHelp}`;

/** @type {import('../accounts/command.mjs').AccountCommand} */
const command = {
  name: 'simulate',
  help,
  options: { 'price-list': { type: 'string' }, hindsight: { type: 'boolean' } },
  wanted: (values) => ({ lists: listsOf(values), simulate: true, hindsight: values.hindsight === true }),
  render: (accounts, look) => billTables(accounts, look) + policyTables(accounts, look),
};

/** @param {string[]} words @returns {Promise<number>} the exit code */
export function run(words) {
  return runAccounts(command, words);
}
