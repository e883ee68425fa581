// @ts-check
/** Every JavaScript and TypeScript file of the repository is type-checked by one of the configurations. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');

const CONFIGS = {
  'tsconfig.json': 'published files and scripts',
  'examples/tsconfig.json': 'the examples',
  '__test__/tsconfig.json': 'tests and benchmarks',
  '__test__/types/tsconfig.json': 'code that must compile for users, and code that must not',
  '__test__/types/sdks/tsconfig.json': 'message types of the SDKs as arguments and results',
  '__test__/types/sdks/ai-5/tsconfig.json': 'the same with version 5 of `ai`',
  '__test__/types/sdks/ai-6/tsconfig.json': 'the same with version 6 of `ai`',
  'ui/tsconfig.json': 'the elements',
  '__test__/ui/tsconfig.json': 'code that their tests run in a browser',
  '__test__/types/sdks/mastra/tsconfig.json': "the same for Mastra, whose declarations don't compile",
};
const FOLDERS = ['lib', 'bin', 'scripts', 'examples', 'bench', 'ui', 'site', '__test__'];
/**
 * Generated code. Programs that need the installed package: installed-package and bundlers compile them. The SDKs' types,
 * which need a browser's: dialect-table compiles them. Files that need the site's packages, which aren't always installed.
 */
const CHECKED_ELSEWHERE =
  /^(binding\.d\.ts|site\/(node_modules\/.*|\.vitepress\/.*|api-pages\.mjs|search-index\.mjs)|ui\/dist\/.*|__test__\/fixtures\/(consumer\/(typed|agent)\.[mc]ts|dialect-types\/[\w-]+\.ts))$/;

/**
 * Uses one thread, because several threads would each check the shared declarations, and collects garbage rarely. Both
 * halve the processor time of the SDKs' types.
 *
 * @param {string[]} args
 */
function tsc(...args) {
  const { error, status, stdout } = spawnSync(process.execPath, [compiler, '--singleThreaded', ...args], {
    cwd: repository,
    env: { ...process.env, GOGC: '800' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  return { status, stdout };
}

/** @returns {string[]} every source file of the repository */
function sources() {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const all = [...readdirSync(repository), ...names].map((name) => name.replaceAll('\\', '/'));
  return all.filter((name) => /\.[mc]?[jt]s$/.test(name) && !CHECKED_ELSEWHERE.test(name));
}

describe('types', () => {
  /** The files that each configuration checked. @type {Map<string, string[]>} */
  const listed = new Map();
  for (const [config, content] of Object.entries(CONFIGS)) {
    it(`${config} has no errors: ${content}`, () => {
      const { status, stdout } = tsc('--pretty', 'false', '--listFiles', '-p', config);
      const lines = stdout.split('\n').map((line) => line.trim());
      listed.set(config, lines.filter(isAbsolute));
      assert.ok(status === 0, `\n${lines.filter((line) => !isAbsolute(line)).join('\n')}`);
    });
  }

  it('every source file is checked by at least one configuration', () => {
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
