// @ts-check
/** What of a checkout is evaluated, and when. Of the installed package, installed-package.test.mjs says the same. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as palimpsest from 'palimpsest';
import { node, repository } from '../support/children.mjs';

const NATIVE = /^(index|rooms|lib\/(errors|printed-text|version|node-modules|native(-\w+)?))\.js$|\.node$/;

/** @param {string} script @returns {Promise<string[]>} the files that are loaded then, by path in the repository */
async function loadedBy(script) {
  const say = `console.log(JSON.stringify(Object.keys(require.cache)))`;
  const { stdout } = await node(repository, '-e', `${script}; ${say}`);
  return JSON.parse(stdout).map((/** @type {string} */ path) => path.slice(repository.length).replaceAll('\\', '/'));
}

describe('21.5 a checkout', () => {
  it('loads the addon when it is required, and no room', async () => {
    const loaded = await loadedBy("require('palimpsest')");
    assert.deepEqual(
      loaded.filter((path) => !NATIVE.test(path)),
      [],
    );
    assert.ok(loaded.some((path) => path.endsWith('.node')));
  });

  it('loads the room of what is used, and not the others', async () => {
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

  it('exports by import what it exports by require', async () => {
    const { stdout } = await node(repository, '-e', "console.log(JSON.stringify(Object.keys(require('palimpsest'))))");
    assert.deepEqual(Object.keys(palimpsest).sort(), JSON.parse(stdout).sort());
  });
});
