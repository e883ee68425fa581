// @ts-check
/**
 * Runs test files, longest first. `node --test` runs them alphabetically, and a one-minute test at the end leaves all
 * other cores idle. `npm test` starts this script with the flags that the test processes need; the arguments are the
 * test files.
 */
import { existsSync } from 'node:fs';
import os from 'node:os';
import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';

/** Files that used a core for 10 s or more when last measured one by one, in descending order. */
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
/** A test that takes longer fails. */
const MAX_MS = 600_000;

const files = process.argv.slice(2);
for (const name of LONG) {
  if (!existsSync(`__test__/${name}.test.mjs`))
    throw new Error(`__test__/${name}.test.mjs, which comes first, is gone`);
}
/** @param {string} file */
const rankOf = (file) => {
  const rank = LONG.findIndex((name) => file.endsWith(`${name}.test.mjs`));
  return rank < 0 ? LONG.length : rank;
};
const ordered = files.toSorted((a, b) => rankOf(a) - rankOf(b));
// By default the runner leaves one core idle and waits forever for a test that hangs. Use one process more than there
// are cores, because browser tests wait for half of their time.
const tests = run({ files: ordered, concurrency: os.availableParallelism() + 1, timeout: MAX_MS });
tests.on('test:fail', () => {
  process.exitCode = 1;
});
tests.compose(process.stdout.isTTY ? new spec() : tap).pipe(process.stdout);
