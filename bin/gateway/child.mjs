// @ts-check
/** Runs the agent of `palimpsest run`, with the gateway as its provider. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename } from 'node:path';

/** Signals forwarded to the agent, which decides how to handle them. @type {readonly NodeJS.Signals[]} */
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCONT'];
const LOOPBACK = '127.0.0.1';

/**
 * Adds Codex's base URL as a command-line setting, because Codex ignores the environment variable.
 * @param {readonly string[]} command @param {Record<string, string>} baseUrls @returns {string[]}
 */
export function withSettings([program = '', ...words], baseUrls) {
  const name = basename(program).replace(/\.(?:exe|cmd|js)$/i, '');
  if (name !== 'codex') return [program, ...words];
  return [program, '-c', `openai_base_url=${JSON.stringify(baseUrls.OPENAI_BASE_URL)}`, ...words];
}

/**
 * Sets the base URLs; excludes the gateway from proxies, which could not reach it; and enables Claude Code's tool search, which
 * Claude Code turns off if the base URL isn't Anthropic's.
 * @param {NodeJS.ProcessEnv} environment @param {Record<string, string>} baseUrls
 * @param {boolean} isAnthropics true if the upstream is Anthropic's own API
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentFor(environment, baseUrls, isAnthropics) {
  /** @type {NodeJS.ProcessEnv} */
  const agentEnvironment = { ...(isAnthropics && { ENABLE_TOOL_SEARCH: 'true' }), ...environment, ...baseUrls };
  for (const name of ['NO_PROXY', 'no_proxy']) {
    const hosts = environment[name] ?? '';
    agentEnvironment[name] = hosts.split(',').includes(LOOPBACK) ? hosts : [hosts, LOOPBACK].filter(Boolean).join(',');
  }
  return agentEnvironment;
}

/**
 * @param {readonly string[]} command @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<number>} the agent's exit code; after a signal, 128 + its number
 * @throws {NodeJS.ErrnoException} if it can't be started
 */
export function runChild([program = '', ...words], environment) {
  const child = spawn(program, words, { stdio: 'inherit', env: environment });
  // A terminal sends Ctrl-C to both processes; the agent decides whether to end.
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
