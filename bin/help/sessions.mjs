// @ts-check
import { sharedHelp } from './shared.mjs';

export const help = `Usage: palimpsest sessions [options] [path…]

Lists recorded sessions of coding agents: whose, of which project, when last
used, how many requests, the longest prompt, and what it cost.

Options:
${sharedHelp}`;
