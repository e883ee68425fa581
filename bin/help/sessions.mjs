// @ts-check
import { sharedHelp } from './shared.mjs';

export const help = `Usage: palimpsest sessions [options] [path…]

Lists recorded sessions of coding agents, the newest last: when last used, by
which agent, in which project, how many requests, the longest prompt, and the
cost with answers. Then their total cost, by day, by project and by model.

Options:
  --since <when>      only sessions used since then: a date (2026-11-01), or how
                      long ago (7d)
  --no-cache          read all files again; else what was read before is kept in
                      the user's cache directory, by path, size and time
${sharedHelp}`;
