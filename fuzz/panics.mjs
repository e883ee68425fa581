// @ts-check
/**
 * `npm run fuzz:panics`: builds an addon in which every exported function can panic, calls all functions, and reports
 * whether each panic became an error with a code and the next call worked. The released addon contains none of this.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostTriple, requireCargo } from '../scripts/ensure-built.mjs';
import { exportedFunctions, writeInjected } from './panics/inject.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const folder = join(repository, 'target/panics');
const LIBRARIES = ['libpalimpsest_panics.so', 'libpalimpsest_panics.dylib', 'palimpsest_panics.dll'];

/** @returns {string} path of the addon */
function build() {
  requireCargo();
  writeInjected(folder);
  // `napi build` stores the crates that both addons share here.
  const target = join(repository, 'target');
  const words = ['build', '--profile', 'quick', '--lib', '--target', hostTriple(), '--target-dir', target];
  const { status } = spawnSync('cargo', words, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`cargo ended with exit code ${status}`);
  const library = LIBRARIES.map((name) => join(target, hostTriple(), 'quick', name)).find(existsSync);
  if (library === undefined) throw new Error('the build left no library');
  const addon = join(folder, 'palimpsest-panics.node');
  rmSync(addon, { force: true });
  copyFileSync(library, addon);
  return addon;
}

/** @returns {number} exit code */
function main() {
  const play = fileURLToPath(new URL('panics/play.mjs', import.meta.url));
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [play, build()], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the process ended with ${signal ?? `exit code ${status}`}\n${stderr}`);
  const { calls, reached, settled, faults } = JSON.parse(stdout);
  const places = exportedFunctions().map(({ file, name }) => `${file}: ${name}`);
  const missed = places.filter((place) => !reached.includes(place));
  for (const fault of [...faults, ...missed.map((place) => `${place}: no panic came of it`)]) {
    process.stderr.write(`fuzz:panics: ${fault}\n`);
  }
  process.stdout.write(
    `${calls} panics in ${places.length} exported functions and ${settled} in their threads: ${faults.length + missed.length} faults\n`,
  );
  return faults.length + missed.length > 0 ? 1 : 0;
}

try {
  process.exitCode = main();
} catch (error) {
  process.stderr.write(`npm run fuzz:panics: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
