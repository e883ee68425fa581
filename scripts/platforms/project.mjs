// @ts-check
/** Creates an empty project, installs the package in it from a registry on loopback, and runs programs in it. */
import { spawn } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../__test__/support/children.mjs';
import { mainManifest, repository } from '../platform-packages.mjs';

/** An emulator takes seconds to start Node.js and is about ten times slower. */
const TIMEOUT_MS = 300_000;

/**
 * @typedef {import('../../__test__/support/published.mjs').Published} Published
 * @typedef {Record<string, unknown>} Found results of the smoke test, by check
 */

/**
 * The entries that programs import: without the elements, which are for pages, and the store contract, which is for
 * tests.
 * @returns {string[]}
 */
function entries() {
  const { exports } = /** @type {{ exports: Record<string, { require?: object }> }} */ (
    /** @type {unknown} */ (mainManifest())
  );
  const named = Object.entries(exports).filter(([, conditions]) => conditions.require !== undefined);
  return named.map(([path]) => `palimpsest${path.slice(1)}`);
}

/**
 * Creates a project and installs the package in it.
 * @param {Published} published @param {string} name of the folder
 * @param {readonly string[]} install the installer and its arguments @returns {Promise<string>} project folder
 */
export async function makeProject({ folder, settings }, name, [program = '', ...args]) {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "host", "private": true, "type": "module" }\n');
  writeFileSync(join(project, 'entries.json'), JSON.stringify(entries()));
  cpSync(join(repository, 'examples', 'session.json'), join(project, 'session.json'));
  cpSync(fileURLToPath(new URL('smoke.mjs', import.meta.url)), join(project, 'smoke.mjs'));
  await run(project, program, args, settings);
  return project;
}

/**
 * Runs a program and redirects its output to a file: under wine, Node.js fails when it writes to a pipe.
 * @param {readonly string[]} command
 * @param {{ folder: string, output: string, timeoutMs: number, env?: Record<string, string> | undefined }} options
 * @returns {Promise<{ ended: unknown, output: string }>} `ended`: the exit code, signal or error
 */
export async function runIntoFile([program = '', ...args], { folder, output, timeoutMs, env = {} }) {
  const file = openSync(output, 'w');
  const child = spawn(program, args, {
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
  return { ended, output: readFileSync(output, 'utf8').trim() };
}

/**
 * Runs the smoke test.
 * @param {string} project folder @param {readonly string[]} command the program and its arguments before the script
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ found: Found, exit: string }>} `exit`: `ok`, or how it failed
 */
export async function runSmoke(project, command, env) {
  const options = { folder: project, env, output: join(project, 'output.txt'), timeoutMs: TIMEOUT_MS };
  const { ended, output } = await runIntoFile([...command, 'smoke.mjs', 'found.json'], options);
  const written = join(project, 'found.json');
  const found = existsSync(written) ? JSON.parse(readFileSync(written, 'utf8')) : {};
  if (ended !== 0) return { found, exit: `ended with ${ended}: ${output.slice(-600)}` };
  return { found, exit: output === '' ? 'ok' : `printed: ${output.slice(0, 300)}` };
}
