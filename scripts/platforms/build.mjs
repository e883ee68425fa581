// @ts-check
/** Builds the addons for another platform. */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADDONS, addonFile } from '../addons.mjs';
import { SetupError } from '../ensure-built.mjs';
import { repository } from '../platform-packages.mjs';
import { tools } from './apt.mjs';

/** @typedef {import('./targets.mjs').Target} Target */
/** @typedef {import('./targets.mjs').Compiler} Compiler */

const builds = join(tools, 'build');
/** Libraries that wine finds in addition to its own. */
export const wineLibraries = join(tools, 'wine-libraries');

/** Environment of a build. @param {Compiler} compiler @returns {NodeJS.ProcessEnv} */
function environment({ env }) {
  // A shared library can't be linked statically with a C library.
  const musl = { CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUSTFLAGS: '-C target-feature=-crt-static' };
  // As in CI: optimisation across crates takes minutes and doesn't change results.
  const quick = { CARGO_PROFILE_RELEASE_LTO: 'off', CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16' };
  const emptyLibraries = join(tools, 'libnode');
  const windows = { CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUSTFLAGS: `-L ${emptyLibraries}` };
  return {
    ...quick,
    ...musl,
    ...windows,
    ...process.env,
    ...env,
    CARGO_TARGET_DIR: builds,
    LIBNODE_PATH: emptyLibraries,
  };
}

/**
 * Creates empty libraries, which the linker requires for Windows although nothing in them is used. napi-build asks for
 * Node.js's, whose functions the addon looks up when it is loaded. Debian's compiler asks for those of gcc's stack
 * protector, which zig lacks.
 */
function makeEmptyLibraries() {
  const folder = join(tools, 'libnode');
  mkdirSync(folder, { recursive: true });
  for (const name of ['libnode.dll', 'libnode.a', 'libssp.a', 'libssp_nonshared.a']) {
    copyFileSync(new URL('empty-archive', import.meta.url), join(folder, name));
  }
}

/**
 * Runs cargo-zigbuild, which links for other platforms.
 * @param {string[]} args @param {Target} target @param {Compiler} compiler @returns {Promise<string>} its stdout
 */
export async function zigCargo(args, { zigTarget, rustTarget }, compiler) {
  const child = spawn('cargo-zigbuild', [...args, '--target', zigTarget, ...compiler.args], {
    cwd: repository,
    env: environment(compiler),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code === 0) return stdout;
  throw new SetupError(`the build for ${rustTarget} failed:\n${stderr.split('\n').slice(-30).join('\n')}`);
}

/** Builds a Windows 10 library that wine lacks before version 9. @param {Compiler} compiler */
function makeWineLibrary(compiler) {
  const source = fileURLToPath(new URL('bcryptprimitives.c', import.meta.url));
  mkdirSync(wineLibraries, { recursive: true });
  const args = ['-target', 'x86_64-windows-gnu', '-shared', '-O2', source, '-ladvapi32'];
  const output = ['-o', join(wineLibraries, 'bcryptprimitives.dll')];
  const options = /** @type {const} */ ({ encoding: 'utf8', env: environment(compiler) });
  const { error, status, stderr } = spawnSync('cargo-zigbuild', ['zig', 'cc', '--', ...args, ...output], options);
  if (status !== 0) throw new SetupError(`a library that wine lacks could not be built:\n${error?.message ?? stderr}`);
}

/** @param {Target} target @param {Compiler} compiler @returns {Promise<string[]>} the addons’ paths */
export async function buildAddons(target, compiler) {
  makeEmptyLibraries();
  if (target.emulator === 'wine') makeWineLibrary(compiler);
  const crates = ADDONS.flatMap(({ name }) => ['-p', name]);
  await zigCargo(['zigbuild', '--release', '--lib', ...crates], target, compiler);
  const addons = join(tools, 'addons');
  mkdirSync(addons, { recursive: true });
  return ADDONS.map(({ name }) => {
    const addon = join(addons, addonFile(target.platform, name));
    // Cargo writes `palimpsest_cli` for `palimpsest-cli`.
    const library = target.library.replace('palimpsest', name.replace('-', '_'));
    copyFileSync(join(builds, target.rustTarget, 'release', library), addon);
    return addon;
  });
}
