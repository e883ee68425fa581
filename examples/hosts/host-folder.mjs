// @ts-check
/**
 * Writes an example application to an empty folder, in its original form or with its `palimpsest.diff` applied, and links
 * the package.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const { name: packageName, version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));

/** @typedef {'terminal-agent' | 'agent-server' | 'electron-agent'} HostName */

/** @type {readonly HostName[]} */
export const HOSTS = ['terminal-agent', 'agent-server', 'electron-agent'];

/**
 * @param {HostName} host
 * @param {string} folder target folder
 * @param {{ changed: boolean }} form `changed`: applies the application's `palimpsest.diff`
 */
export function makeHost(host, folder, { changed }) {
  cpSync(new URL(host, import.meta.url), folder, { recursive: true });
  if (changed) applyDiff(folder, diffOf(host));
  rmSync(join(folder, 'palimpsest.diff'));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  link(repository, join(modules, packageName));
  link(join(repository, 'node_modules', '@types'), join(modules, '@types'));
  for (const addon of readdirSync(repository).filter((name) => name.endsWith('.node'))) {
    linkPlatformPackage(modules, addon);
  }
}

/** @param {HostName} host */
export function diffOf(host) {
  return readFileSync(new URL(`${host}/palimpsest.diff`, import.meta.url), 'utf8');
}

/**
 * Links the platform package that contains an addon, as an installation does; a bundle loads it by name.
 * @param {string} modules @param {string} addon
 */
function linkPlatformPackage(modules, addon) {
  // `palimpsest-cli.linux-x64-gnu.node`: the package whose addon it is, and the platform.
  const [owner, platform] = addon.split('.');
  const name = `${owner}-${platform}`;
  const folder = join(modules, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, main: addon }));
  symlinkSync(join(repository, addon), join(folder, addon), 'file');
}

/** @param {string} target @param {string} path */
function link(target, path) {
  symlinkSync(target, path, 'junction');
}

/**
 * Applies a unified diff. Every context line and removed line must match.
 * @param {string} folder
 * @param {string} diff
 */
export function applyDiff(folder, diff) {
  for (const part of diff.split(/^--- .*\n/m).slice(1)) {
    const path = join(folder, /** @type {any} */ (part.match(/^\+\+\+ (.*)\n/))[1]);
    const lines = readFileSync(path, 'utf8').split('\n');
    let addedLines = 0;
    for (const hunk of part.split(/^@@ /m).slice(1)) {
      const [head = '', ...changes] = hunk.trimEnd().split('\n');
      const start = Number(head.match(/^-(\d+)/)?.[1]) - 1 + addedLines;
      const before = changes.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
      const after = changes.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
      const replaced = lines.splice(start, before.length, ...after);
      if (replaced.join('\n') !== before.join('\n'))
        throw new Error(`${path}: the diff does not fit at line ${start + 1}`);
      addedLines += after.length - before.length;
    }
    writeFileSync(path, lines.join('\n'));
  }
}
