// @ts-check
/** The file in which the plug-in for opencode keeps what it sent, as lines of JSON: other content at its path must not stop a session. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

const require = createRequire(import.meta.url);
const { Session } = require('../../lib/adapters/opencode/session.js');

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const filePath = () => join(folder, 'ses_1.jsonl');

describe('the state file of palimpsest/opencode', () => {
  test('R15.3 invalid lines are ignored, and the valid lines between them are read', () => {
    const invalid = [
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
    const valid = ['{"sent":{"m1":"a"}}', '{"sent":{"m3":"c","m1":"d"}}'];
    writeFileSync(filePath(), [...invalid, valid[0], ...invalid, valid[1], ...invalid, ''].join('\n'));
    const state = new Session(folder, 'ses_1');
    assert.deepEqual(state.replacements(), { m1: 'd', m3: 'c' });
    state.append({ m2: 'b', m3: null });
    assert.deepEqual(new Session(folder, 'ses_1').replacements(), { m1: 'd', m2: 'b' });
  });

  test('R15.3 a named pipe or a folder at its path neither blocks nor throws, and is not written to', {
    skip: process.platform === 'win32',
  }, () => {
    for (const make of ['mkfifo', 'mkdir']) {
      execFileSync(make, [filePath()]);
      const state = new Session(folder, 'ses_1');
      assert.deepEqual(state.replacements(), {});
      state.append({ m1: 'a' });
      assert.deepEqual(state.replacements(), {});
      assert.ok(!statSync(filePath()).isFile());
      rmSync(filePath(), { recursive: true });
    }
    const state = new Session(folder, 'ses_1');
    state.append({ m1: 'a' });
    assert.equal(readFileSync(filePath(), 'utf8'), '{"sent":{"m1":"a"}}\n');
  });
});
