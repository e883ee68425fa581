// @ts-check
/** Starts an agent that has no plug-in: by itself, or with `palimpsest run`. */
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/palimpsest.mjs', import.meta.url));
const clock = new URL('clock.mjs', import.meta.url).href;

/** Given instead of a plug-in's path: start with `palimpsest run`. */
export const GATEWAY = 'gateway';
export const DRY_RUN = 'gateway --dry-run';

/**
 * The command line.
 * @param {readonly string[]} extensions empty: start the agent by itself @param {string} providerUrl
 * @param {string} agent its program @param {readonly string[]} args
 * @returns {{ command: string, args: string[] }}
 */
export function startCommand(extensions, providerUrl, agent, args) {
  if (extensions.length === 0) return { command: agent, args: [...args] };
  const options = ['--upstream', providerUrl, ...(extensions.includes(DRY_RUN) ? ['--dry-run'] : [])];
  return {
    command: process.execPath,
    args: ['--import', clock, program, 'run', ...options, '--', agent, ...args],
  };
}
