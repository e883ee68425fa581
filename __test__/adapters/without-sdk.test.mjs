// @ts-check
/** An SDK is an optional peer dependency: an entry that needs none of its code must not load it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

for (const name of ['langchain', 'mastra']) {
  test(`R13 palimpsest/${name} loads no file of its SDK, by require and by import`, () => {
    const script = `
      require('palimpsest/${name}');
      import('palimpsest/${name}').then(() => {
        const loaded = Object.keys(require.cache).concat(process.moduleLoadList);
        console.log(JSON.stringify(loaded.filter((file) => file.includes('node_modules'))));
      });`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: repository, encoding: 'utf8' });
    assert.equal(stdout, '[]\n', stderr);
  });
}
