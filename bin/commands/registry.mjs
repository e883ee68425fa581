// @ts-check
/**
 * Which subcommands exist. A command's module is loaded only when it is called, so that `--help` and
 * `--version` work before the addon is built.
 */

/**
 * @typedef {object} Command
 * @property {string} summary one line for the list of commands
 * @property {() => Promise<{ run: (words: string[]) => Promise<number> }>} load `run` gives the exit code
 */

/** @type {ReadonlyMap<string, Command>} */
export const commands = new Map([
  [
    'report',
    { summary: 'show what fills recorded sessions, and what of it is outdated', load: () => import('./report.mjs') },
  ],
  [
    'simulate',
    {
      summary: 'show what recorded sessions cost, and would have cost otherwise',
      load: () => import('./simulate.mjs'),
    },
  ],
  ['sessions', { summary: 'list the sessions that agents have recorded', load: () => import('./sessions.mjs') }],
  ['tokens', { summary: 'count the tokens of recorded sessions by kind', load: () => import('./tokens.mjs') }],
  ['view', { summary: 'show a recorded session as a page', load: () => import('./view.mjs') }],
  ['truncate', { summary: 'cut a command’s output as a model would see it', load: () => import('./truncate.mjs') }],
  ['sanitize', { summary: 'take binary data out of the JSON of tool results', load: () => import('./sanitize.mjs') }],
]);
