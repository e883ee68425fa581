// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
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

/** @param {string[]} words */
function tsc(...words) {
  const { error, status, stdout } = spawnSync(process.execPath, [compiler, ...words], {
    cwd: repository,
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
  for (const [config, what] of Object.entries(CONFIGS)) {
    it(`${config} finds nothing wrong: ${what}`, () => {
      const { status, stdout } = tsc('--pretty', 'false', '-p', config);
      assert.ok(status === 0, `\n${stdout}`);
    });
  }

  it('no file of ours escapes all of them', () => {
    const listed = Object.keys(CONFIGS).flatMap((config) => tsc('--listFilesOnly', '-p', config).stdout.split('\n'));
    const checked = new Set(listed.map((path) => relative(repository, path.trim()).replaceAll('\\', '/')));
    assert.deepEqual(
      sources().filter((name) => !checked.has(name)),
      [],
    );
  });
});
