// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');

const CONFIGS = {
  'tsconfig.json': 'what is published and the scripts around it',
  'examples/tsconfig.json': 'the examples',
  '__test__/tsconfig.json': 'tests and benches',
  '__test__/types/tsconfig.json': 'what users may and may not write',
  '__test__/types/sdks/tsconfig.json': 'the types of the SDKs, in and out, with their own declarations',
  '__test__/types/sdks/ai-5/tsconfig.json': 'the same with an older `ai`',
  '__test__/types/sdks/ai-6/tsconfig.json': 'the same with an older `ai`',
  'ui/tsconfig.json': 'the elements',
  '__test__/ui/tsconfig.json': 'what a browser does in their tests',
  '__test__/types/sdks/mastra/tsconfig.json': "the same for Mastra, whose declarations don't compile",
};
const FOLDERS = ['lib', 'bin', 'scripts', 'examples', 'bench', 'ui', 'site', '__test__'];
/**
 * Generated code; what only makes sense beside the installed package: installed-package and bundlers compile that; the
 * SDKs' types, which need a browser's: dialect-table compiles those; what the site's own packages take, which aren't always there.
 */
const CHECKED_ELSEWHERE =
  /^(binding\.d\.ts|site\/(node_modules\/.*|\.vitepress\/.*|api-pages\.mjs|search-index\.mjs)|ui\/dist\/.*|__test__\/fixtures\/(consumer\/(typed|agent)\.[mc]ts|dialect-types\/[\w-]+\.ts))$/;

/**
 * On one thread: several check what they share once each, which is more work on two cores that other tests keep busy. With that, and
 * with fewer collections of garbage, the SDKs' types take half of the processor's time.
 *
 * @param {string[]} words
 */
function tsc(...words) {
  const { error, status, stdout } = spawnSync(process.execPath, [compiler, '--singleThreaded', ...words], {
    cwd: repository,
    env: { ...process.env, GOGC: '800' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  return { status, stdout };
}

/** @returns {string[]} every file of ours that a compiler could look at */
function sources() {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const all = [...readdirSync(repository), ...names].map((name) => name.replaceAll('\\', '/'));
  return all.filter((name) => /\.[mc]?[jt]s$/.test(name) && !CHECKED_ELSEWHERE.test(name));
}

describe('types', () => {
  /** By config: what it looked at. @type {Map<string, string[]>} */
  const listed = new Map();
  for (const [config, what] of Object.entries(CONFIGS)) {
    it(`${config} finds nothing wrong: ${what}`, () => {
      const { status, stdout } = tsc('--pretty', 'false', '--listFiles', '-p', config);
      const lines = stdout.split('\n').map((line) => line.trim());
      listed.set(config, lines.filter(isAbsolute));
      assert.ok(status === 0, `\n${lines.filter((line) => !isAbsolute(line)).join('\n')}`);
    });
  }

  it('no file of ours escapes all of them', () => {
    const checked = new Set(
      [...listed.values()].flat().map((path) => relative(repository, path).replaceAll('\\', '/')),
    );
    assert.deepEqual([...listed.keys()], Object.keys(CONFIGS));
    assert.deepEqual(
      sources().filter((name) => !checked.has(name)),
      [],
    );
  });
});
