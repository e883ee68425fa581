// @ts-check
/** `palimpsest run`: starts an agent with a gateway to its provider. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { startGateway } from '../gateway/server.mjs';
import { loadLibrary } from '../library.mjs';
import { UsageError } from '../option-values.mjs';
import { printError } from '../print.mjs';

export { gatewayOptions as options } from '../gateway/server.mjs';

export const help = `Usage: palimpsest run [options] -- <command> [argument…]

Starts an agent (claude, codex, or any command) with a gateway between it and its
provider: outdated tool results are left out of requests when that makes the bill
smaller. At the end it prints what the prompts cost, what they would have cost
with nothing left out, and how many requests weren’t understood.

Options:
  --upstream <url>    where requests go, for all APIs alike (default: the base
                      URL in the environment, else the provider’s own address)
  --dry-run           send every request on untouched, and say at the end what
                      would have been saved; try that for a week first
  -h, --help          show this

The command gets ANTHROPIC_BASE_URL, OPENAI_BASE_URL and GOOGLE_GEMINI_BASE_URL;
codex gets its setting openai_base_url. Requests that aren’t understood are sent
on byte for byte. The gateway listens on 127.0.0.1, and its address holds a token.
PALIMPSEST_PRICE names a list of prices, PALIMPSEST_REPEATED=off turns off
references to earlier lines, PALIMPSEST=off changes no request.

Exit code: the command’s own; 126 or 127 when it can’t be started; 2 for a wrong
command line.
`;

/** Signals forwarded to the agent, which decides how to handle them. @type {readonly NodeJS.Signals[]} */
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH', 'SIGCONT'];
const LOOPBACK = '127.0.0.1';

/** Codex ignores `OPENAI_BASE_URL`. @param {readonly string[]} command @param {Record<string, string>} baseUrls */
export function withSettings([program = '', ...words], baseUrls) {
  const name = basename(program).replace(/\.(?:exe|cmd|js)$/i, '');
  if (name !== 'codex') return [program, ...words];
  return [program, '-c', `openai_base_url=${JSON.stringify(baseUrls.OPENAI_BASE_URL)}`, ...words];
}

/**
 * Sets the base URLs; excludes the gateway from proxies, which could not reach it; and enables Claude Code's tool
 * search, which Claude Code turns off if the base URL isn't Anthropic's.
 * @param {NodeJS.ProcessEnv} environment @param {Record<string, string>} baseUrls
 * @param {boolean} isAnthropics true if the upstream is Anthropic's own API @returns {NodeJS.ProcessEnv}
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
 * @returns {Promise<number>} the agent's exit code, or 128 + its signal's number @throws {NodeJS.ErrnoException}
 */
function runChild([program = '', ...words], environment) {
  const child = spawn(program, words, { stdio: 'inherit', env: environment });
  /** @type {Map<NodeJS.Signals, () => void>} */
  const handlers = new Map(FORWARDED.map((signal) => [signal, () => child.kill(signal)]));
  // A terminal sends Ctrl-C to both processes; the agent decides whether to end.
  handlers.set('SIGINT', () => {});
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const [name, handler] of handlers) process.off(name, handler);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** The exit codes that shells use for a missing or non-executable command. @type {Readonly<Record<string, number>>} */
const NOT_STARTED = { ENOENT: 127, EACCES: 126 };

/** @type {import('../command-line.mjs').Work} */
export async function work(values, positionals, command) {
  if (command.length === 0 || positionals.length > command.length) {
    throw new UsageError('expected -- and the command behind it, such as: palimpsest run -- claude');
  }
  loadLibrary();
  const { baseUrls, closeAndSummarise } = await startGateway(values);
  try {
    const isAnthropics = values.upstream === undefined && !process.env.ANTHROPIC_BASE_URL;
    const environment = environmentFor(process.env, baseUrls, isAnthropics);
    const code = await runChild(withSettings(command, baseUrls), environment);
    printError(await closeAndSummarise());
    return code;
  } catch (error) {
    await closeAndSummarise();
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    const exitCode = NOT_STARTED[code];
    if (exitCode === undefined) throw error;
    printError(`palimpsest run: ${command[0]} can’t be started (${code})\n`);
    return exitCode;
  }
}
