// @ts-check
/** Registry of commands. A command is loaded when it runs or shows its help; loading it never loads an addon. */

/** @type {Readonly<Record<string, string>>} */ const summaries = {
  report: 'show what fills recorded sessions, and what of it is outdated',
  simulate: 'show what recorded sessions cost, and would have cost otherwise',
  sessions: 'list the sessions that agents have recorded',
  tokens: 'count the tokens of recorded sessions by kind',
  view: 'show a recorded session as a page',
  run: 'start an agent, and leave outdated results out of its requests',
  gateway: 'serve agents that are started elsewhere, as run does',
  truncate: 'cut a command’s output as a model would see it',
  completion: 'print what completes commands and options in a shell',
  sanitize: 'take binary data out of the JSON of tool results',
};

/** @type {ReadonlyMap<string, { summary: string, load: () => Promise<import('../command-line.mjs').Command> }>} */
export const commands = new Map(
  Object.entries(summaries).map(([name, summary]) => [name, { summary, load: () => import(`./${name}.mjs`) }]),
);
