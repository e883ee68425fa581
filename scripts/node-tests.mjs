// @ts-check
/**
 * Runs test files, the long ones first: `node --test` goes by the alphabet, and one that takes a minute and comes last keeps all cores
 * but one waiting. `npm test` starts this with the flags that the tests' own processes need; words are the files.
 */
import { existsSync } from 'node:fs';
import os from 'node:os';
import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';

/** Those that kept a core busy for 10 s or more when they were last measured, one by one, in descending order. */
const LONG = [
  'adapters/coding-agents',
  'adapters/ordinary-life',
  'adapters/examples',
  'package/bundlers',
  'package/installed-package',
  'compression/lifetime/lifetime',
  'adapters/serverless',
  'messages/dialect-compression',
  'package/types',
  'compression/coming-back/corpus',
  'tokens/fuzz',
  'stores/postgres-search',
  'adapters/side-by-side',
  'hostile/fuzz',
  'stores/fleet',
  'command/report-command',
  'compression/what-stays/properties',
];
const MOST_MS = 600_000;

const files = process.argv.slice(2);
for (const name of LONG) {
  if (!existsSync(`__test__/${name}.test.mjs`))
    throw new Error(`__test__/${name}.test.mjs, which comes first, is gone`);
}
/** @param {string} file */
const placeOf = (file) => {
  const place = LONG.findIndex((name) => file.endsWith(`${name}.test.mjs`));
  return place < 0 ? LONG.length : place;
};
const ordered = files.toSorted((one, other) => placeOf(one) - placeOf(other));
// Left to itself the runner keeps one core free, and waits for a test that hangs until somebody looks. One more than there are cores: those
// in a browser wait for it half of their time.
const tests = run({ files: ordered, concurrency: os.availableParallelism() + 1, timeout: MOST_MS });
tests.on('test:fail', () => {
  process.exitCode = 1;
});
tests.compose(process.stdout.isTTY ? new spec() : tap).pipe(process.stdout);
