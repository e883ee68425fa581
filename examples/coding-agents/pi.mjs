import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { node22 } from '../../scripts/programs.mjs';
import { installAgent, installPlugin } from './agent-programs.mjs';

export const VERSION = '0.87.1';
const NAME = '@earendil-works/pi-coding-agent';
const _repository = fileURLToPath(new URL('../..', import.meta.url));

export const tools = {
  read: (/** @type {string} */ path) => ({ name: 'read', arguments: { path } }),
  run: (/** @type {string} */ command) => ({ name: 'bash', arguments: { command } }),
};

/** An extension that makes every third call of the plug-in fail. */
export const failing = fileURLToPath(new URL('failing.mjs', import.meta.url));

/** Installs pi. @returns {string} path of its program */
export const install = () =>
  installAgent('pi', VERSION, [`${NAME}@${VERSION}`], (folder) => {
    const program = join(folder, 'node_modules', NAME, 'dist/bundle/cli.js');
    return existsSync(program) ? program : undefined;
  });

export const plugin = (/** @type {string} */ home) => installPlugin('pi', home);

/**
 * Command line for one prompt, the first or a later one.
 * @param {{ program: string, home: string, providerUrl: string, api: string, windowTokens: number, extensions: readonly string[], prompt: string, isFirst: boolean }} given
 * @returns {{ command: string, args: string[], env: Record<string, string> }}
 */
export function command({ program, home, providerUrl, api, windowTokens, extensions, prompt, isFirst }) {
  const folder = join(home, 'agent');
  mkdirSync(folder, { recursive: true });
  const isAnthropic = api === 'anthropic-messages';
  const cost = isAnthropic
    ? { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
    : { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 };
  const model = { id: isAnthropic ? 'claude-mock' : 'gpt-mock', contextWindow: windowTokens, maxTokens: 8_000, cost };
  const provider = { baseUrl: isAnthropic ? providerUrl : `${providerUrl}/v1`, api, apiKey: 'none', models: [model] };
  writeFileSync(join(folder, 'models.json'), JSON.stringify({ providers: { mock: provider } }));
  const extensionArgs = extensions.flatMap((path) => ['-e', path]);
  const clock = new URL('clock.mjs', import.meta.url).href;
  return {
    command: node22(),
    args: [
      '--import',
      clock,
      program,
      '-p',
      ...(isFirst ? [] : ['-c']),
      ...extensionArgs,
      '--model',
      `mock/${model.id}`,
      prompt,
    ],
    env: { HOME: home, PI_CODING_AGENT_DIR: folder, PI_OFFLINE: '1', PI_TELEMETRY: '0' },
  };
}

/**
 * pi's stored messages without the plug-in's entries, its own summaries and values that differ between runs, and the
 * number of its own summaries.
 * @param {string} home
 * @returns {{ stored: unknown[], summaries: number }}
 */
export function stored(home) {
  const all = entries(home);
  const own = all.filter(({ type, customType }) => type !== 'compaction' && customType !== 'palimpsest');
  return {
    stored: own.map(({ type, customType, message }) => {
      const { role, content, toolName, isError } = message ?? {};
      return { type, customType, role, content: withoutIds(content), toolName, isError };
    }),
    summaries: all.filter(({ type }) => type === 'compaction').length,
  };
}

/** All entries of pi's session files. @param {string} home @returns {any[]} */
function entries(home) {
  const sessions = join(home, 'agent/sessions');
  const files = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  const texts = files.sort().map((name) => readFileSync(join(sessions, name), 'utf8').trim());
  return texts.flatMap((text) => text.split('\n').map((line) => JSON.parse(line)));
}

/** Removes the mock's ids, which contain the number of the request. @param {unknown} content */
function withoutIds(content) {
  return JSON.parse(JSON.stringify(content ?? null, (key, value) => (key === 'id' ? undefined : value)));
}
