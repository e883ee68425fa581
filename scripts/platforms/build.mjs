// @ts-check
/** Builds the addon for another platform, and runs the core's tests there. */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from '../ensure-built.mjs';
import { addonFile, repository } from '../platform-packages.mjs';
import { tools } from './apt.mjs';

/** @typedef {import('./targets.mjs').Target} Target */
/** @typedef {import('./targets.mjs').Compiler} Compiler */
/** @typedef {import('./targets.mjs').Start} Start */

/** What decides differently by platform: paths in texts, in files and in sessions. */
export const TESTED = ['palimpsest-core', 'palimpsest-archive', 'palimpsest-sessions'];
const builds = join(tools, 'build');

/** @param {Compiler} compiler @returns {NodeJS.ProcessEnv} */
function environment({ env }) {
  // A library that is loaded can't bring a C library of its own.
  const musl = { CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUSTFLAGS: '-C target-feature=-crt-static' };
  // As in CI: optimisation across crates takes minutes and changes no result.
  const quick = { CARGO_PROFILE_RELEASE_LTO: 'off', CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16' };
  return { ...quick, ...musl, ...process.env, ...env, CARGO_TARGET_DIR: builds, LIBNODE_PATH: join(tools, 'libnode') };
}

/** napi-build asks for it, and links it; the addon looks its functions up when it is loaded, and takes none from there. */
function makeEmptyLibrary() {
  const folder = join(tools, 'libnode');
  mkdirSync(folder, { recursive: true });
  for (const name of ['libnode.dll', 'libnode.a']) {
    copyFileSync(new URL('empty-archive', import.meta.url), join(folder, name));
  }
}

/** @param {Target} target @param {Compiler} compiler @returns {Promise<string>} the addon’s path */
export async function buildAddon({ linked, rust, library, platform }, compiler) {
  makeEmptyLibrary();
  const words = ['zigbuild', '--release', '--lib', '--target', linked, ...compiler.words];
  const child = spawn('cargo-zigbuild', words, {
    cwd: repository,
    env: environment(compiler),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new SetupError(`the build for ${rust} failed:\n${output.split('\n').slice(-30).join('\n')}`);
  const addons = join(tools, 'addons');
  mkdirSync(addons, { recursive: true });
  const addon = join(addons, addonFile(platform));
  copyFileSync(join(builds, rust, 'release', library), addon);
  return addon;
}

/** What a process of a program prints, and how it ended. @param {string[]} words @param {NodeJS.ProcessEnv} env */
function cargoTest(words, env) {
  return spawnSync('cargo-zigbuild', ['test', ...words], {
    cwd: repository,
    env,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
}

/**
 * @param {Target} target
 * @param {Compiler} compiler
 * @param {Start} start without its last word, which is Node.js
 * @returns {Promise<string>} how many passed, or what failed
 */
export async function runTests({ linked, rust }, compiler, { program, words, env = {} }) {
  const runner = [program, ...words.slice(0, -1)].join(' ');
  const variable = `CARGO_TARGET_${rust.toUpperCase().replaceAll('-', '_')}_RUNNER`;
  // The properties' many cases are for machines; an emulator takes ten times as long for each.
  const settings = { ...environment(compiler), ...env, [variable]: runner, PROPTEST_CASES: '8' };
  const packages = TESTED.flatMap((name) => ['-p', name]);
  const all = ['--lib', '--no-fail-fast', '--target', linked, ...compiler.words, ...packages];
  const { status, stdout, stderr } = cargoTest(all, settings);
  const results = [...stdout.matchAll(/^test result: .*?(\d+) passed; (\d+) failed/gm)];
  const sum = (/** @type {number} */ index) => results.reduce((total, result) => total + Number(result[index]), 0);
  if (status === 0 && results.length === TESTED.length) return `${sum(1)} passed`;
  const named = [...stdout.matchAll(/^test (\S+) \.\.\. FAILED$/gm)].map(([, name]) => name);
  const why = named.length > 0 ? named.join(', ') : stderr.split('\n').slice(-12).join('\n');
  return `failed: ${sum(2)} of ${sum(1) + sum(2)}: ${why}`;
}
