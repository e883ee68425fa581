// @ts-check
/** Installs agents and their plug-ins, and starts agents that have no plug-in. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from '../../scripts/ensure-built.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const palimpsest = join(repository, 'bin', 'palimpsest.mjs');
const clock = new URL('clock.mjs', import.meta.url).href;

/** Given instead of a plug-in's path: start with `palimpsest run`. */
export const GATEWAY = 'gateway';
export const DRY_RUN = 'gateway --dry-run';

/**
 * Installs an agent from npm once for this machine's user.
 * @param {string} name @param {string} version @param {readonly string[]} packages
 * @param {(folder: string) => string | undefined} programIn finds the installed program
 * @returns {string} path of the program
 */
export function installAgent(name, version, packages, programIn) {
  const folder = join(tmpdir(), `palimpsest-${name}-${version}`);
  const installed = programIn(folder);
  if (installed !== undefined) return installed;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  const shell = process.platform === 'win32';
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', shell });
  const program = status === 0 ? programIn(folder) : undefined;
  if (program === undefined) throw new SetupError(`${name} ${version} could not be installed: ${stderr.slice(-300)}`);
  return program;
}

/**
 * Installs a plug-in as a user would, with this checkout as its dependency.
 * @param {'opencode' | 'pi'} agent @param {string} home
 * @returns {string} folder of the plug-in
 */
export function installPlugin(agent, home) {
  const folder = join(home, 'plugin');
  cpSync(join(repository, 'plugins', agent), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(repository, join(folder, 'node_modules/palimpsest'), 'junction');
  return folder;
}

/**
 * The command line.
 * @param {readonly string[]} extensions empty: start the agent by itself @param {string} providerUrl
 * @param {string} agent its program @param {readonly string[]} args
 * @returns {{ command: string, args: string[] }}
 */
export function startCommand(extensions, providerUrl, agent, args) {
  if (extensions.length === 0) return { command: agent, args: [...args] };
  const options = ['--upstream', providerUrl, ...(extensions.includes(DRY_RUN) ? ['--dry-run'] : [])];
  return {
    command: process.execPath,
    args: ['--import', clock, palimpsest, 'run', ...options, '--', agent, ...args],
  };
}
