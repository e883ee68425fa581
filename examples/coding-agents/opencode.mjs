// @ts-check
/** opencode, headless, at the version that the plug-in was tested with. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from '../../scripts/ensure-built.mjs';
import { installAgent, installPlugin } from './agent-programs.mjs';

export const VERSION = '1.18.33';
const _repository = fileURLToPath(new URL('../..', import.meta.url));
const clock = fileURLToPath(new URL('opencode-clock.mjs', import.meta.url));
/** Maximum tokens of an assistant message; opencode reserves them in the context window. */
const MAX_OUTPUT_TOKENS = 8_000;

export const tools = {
  read: (/** @type {string} */ path) => ({ name: 'read', arguments: { filePath: path } }),
  run: (/** @type {string} */ command) => ({ name: 'bash', arguments: { command, description: 'works' } }),
};

/** A plug-in that makes every third call of ours fail. */
export const failing = fileURLToPath(new URL('opencode-failing.mjs', import.meta.url));

/** Installs opencode. @returns {string} path of its program */
export const install = () =>
  installAgent('opencode', VERSION, [`opencode-ai@${VERSION}`, `@opencode-ai/plugin@${VERSION}`], programIn);

/** Selects the opencode binary for this machine. @param {string} folder */
function programIn(folder) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const file = process.platform === 'win32' ? 'opencode.exe' : 'opencode';
  const kinds = ['', '-baseline', '-musl', '-baseline-musl'].map(
    (kind) => `opencode-${platform}-${process.arch}${kind}`,
  );
  const programs = kinds.map((name) => join(folder, 'node_modules', name, 'bin', file));
  return programs.find((program) => existsSync(program) && spawnSync(program, ['--version']).status === 0);
}

export const plugin = (/** @type {string} */ home) => installPlugin('opencode', home);

/** Keeps opencode from the network and from this machine's files. @param {string} home @param {string} folder */
const environment = (home, folder) => ({
  HOME: home,
  USERPROFILE: home,
  PWD: folder,
  ...Object.fromEntries(['CONFIG', 'DATA', 'STATE', 'CACHE'].map((kind) => [`XDG_${kind}_HOME`, join(home, kind)])),
  ...Object.fromEntries(
    ['AUTOUPDATE', 'MODELS_FETCH', 'SHARE', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD'].map((name) => [
      `OPENCODE_DISABLE_${name}`,
      'true',
    ]),
  ),
});

/**
 * Command line for one prompt, the first or a later one.
 * @param {{ program: string, home: string, folder: string, providerUrl: string, api: string, windowTokens: number, extensions: readonly string[], prompt: string, isFirst: boolean }} given
 * @returns {{ command: string, args: string[], env: Record<string, string> }}
 */
export function command({ program, home, folder, providerUrl, api, windowTokens, extensions, prompt, isFirst }) {
  const isAnthropic = api === 'anthropic-messages';
  const id = isAnthropic ? 'claude-mock' : 'gpt-mock';
  const model = {
    name: id,
    tool_call: true,
    limit: { context: windowTokens, output: MAX_OUTPUT_TOKENS },
    cost: isAnthropic
      ? { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }
      : { input: 1.25, output: 10, cache_read: 0.125, cache_write: 0 },
  };
  const provider = {
    npm: isAnthropic ? '@ai-sdk/anthropic' : '@ai-sdk/openai-compatible',
    name: 'mock',
    options: { baseURL: `${providerUrl}/v1`, apiKey: 'none' },
    models: { [id]: model },
  };
  if (isFirst) configure(program, join(home, 'CONFIG', 'opencode'));
  writeFileSync(
    join(home, 'CONFIG', 'opencode', 'opencode.json'),
    JSON.stringify({
      provider: { mock: provider },
      permission: { '*': 'allow' },
      // Naming the session would be an additional request.
      agent: { title: { disable: true } },
      plugin: [clock, ...extensions].map((path) => new URL(`file://${path}`).href),
    }),
  );
  return {
    command: program,
    args: ['run', '--format', 'json', ...(isFirst ? [] : ['--continue']), '--model', `mock/${id}`, prompt],
    env: environment(home, folder),
  };
}

/**
 * Provides opencode's plug-in package, which opencode would otherwise download.
 * @param {string} program @param {string} folder folder of its configuration
 */
function configure(program, folder) {
  const installed = dirname(dirname(dirname(dirname(program))));
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(installed, file), join(folder, file));
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

/**
 * opencode's stored messages without its own summaries and values that differ between runs, and its number of
 * summaries.
 * @param {string} home
 * @param {string} program
 * @param {string} folder
 * @param {string} output output of its prompts: JSON with the session's id
 * @returns {{ stored: unknown[], summaries: number }}
 */
export function stored(home, program, folder, output) {
  const sessions = new Set(Array.from(output.matchAll(/"sessionID":"(\w+)"/g), ([, id]) => id));
  if (sessions.size !== 1) throw new SetupError(`expected one session of opencode’s; it names ${sessions.size}`);
  const file = join(home, 'output');
  const env = { ...process.env, ...environment(home, folder) };
  // Use a file, because a pipe would be closed during a long output.
  const shell = `"${program}" export ${[...sessions].join('')} > "${file}"`;
  const { status, stderr } = spawnSync(shell, { cwd: folder, env, shell: true, encoding: 'utf8' });
  if (status !== 0) throw new SetupError(`opencode export ended with exit code ${status}: ${stderr.slice(-300)}`);
  // Tools report paths that contain this folder. Its name has the same length in both runs.
  /** @type {{ messages: { info: any, parts: any[] }[] }} */
  const { messages } = JSON.parse(readFileSync(file, 'utf8').replaceAll(home, '~'));
  const own = messages.filter(({ info, parts }) => !isOfSummary(info, parts));
  return {
    stored: own.map(({ info, parts }) => [info.role, info.finish, parts.flatMap(essence)]),
    summaries: messages.filter(({ info }) => info.role === 'assistant' && info.summary === true).length,
  };
}

/** @param {any} info @param {any[]} parts */
function isOfSummary(info, parts) {
  const isMarked = parts.some(({ type, metadata }) => type === 'compaction' || metadata?.compaction_continue === true);
  return isMarked || (info.role === 'assistant' && info.summary === true);
}

/** Removes the mock's ids, which contain the number of the request. @param {any} part @returns {object[]} */
function essence({ type, text, tool, state }) {
  if (type === 'text') return [{ type, text }];
  return type === 'tool' ? [{ type, tool, status: state.status, input: state.input, output: state.output }] : [];
}
