// @ts-check
/** An empty project that installed the package from a registry on loopback, and what runs in it. */
import { spawn } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../__test__/support/children.mjs';
import { mainManifest, repository } from '../platform-packages.mjs';

/** An emulator starts Node.js in seconds, and runs it some ten times slower. */
const TIMEOUT_MS = 300_000;

/**
 * @typedef {import('../../__test__/support/published.mjs').Published} Published
 * @typedef {Record<string, unknown>} Found what the smoke wrote
 */

/** @returns {string[]} the entries that programs import: not the elements, which are for pages, nor the contract, which is for tests */
function entries() {
  const { exports } = /** @type {{ exports: Record<string, { require?: object }> }} */ (
    /** @type {unknown} */ (mainManifest())
  );
  const named = Object.entries(exports).filter(([, conditions]) => conditions.require !== undefined);
  return named.map(([path]) => `palimpsest${path.slice(1)}`);
}

/**
 * @param {Published} published
 * @param {string} name
 * @param {readonly string[]} install the program that installs, and its arguments
 * @returns {Promise<string>} the project's folder
 */
export async function makeProject({ folder, settings }, name, [program = '', ...words]) {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "host", "private": true, "type": "module" }\n');
  writeFileSync(join(project, 'entries.json'), JSON.stringify(entries()));
  cpSync(join(repository, 'examples', 'session.json'), join(project, 'session.json'));
  cpSync(fileURLToPath(new URL('smoke.mjs', import.meta.url)), join(project, 'smoke.mjs'));
  await run(project, program, words, settings);
  return project;
}

/**
 * Runs a program with its output in a file: under wine a Node.js that writes to a pipe fails.
 * @param {readonly string[]} command
 * @param {{ folder: string, output: string, timeoutMs: number, env?: Record<string, string> | undefined }} how
 * @returns {Promise<{ ended: unknown, said: string }>} `ended`: the exit code, or what else ended it
 */
export async function runIntoFile([program = '', ...words], { folder, output, timeoutMs, env = {} }) {
  const file = openSync(output, 'w');
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', file, file],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const ended = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code ?? `${signal}, of at most ${timeoutMs / 1000} s`));
  });
  closeSync(file);
  return { ended, said: readFileSync(output, 'utf8').trim() };
}

/**
 * @param {string} project
 * @param {readonly string[]} command the program, and the arguments before the script
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ found: Found, exit: string }>} `exit`: ok, or what was wrong with its end
 */
export async function runSmoke(project, command, env) {
  const how = { folder: project, env, output: join(project, 'output.txt'), timeoutMs: TIMEOUT_MS };
  const { ended, said } = await runIntoFile([...command, 'smoke.mjs', 'found.json'], how);
  const written = join(project, 'found.json');
  const found = existsSync(written) ? JSON.parse(readFileSync(written, 'utf8')) : {};
  if (ended !== 0) return { found, exit: `ended with ${ended}: ${said.slice(-600)}` };
  return { found, exit: said === '' ? 'ok' : `printed: ${said.slice(0, 300)}` };
}
