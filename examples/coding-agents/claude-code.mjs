// @ts-check
/** Claude Code, headless, at the version that the gateway was tested with. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DRY_RUN, GATEWAY, installAgent, startCommand } from './agent-programs.mjs';

export const VERSION = '2.1.197';
const NAME = '@anthropic-ai/claude-code';

export const isBare = true;
export const apis = ['anthropic-messages'];

/** @param {string} folder */
export const toolsIn = (folder) => ({
  read: (/** @type {string} */ path) => ({ name: 'Read', arguments: { file_path: join(folder, path) } }),
  run: (/** @type {string} */ command) => ({ name: 'Bash', arguments: { command, description: 'works' } }),
});

/** Installs Claude Code (235 MB). @returns {string} path of its program */
export const install = () => installAgent('claude-code', VERSION, [`${NAME}@${VERSION}`], programIn);

/** @param {string} folder */
function programIn(folder) {
  const platform = `${process.platform}-${process.arch}`;
  const file = process.platform === 'win32' ? 'claude.exe' : 'claude';
  const paths = [`${NAME}-${platform}`, `${NAME}-${platform}-musl`].map((name) =>
    join(folder, 'node_modules', name, file),
  );
  return paths.find((path) => existsSync(path) && spawnSync(path, ['--version']).status === 0);
}

export const plugin = () => GATEWAY;
export const dryRun = DRY_RUN;

/**
 * Command line for one prompt, the first or a later one.
 * @param {{ program: string, home: string, providerUrl: string, windowTokens: number, extensions: readonly string[], prompt: string, isFirst: boolean }} given
 * @returns {{ command: string, args: string[], env: Record<string, string> }}
 */
export function command({ program, home, providerUrl, windowTokens, extensions, prompt, isFirst }) {
  const args = ['-p', '--dangerously-skip-permissions', ...(isFirst ? [] : ['-c']), prompt];
  const off = ['DISABLE_TELEMETRY', 'DISABLE_AUTOUPDATER', 'DISABLE_ERROR_REPORTING'];
  return {
    ...startCommand(extensions, providerUrl, program, args),
    env: {
      HOME: home,
      ANTHROPIC_API_KEY: 'none',
      // As root, Claude Code runs only in a sandbox.
      IS_SANDBOX: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(windowTokens),
      // At the default threshold Claude Code stops in headless mode instead of compacting.
      CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '80',
      ...Object.fromEntries(off.map((name) => [name, '1'])),
      ...(extensions.length === 0 && { ANTHROPIC_BASE_URL: providerUrl }),
    },
  };
}

/**
 * Claude Code's stored messages without values that differ between runs, and its number of summaries.
 * @param {string} home
 * @returns {{ stored: unknown[], summaries: number }}
 */
export function stored(home) {
  const projects = join(home, '.claude/projects');
  const files = readdirSync(projects, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  const lines = files.sort().flatMap((name) => readFileSync(join(projects, name), 'utf8').trim().split('\n'));
  const entries = lines.map((line) => JSON.parse(line));
  const messages = entries.filter(({ type }) => type === 'user' || type === 'assistant');
  return {
    stored: messages.map(({ type, message }) => ({
      type,
      role: message.role,
      content: withoutOwn(message.content, home),
    })),
    summaries: entries.filter(({ subtype }) => subtype === 'compact_boundary').length,
  };
}

/** Removes the mock's ids, which contain the number of the request. @param {unknown} content @param {string} home */
function withoutOwn(content, home) {
  const text = JSON.stringify(content, (key, value) => (key === 'id' || key === 'tool_use_id' ? undefined : value));
  // Claude Code names the session's folder after its path, with other characters replaced by “-”.
  return JSON.parse(text.replaceAll(home, '~').replaceAll(home.replaceAll(/[^a-zA-Z0-9]/g, '-'), '~'));
}
