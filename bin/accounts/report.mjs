// @ts-check
/** What `palimpsest report` and `palimpsest tokens` say of sessions that agents have recorded. */
import { runOn } from './command.mjs';
import { listed } from './figures.mjs';
import { sortPaths } from './recorded.mjs';
import { billTables, sessionDetail, tokensTables } from './text.mjs';

/** More sessions are a table, not a page each. */
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

/**
 * Deals with what of `paths` agents have recorded, or with what is installed where there are none.
 * @param {'report' | 'tokens'} name
 * @param {readonly string[]} paths
 * @param {import('./command.mjs').Values} values
 * @returns {Promise<{ code: number, messages: string[], refusals: Map<string, string> }>} its exit code, and the
 *   message lists, which are left to the caller
 */
export async function reportOnRecorded(name, paths, values) {
  if (paths.length === 0) return { code: await runOn(commands[name], [], values), messages: [], refusals: new Map() };
  const { messages, recorded, refusals } = await sortPaths(paths);
  if (recorded.length === 0) return { code: 0, messages, refusals };
  if (messages.length > 0 && (values.json === true || values.csv === true)) {
    const one = `${messages[0]} is a message list, ${recorded[0]} an agent’s session`;
    throw new Error(`--json and --csv take one or the other: ${one}`);
  }
  return { code: await runOn(commands[name], recorded, values), messages, refusals };
}
