// @ts-check
/** `palimpsest report` and `palimpsest tokens` for agents' recorded sessions. */

import { success } from '../exit-codes.mjs';
import { UsageError } from '../option-values.mjs';
import { printJson, printOut } from '../print.mjs';
import { runOn } from './command.mjs';
import { listed } from './figures.mjs';
import { sortPaths } from './recorded.mjs';
import { billTables, sessionDetail, tokensTables } from './text.mjs';

/** More sessions than this are shown as a table, not a page each. */
const mostDetails = 3;

/** @type {import('./command.mjs').AccountCommand['wanted']} */
const wanted = () => ({ lists: [], simulate: true, hindsight: false, curves: false });

/** @type {Record<'report' | 'tokens', import('./command.mjs').AccountCommand>} */
const commands = {
  report: {
    name: 'report',
    help: '',
    options: {},
    wanted,
    render(accounts, look) {
      const sessions = listed(accounts);
      const details = sessions.length > mostDetails ? [] : sessions.map((session) => sessionDetail(session, look));
      return details.join('') + billTables(accounts, look);
    },
  },
  tokens: { name: 'tokens', help: '', options: {}, wanted, render: tokensTables },
};

/** @typedef {{ code: number, output: object, text: () => string }} ListReport report on message lists */

/**
 * Reports on agents' sessions and message lists; without paths, on installed agents' sessions.
 * @param {'report' | 'tokens'} name
 * @param {readonly string[]} paths
 * @param {import('./command.mjs').Values} values
 * @param {(files: string[], refusals: ReadonlyMap<string, string>) => ListReport} reportOnLists `refusals`: why each file is not a session
 * @returns {Promise<number>} the exit code
 */
export async function reportOnRecorded(name, paths, values, reportOnLists) {
  const command = commands[name];
  if (paths.length === 0) return runOn(command, [], values);
  const { messages, recorded, refusals } = await sortPaths(paths);
  if (messages.length === 0) return runOn(command, recorded, values);
  if (values.csv === true) throw new UsageError(`--csv takes sessions of agents; ${messages[0]} is none`);
  if (values.json !== true) {
    const code = recorded.length === 0 ? success : await runOn(command, recorded, values);
    const lists = reportOnLists(messages, refusals);
    printOut(lists.text());
    return Math.max(code, lists.code);
  }
  const lists = reportOnLists(messages, refusals);
  if (recorded.length > 0) return Math.max(lists.code, await runOn(command, recorded, values, lists.output));
  printJson(lists.output);
  return lists.code;
}
