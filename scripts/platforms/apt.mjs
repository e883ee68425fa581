// @ts-check
/**
 * Unpacks Debian packages into `target/platforms/debian`, without root and without changes to the system. apt verifies
 * signatures as usual. Used only by `npm run platforms -- --install`.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../find-program.mjs';
import { runFetching } from '../programs.mjs';

/** Everything that `npm run platforms` installs and builds. */
export const tools = fileURLToPath(new URL('../../target/platforms', import.meta.url));
/** Root of the unpacked Debian packages. */
export const debian = join(tools, 'debian');

export const hasApt = () => findProgram(['apt-get']) !== undefined && findProgram(['dpkg']) !== undefined;

/** @param {string[]} args arguments of `apt-get download` @param {string} root target folder */
function unpack(args, root) {
  mkdirSync(root, { recursive: true });
  const folder = mkdtempSync(join(tools, 'debs-'));
  try {
    runFetching('apt-get', ['-q', ...args], folder);
    for (const name of readdirSync(folder)) runFetching('dpkg', ['-x', join(folder, name), root]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unpacks packages with all dependencies that the system lacks. @param {string[]} names */
export function unpackPackages(names) {
  const planned = runFetching('apt-get', ['-s', '--no-install-recommends', 'install', ...names]);
  const missing = [...planned.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
  if (missing.length > 0) unpack(['download', ...missing], debian);
}

/** Unpacks a package of a newer Debian release, without its dependencies. @param {string} name @param {string} suite @param {string} root */
export function unpackFromSuite(name, suite, root) {
  const addresses = runFetching('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Identifier: Packages']);
  const archive = addresses.split('\n').find((address) => address.replace(/\/$/, '').endsWith('/debian')) ?? '';
  const state = join(tools, `apt-${suite}`);
  for (const path of ['lists/partial', 'archives/partial']) mkdirSync(join(state, path), { recursive: true });
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
  writeFileSync(join(state, 'sources.list'), `deb [signed-by=${keys}] ${archive} ${suite} main\n`);
  const settings = {
    'Dir::Etc::sourcelist': join(state, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(state, 'lists'),
    'Dir::Cache': state,
  };
  const options = Object.entries(settings).flatMap(([option, value]) => ['-o', `${option}=${value}`]);
  runFetching('apt-get', ['-q', ...options, 'update']);
  unpack([...options, 'download', name], root);
}
