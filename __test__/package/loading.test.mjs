// @ts-check
/** Which files a checkout loads, and when. installed-package.test.mjs checks the same of the installed package. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as palimpsest from 'palimpsest';
import { asEsModule } from '../../scripts/bundle-library.mjs';
import { node, repository } from '../support/children.mjs';

const NATIVE = /^(index|library|lib\/(errors|plain-data|printed-text|version|node-modules|native(-\w+)?))\.js$|\.node$/;

/** @param {string} script @returns {Promise<string[]>} the files that the script loads, by path in the repository */
async function loadedBy(script) {
  const print = `console.log(JSON.stringify(Object.keys(require.cache)))`;
  const { stdout } = await node(repository, '-e', `${script}; ${print}`);
  return JSON.parse(stdout).map((/** @type {string} */ path) => path.slice(repository.length).replaceAll('\\', '/'));
}

describe('a checkout', () => {
  it('loads the addon, and no module of lib/, when it is required', async () => {
    const loaded = await loadedBy("require('palimpsest')");
    assert.deepEqual(
      loaded.filter((path) => !NATIVE.test(path)),
      [],
    );
    assert.ok(loaded.some((path) => path.endsWith('.node')));
  });

  it('loads the module of a function when the function is used, and no folder of lib/', async () => {
    const loaded = await loadedBy("require('palimpsest').truncateOutput('x')");
    assert.ok(loaded.includes('lib/output.js'));
    assert.deepEqual(
      loaded.filter((path) => /^lib\/\w+\//.test(path)),
      [],
    );
  });

  it('exports the same function each time, and keeps a replacement that was assigned', async () => {
    const script = `const p = require('palimpsest'); const { ContextView } = p; const mine = () => 1; p.truncateOutput = mine;
      console.log(p.ContextView === ContextView, p.truncateOutput === mine, { ...p }.truncateOutput === mine)`;
    assert.equal((await node(repository, '-e', script)).stdout, 'true true true\n');
  });

  it('makes Node.js search only the imported entry for names, because a search of all modules is slow', async () => {
    const entries = ['index.js', ...['messageCleanup', 'anthropic', 'command'].map((name) => `lib/entry/${name}.js`)];
    for (const entry of entries) {
      const names = Object.keys(await import(pathToFileURL(join(repository, entry)).href));
      assert.ok(!names.includes('index'), entry);
    }
  });

  it('exports the same names by import and by require', async () => {
    const { stdout } = await node(repository, '-e', "console.log(JSON.stringify(Object.keys(require('palimpsest'))))");
    assert.deepEqual(Object.keys(palimpsest).sort(), JSON.parse(stdout).sort());
  });
});

describe('asEsModule', () => {
  it('keeps the number of each line, and the exported names', () => {
    const text =
      "'use strict';\n\nconst { a: b } = require('./a.js');\nconst c = require('./c.js');\n\nmodule.exports = { b, d: c };\n";
    const module = "\n\nimport { a as b } from './a.mjs';\nimport * as c from './c.mjs';\n\nexport { b, c as d };\n";
    assert.equal(
      asEsModule(text, () => true),
      module,
    );
  });

  it('throws for a require within a function, where the packed package would fail', () => {
    const text = "function late() {\n  return require('./a.js');\n}\n\nmodule.exports = { late };\n";
    assert.throws(() => asEsModule(text, () => true), /in lines of their own; found require\(/);
  });
});
