// @ts-check
/** The agent that `palimpsest run` starts. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename } from 'node:path';

/** Signals that end the agent; it decides when that is. @type {readonly NodeJS.Signals[]} */
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCONT'];
const LOOPBACK = '127.0.0.1';

/** Codex reads its base URL from its settings only. @param {readonly string[]} command @param {Record<string, string>} baseUrls @returns {string[]} */
export function withSettings([program = '', ...words], baseUrls) {
  const name = basename(program).replace(/\.(?:exe|cmd|js)$/i, '');
  if (name !== 'codex') return [program, ...words];
  return [program, '-c', `openai_base_url=${JSON.stringify(baseUrls.OPENAI_BASE_URL)}`, ...words];
}

/**
 * What the agent gets besides the base URLs: a proxy would not reach this machine's gateway, and Claude Code does without its tool search
 * where the base URL isn't Anthropic's, unless it is told that what stands there can do it.
 * @param {NodeJS.ProcessEnv} environment @param {Record<string, string>} baseUrls
 * @param {boolean} isAnthropics whether requests reach Anthropic itself
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentFor(environment, baseUrls, isAnthropics) {
  /** @type {NodeJS.ProcessEnv} */
  const own = { ...(isAnthropics && { ENABLE_TOOL_SEARCH: 'true' }), ...environment, ...baseUrls };
  for (const name of ['NO_PROXY', 'no_proxy']) {
    const without = environment[name] ?? '';
    own[name] = without.split(',').includes(LOOPBACK) ? without : [without, LOOPBACK].filter(Boolean).join(',');
  }
  return own;
}

/**
 * @param {readonly string[]} command @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<number>} its exit code; after a signal what shells make of that
 * @throws {NodeJS.ErrnoException} if it can't be started
 */
export function runChild([program = '', ...words], environment) {
  const child = spawn(program, words, { stdio: 'inherit', env: environment });
  // A terminal sends Ctrl-C to both; the agent decides what it means.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  const handlers = FORWARDED.map((signal) => {
    const handler = () => child.kill(signal);
    process.on(signal, handler);
    return /** @type {const} */ ([signal, handler]);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('SIGINT', ignore);
      for (const [name, handler] of handlers) process.off(name, handler);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
