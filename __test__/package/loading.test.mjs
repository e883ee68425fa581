// @ts-check
/** What of a checkout is evaluated, and when. Of the installed package, installed-package.test.mjs says the same. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as palimpsest from 'palimpsest';
import { asEsModule } from '../../scripts/bundle-library.mjs';
import { node, repository } from '../support/children.mjs';

const NATIVE = /^(index|library|lib\/(errors|printed-text|version|node-modules|native(-\w+)?))\.js$|\.node$/;

/** @param {string} script @returns {Promise<string[]>} the files that are loaded then, by path in the repository */
async function loadedBy(script) {
  const say = `console.log(JSON.stringify(Object.keys(require.cache)))`;
  const { stdout } = await node(repository, '-e', `${script}; ${say}`);
  return JSON.parse(stdout).map((/** @type {string} */ path) => path.slice(repository.length).replaceAll('\\', '/'));
}

describe('21.5 a checkout', () => {
  it('loads the addon when it is required, and no module of lib/', async () => {
    const loaded = await loadedBy("require('palimpsest')");
    assert.deepEqual(
      loaded.filter((path) => !NATIVE.test(path)),
      [],
    );
    assert.ok(loaded.some((path) => path.endsWith('.node')));
  });

  it('loads the module of what is used, and not the others', async () => {
    const loaded = await loadedBy("require('palimpsest').truncateOutput('x')");
    assert.ok(loaded.includes('lib/output.js'));
    assert.deepEqual(
      loaded.filter((path) => /^lib\/\w+\//.test(path)),
      [],
    );
  });

  it('gives the same function each time, and one that is replaced stays replaced', async () => {
    const script = `const p = require('palimpsest'); const { ContextView } = p; const mine = () => 1; p.truncateOutput = mine;
      console.log(p.ContextView === ContextView, p.truncateOutput === mine, { ...p }.truncateOutput === mine)`;
    assert.equal((await node(repository, '-e', script)).stdout, 'true true true\n');
  });

  it('has Node.js search no entry but the one that is imported for names: of all modules in one file that takes long', async () => {
    const entries = ['index.js', ...['messageCleanup', 'anthropic', 'command'].map((name) => `lib/entry/${name}.js`)];
    for (const entry of entries) {
      const names = Object.keys(await import(pathToFileURL(join(repository, entry)).href));
      assert.ok(!names.includes('index'), entry);
    }
  });

  it('exports by import what it exports by require', async () => {
    const { stdout } = await node(repository, '-e', "console.log(JSON.stringify(Object.keys(require('palimpsest'))))");
    assert.deepEqual(Object.keys(palimpsest).sort(), JSON.parse(stdout).sort());
  });
});

describe('21.5 a file of lib/ as an ES module', () => {
  it('has each line where it was, and exports the same names', () => {
    const text =
      "'use strict';\n\nconst { a: b } = require('./a.js');\nconst c = require('./c.js');\n\nmodule.exports = { b, d: c };\n";
    const module = "\n\nimport { a as b } from './a.mjs';\nimport * as c from './c.mjs';\n\nexport { b, c as d };\n";
    assert.equal(
      asEsModule(text, () => true),
      module,
    );
  });

  it('is refused where it requires within a function: the packed package would throw there', () => {
    const text = "function late() {\n  return require('./a.js');\n}\n\nmodule.exports = { late };\n";
    assert.throws(() => asEsModule(text, () => true), /in lines of their own; found require\(/);
  });
});
