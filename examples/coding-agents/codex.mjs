// @ts-check
/** Codex, headless, at the version that the gateway was tested with. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DRY_RUN, GATEWAY, installAgent, startCommand } from './agent-programs.mjs';

export const VERSION = '0.171.0';
const NAME = '@openai/codex';
/** A model for which Codex sends tools in the form of the API's reference. */
const MODEL = 'gpt-5';

export const isBare = true;
export const apis = ['openai-responses'];

export const tools = {
  read: (/** @type {string} */ path) => ({ name: 'exec_command', arguments: { cmd: `cat ${path}` } }),
  run: (/** @type {string} */ command) => ({ name: 'exec_command', arguments: { cmd: command } }),
};

/** Installs Codex (400 MB). @returns {string} path of its program */
export const install = () => installAgent('codex', VERSION, [`${NAME}@${VERSION}`], programIn);

/** @param {string} folder */
function programIn(folder) {
  const file = process.platform === 'win32' ? 'codex.exe' : 'codex';
  const vendor = join(folder, 'node_modules', `${NAME}-${process.platform}-${process.arch}`, 'vendor');
  if (!existsSync(vendor)) return undefined;
  const programs = readdirSync(vendor).map((target) => join(vendor, target, 'bin', file));
  return programs.find((path) => existsSync(path) && spawnSync(path, ['--version']).status === 0);
}

export const plugin = () => GATEWAY;
export const dryRun = DRY_RUN;

/**
 * Command line for one prompt, the first or a later one.
 * @param {{ program: string, home: string, providerUrl: string, windowTokens: number, extensions: readonly string[], prompt: string, isFirst: boolean }} given
 * @returns {{ command: string, args: string[], env: Record<string, string> }}
 */
export function command({ program, home, providerUrl, windowTokens, extensions, prompt, isFirst }) {
  const settings = [`model="${MODEL}"`, `model_context_window=${windowTokens}`, 'check_for_update_on_startup=false'];
  if (extensions.length === 0) settings.push(`openai_base_url="${providerUrl}/v1"`);
  const options = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  const args = [...settings.flatMap((setting) => ['-c', setting]), 'exec', ...options];
  const last = isFirst ? [prompt] : ['resume', '--last', prompt];
  return {
    ...startCommand(extensions, providerUrl, program, [...args, ...last]),
    env: { HOME: home, CODEX_API_KEY: 'none', RUST_LOG: 'off' },
  };
}

/**
 * Codex's stored messages without values that differ between runs, and its number of summaries.
 * @param {string} home
 * @returns {{ stored: unknown[], summaries: number }}
 */
export function stored(home) {
  const sessions = join(home, '.codex/sessions');
  const files = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  const lines = files.sort().flatMap((name) => readFileSync(join(sessions, name), 'utf8').trim().split('\n'));
  const entries = lines.map((line) => JSON.parse(line));
  const items = entries.filter(({ type }) => type === 'response_item').map(({ payload }) => payload);
  return {
    stored: items.map((item) => withoutOwn(item, home)),
    summaries: entries.filter(({ type }) => type === 'compacted').length,
  };
}

/** Removes ids, times and the folder's name. @param {any} item @param {string} home */
function withoutOwn({ type, role, name, content, arguments: given, output }, home) {
  const text = JSON.stringify({ type, role, name, content, given, output });
  return text.replaceAll(home, '~').replaceAll(/Chunk ID: \w+|Wall time: [\d.]+ seconds|answer_\d+/g, '');
}
