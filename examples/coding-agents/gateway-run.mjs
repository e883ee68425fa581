// @ts-check
/** Starts an agent that has no plug-in: by itself, or with `palimpsest run`. */
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/palimpsest.mjs', import.meta.url));
const clock = new URL('clock.mjs', import.meta.url).href;

/** Use this instead of a plug-in's path. */
export const GATEWAY = 'gateway';
export const DRY_RUN = 'gateway --dry-run';

/**
 * @param {readonly string[]} extensions empty: start the agent by itself @param {string} providerUrl
 * @param {string} agent its program @param {readonly string[]} words
 * @returns {{ command: string, words: string[] }}
 */
export function started(extensions, providerUrl, agent, words) {
  if (extensions.length === 0) return { command: agent, words: [...words] };
  const options = ['--upstream', providerUrl, ...(extensions.includes(DRY_RUN) ? ['--dry-run'] : [])];
  return {
    command: process.execPath,
    words: ['--import', clock, program, 'run', ...options, '--', agent, ...words],
  };
}
