// @ts-check
/** Runs programs as a user of the package would: without this repository and the developer's settings. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));
const TIMEOUT_MS = 120_000;

/** @param {NodeJS.ProcessEnv} settings @returns {NodeJS.ProcessEnv} */
function plainEnvironment(settings) {
  const ours = /^(npm_|pnpm_|yarn_|NODE_|PALIMPSEST_|CI$)/i;
  const inherited = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(inherited), ...settings };
}

/**
 * @param {string} directory
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [settings]
 * @returns {Promise<{ status: number | null, stderr: string, stdout: string }>}
 */
export async function runAnyhow(directory, program, args, settings = {}) {
  const child = spawn(program, args, {
    cwd: directory,
    env: plainEnvironment(settings),
    // On Windows npm is a script, which only a shell can start.
    shell: process.platform === 'win32' && /^np[mx]$/.test(program),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stderr, stdout }));
  });
}

/**
 * @param {string} directory
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [settings]
 * @throws {Error} with all of the program's output if it fails
 */
export async function run(directory, program, args, settings) {
  const ended = await runAnyhow(directory, program, args, settings);
  if (ended.status === 0) return ended;
  throw new Error(`${program} ${args.join(' ')} ended with ${ended.status}\n${ended.stdout}${ended.stderr}`);
}

/** @param {string} directory @param {readonly string[]} args */
export function node(directory, ...args) {
  return run(directory, process.execPath, args);
}

/** A program of one of the development dependencies. @param {string} path in node_modules */
export function tool(path) {
  return join(repository, 'node_modules', path);
}
