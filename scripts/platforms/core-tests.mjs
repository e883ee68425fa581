// @ts-check
/** Runs the unit tests of all crates that don't depend on Node.js, built for another platform and run by its emulator. */
import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tools } from './apt.mjs';
import { zigCargo } from './build.mjs';
import { runIntoFile } from './project.mjs';

/** @typedef {import('./targets.mjs').Target} Target */
/** @typedef {{ program: string, folder: string }} TestProgram `folder`: the crate's, where its tests run */
/** @typedef {{ passed: number, faults: string[] }} TestResult */

/** One crate's tests take three minutes under qemu on two busy cores. */
const TIMEOUT_MS = 1_800_000;

/** @param {Target} target @param {import('./targets.mjs').Compiler} compiler @returns {Promise<TestProgram[]>} */
export async function buildCoreTests(target, compiler) {
  const crates = ['core', 'archive', 'sessions'].flatMap((name) => ['-p', `palimpsest-${name}`]);
  // Same settings as for the addon, so that shared code is compiled only once.
  const args = ['test', '--no-run', '--release', '--lib', ...crates, '--message-format', 'json-render-diagnostics'];
  const output = await zigCargo(args, target, compiler);
  return output.split('\n').flatMap((line) => {
    const { executable, manifest_path: manifest } = line.startsWith('{') ? JSON.parse(line) : {};
    return typeof executable === 'string' ? [{ program: executable, folder: dirname(manifest) }] : [];
  });
}

/** @param {TestProgram} test @param {import('./targets.mjs').Start} start @returns {Promise<TestResult>} */
async function runOne({ program, folder }, { program: emulator, args, env, isForNodeAlone = false }) {
  const logs = join(tools, 'tests');
  mkdirSync(logs, { recursive: true });
  const name = basename(program);
  const options = { folder, env, output: join(logs, `${name}.txt`), timeoutMs: TIMEOUT_MS };
  const start = isForNodeAlone ? [] : [emulator, ...args];
  const { ended, output } = await runIntoFile([...start, program], options);
  const [, passed = '0'] = /^test result: \w+\. (\d+) passed/m.exec(output) ?? [];
  if (ended === 0 && Number(passed) > 0) return { passed: Number(passed), faults: [] };
  const failed = [...output.matchAll(/^test (\S+) \.\.\. FAILED/gm)].map(([, test]) => test);
  const problem = failed.length > 0 ? failed.join(', ') : output.slice(-600);
  return { passed: Number(passed), faults: [`${name} ended with ${ended}: ${problem}`] };
}

/** @param {readonly TestProgram[]} tests @param {import('./targets.mjs').Start} start @returns {Promise<TestResult>} */
export async function runCoreTests(tests, start) {
  /** @type {TestResult} */
  const all = { passed: 0, faults: tests.length === 0 ? ['no test was built'] : [] };
  for (const test of tests) {
    const { passed, faults } = await runOne(test, start);
    all.passed += passed;
    all.faults.push(...faults);
  }
  return all;
}
