// @ts-check
/** Runs the property tests with other cases than `npm test`, which tries few cases, and always the same ones. */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('../random.mjs').Random} Random */
/** @typedef {(what: string, by?: number) => void} Count */

const repository = fileURLToPath(new URL('../..', import.meta.url));
/** Total number of runs for properties that share them: four times that of `npm test`. */
const PROPERTY_RUNS = '2000';
/** Tests that need a server or a browser are left to `npm test -- --seed random`. */
const ELSEWHERE = /^(stores|ui)\b/;
const FILES = readdirSync(join(repository, '__test__'), { recursive: true, encoding: 'utf8' }).filter(
  (name) =>
    name.endsWith('.test.mjs') &&
    !ELSEWHERE.test(name) &&
    /fc\.assert/.test(readFileSync(join(repository, '__test__', name), 'utf8')),
);

/** @param {Random} random @param {Count} count */
export function play(random, count) {
  const file = join('__test__', random.pick(FILES));
  const seed = String(random.int(0, 2 ** 31 - 1));
  const env = { ...process.env, PROPERTY_RUNS, PROPTEST_RNG_SEED: seed };
  const words = ['--import=./__test__/support/property-seed.mjs', file];
  const options = /** @type {const} */ ({ cwd: repository, env, encoding: 'utf8', maxBuffer: Infinity });
  const { status, stdout, stderr, error } = spawnSync(process.execPath, words, options);
  if (error) throw error;
  const output = stdout + stderr;
  const failed = /^ *(not ok .*|✖ .*)$/m.exec(output)?.[1];
  assert.equal(status, 0, `${file} with --seed ${seed}: ${failed ?? `exit code ${status}`}\n${output.slice(-3_000)}`);
  count(file.slice('__test__/'.length));
}
