// @ts-check
/** Runs the command as a user does: a child process in its own directory, with files that the test puts there. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));
/** Recorded sessions of agents, which are not in the repository; tests of them are skipped without them, but fail in CI. */
export const recordings = join(repository, '..', 'shared', 'recordings');
export const skipWithoutRecordings =
  !existsSync(recordings) && !process.env.CI && 'no recordings next to the repository';
export const command = join(repository, 'bin', 'palimpsest.mjs');
export const directory = mkdtempSync(join(tmpdir(), 'palimpsest-command-'));
/** Tests don't write to the user's own cache. */
export const cache = join(directory, '.cache');
after(() => rmSync(directory, { recursive: true, force: true }));

export const minute = 60_000;
export const start = Date.UTC(2026, 0, 31, 1, 0);

/**
 * @param {string[]} words
 * @param {{ input?: string, env?: Record<string, string> }} [more]
 */
export function palimpsest(words, { input, env = {} } = {}) {
  const environment = { ...process.env, COLUMNS: '100', XDG_CACHE_HOME: cache, ...env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    cwd: directory,
    encoding: 'utf8',
    input,
    env: environment,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, stdout, stderr };
}

/**
 * @param {string} name
 * @param {unknown} content a string is written as it is, anything else as JSON
 * @returns {string} its name, relative to the command's directory
 */
export function file(name, content) {
  const text = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
  writeFileSync(join(directory, name), text);
  return name;
}

/**
 * @param {string} tool
 * @param {number} count
 * @param {(index: number) => { arguments?: unknown, content?: string }} [each]
 */
export function session(tool, count, each = () => ({})) {
  return Array.from({ length: count }, (_, index) => {
    const { arguments: given = { command: 'ls' }, content = `result ${index} ${'x'.repeat(500)}` } = each(index);
    const timestamp = start + index * minute;
    const call = { id: `c${index}`, type: 'function', function: { name: tool, arguments: JSON.stringify(given) } };
    return [
      { role: 'assistant', content: '', tool_calls: [call], timestamp },
      { role: 'tool', tool_call_id: `c${index}`, content, timestamp },
    ];
  }).flat();
}

/** Thirty results, one a minute; at the time of the last one 14 of them are outdated. */
export const shell = session('terminal-execute', 30);
