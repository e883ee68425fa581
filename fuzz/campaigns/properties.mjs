// @ts-check
/** Runs the property tests with other cases than `npm test`, which tries few cases, and always the same ones. */
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
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

/** @param {string[]} words @param {string} seed @returns {Promise<{ code: number | null, output: string }>} */
function ended(words, seed) {
  const env = { ...process.env, PROPERTY_RUNS, PROPTEST_RNG_SEED: seed };
  const child = spawn(process.execPath, words, { cwd: repository, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** @param {Random} random @param {Count} count */
export async function play(random, count) {
  const file = join('__test__', random.pick(FILES));
  const seed = String(random.int(0, 2 ** 31 - 1));
  const { code, output } = await ended(['--import=./__test__/support/property-seed.mjs', file], seed);
  const failed = /^ *(not ok .*|✖ .*)$/m.exec(output)?.[1];
  assert.equal(code, 0, `${file} with --seed ${seed}: ${failed ?? `exit code ${code}`}\n${output.slice(-3_000)}`);
  count(file.slice('__test__/'.length));
}
