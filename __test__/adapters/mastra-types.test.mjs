// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
const project = join(repository, '__test__', 'types', 'sdks', 'mastra');

test('R13 with skipLibCheck: false only declarations of Mastra and zod have errors', () => {
  const words = [compiler, '-p', project, '--skipLibCheck', 'false', '--pretty', 'false'];
  const { stdout } = spawnSync(process.execPath, words, { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const places = stdout.split('\n').flatMap((line) => /^(\S[^(]*)\(\d+,\d+\): error/.exec(line)?.[1] ?? []);
  // The day this fails, mastra.ts belongs to the project of the other SDKs.
  assert.ok(places.length > 0, 'Mastra compiles strictly');
  const others = places.filter((place) => !/node_modules\/@mastra\/|node_modules\/zod\//.test(place));
  assert.deepEqual(others, [], stdout.slice(0, 4000));
});
