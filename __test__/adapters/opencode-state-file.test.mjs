// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

const require = createRequire(import.meta.url);
const { StateFile } = require('../../lib/adapters/opencode/state-file.js');

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, 'ses_1.jsonl');

describe('R13 opencode’s state file', () => {
  test('lines that are no entries are left out, whatever they hold', async () => {
    const lines = [
      'null',
      '7',
      '"text"',
      '[]',
      '{"version":"2"}',
      '{"state":7}',
      '{"sent":null}',
      '{"sent":[1]}',
      '{"cut',
    ];
    const good = ['{"sent":{"m1":"a"}}', '{"version":1,"state":"s"}', '{"version":2,"delta":"d"}'];
    writeFileSync(file(), [...lines, good[0], ...lines, good[1], good[2], ...lines, ''].join('\n'));
    const state = new StateFile(folder, 'ses_1');
    assert.deepEqual(state.sent(), { m1: 'a' });
    const found = await state.acquire();
    assert.deepEqual([found.state, found.version], [{ snapshot: 's', deltas: ['d'] }, 2]);
    state.noteSent({ m2: 'b' });
    assert.equal((await state.commit('ses_1', { version: 2, delta: 'e', fence: 0 })).version, 3);
    assert.deepEqual(new StateFile(folder, 'ses_1').sent(), { m1: 'a', m2: 'b' });
  });

  test('a pipe or a folder in its place neither blocks nor throws: the session goes on in memory', {
    skip: process.platform === 'win32',
  }, async () => {
    for (const make of ['mkfifo', 'mkdir']) {
      execFileSync(make, [file()]);
      const state = new StateFile(folder, 'ses_1');
      assert.deepEqual(state.sent(), {});
      state.noteSent({ m1: 'a' });
      assert.equal((await state.commit('ses_1', { version: 0, state: 's', fence: 0 })).version, 1);
      assert.equal((await state.commit('ses_1', { version: 1, delta: 'd', fence: 0 })).version, 2);
      const found = await state.acquire();
      assert.deepEqual([found.state, state.sent()], [{ snapshot: 's', deltas: ['d'] }, { m1: 'a' }]);
      assert.ok(!statSync(file()).isFile());
      rmSync(file(), { recursive: true });
    }
    const state = new StateFile(folder, 'ses_1');
    state.noteSent({ m1: 'a' });
    assert.equal(readFileSync(file(), 'utf8'), '{"sent":{"m1":"a"}}\n');
  });
});
