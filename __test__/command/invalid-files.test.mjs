// @ts-check
/** Files that the command is named, or finds, and that have no end, can't be read, or are larger than a string. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { truncateOutput } from 'palimpsest';
import { directory, file, palimpsest, shell } from '../support/command.mjs';

const noPipes = process.platform === 'win32' && 'Windows has no such files';

describe('20 C16 what is no regular file', { skip: noPipes }, () => {
  test('is refused by every command that reads one, and none waits for it', () => {
    assert.equal(spawnSync('mkfifo', [join(directory, 'pipe')]).status, 0);
    for (const [path, kind] of [
      ['pipe', 'a pipe'],
      ['/dev/zero', 'a device'],
    ]) {
      for (const command of ['report', 'tokens', 'sessions', 'simulate', 'view', 'truncate', 'sanitize']) {
        const words = command === 'view' ? ['--text', path] : [path];
        const { status, stdout, stderr } = palimpsest([command, .../** @type {string[]} */ (words)]);
        assert.deepEqual([status, stdout], [1, ''], command);
        assert.match(stderr, new RegExp(`(this is|found) ${kind}`), command);
      }
    }
    const { status, stderr } = palimpsest(['sessions', '--prices', 'pipe', file('shell.json', shell)]);
    assert.equal(status, 2);
    assert.match(stderr, /--prices pipe: expected a regular file; this is a pipe/);
  });

  test('is passed over in a folder', () => {
    mkdirSync(join(directory, 'piped'));
    file('piped/shell.json', shell);
    assert.equal(spawnSync('mkfifo', [join(directory, 'piped', 'pipe.json')]).status, 0);
    const { status, stdout } = palimpsest(['sessions', '--json', 'piped']);
    assert.equal(status, 0);
    assert.deepEqual(
      JSON.parse(stdout).files.map((/** @type {{ path: string }} */ { path }) => path),
      [join('piped', 'shell.json')],
    );
  });

  test('a link to itself is said', () => {
    symlinkSync('self', join(directory, 'self'));
    for (const command of ['report', 'tokens', 'sessions']) {
      const { status, stderr } = palimpsest([command, 'self']);
      assert.equal(status, 1);
      assert.match(stderr, /^error: self: /);
    }
  });
});

test('20 C16 a file that can’t be read is left out of a numbered folder, and named', {
  skip: process.platform !== 'linux' && 'no file that root can’t read either',
}, () => {
  const event = (/** @type {number} */ id) => ({
    id,
    timestamp: '2026-01-01T00:00:00',
    source: 'user',
    action: 'message',
    args: { content: 'x' },
  });
  mkdirSync(join(directory, 'events'));
  for (const id of [0, 1]) file(`events/${id}.json`, event(id));
  // The memory of a process is a file; its first page is never there.
  symlinkSync('/proc/self/mem', join(directory, 'events', '2.json'));
  const { status, stdout, stderr } = palimpsest(['sessions', '--json', 'events']);
  assert.equal(status, 0);
  assert.equal(JSON.parse(stdout).files[0].sessions[0].messages, 2);
  assert.match(stderr, /events: 1 × file that can’t be read, left out; the first: 2\.json: /);
});

describe('20 B13 more than a string can hold', () => {
  /** More than the 2 ** 29 − 24 units of the longest string. */
  const bytes = 2 ** 29 + 2 ** 20;

  test('is cut by truncate, and refused by what needs it whole', () => {
    const path = join(directory, 'huge.log');
    writeFileSync(path, 'first\n');
    truncateSync(path, bytes);
    const descriptor = openSync(path, 'r+');
    writeSync(descriptor, '\nlast 中\n', bytes);
    closeSync(descriptor);
    const { status, stdout } = palimpsest(['truncate', '--limit', '10', 'huge.log']);
    assert.deepEqual([status, stdout], [0, 'first\n\0\0\0\0\n\n... [2 lines truncated] ...\n']);
    const sanitize = palimpsest(['sanitize', 'huge.log']);
    assert.equal(sanitize.status, 1);
    assert.match(sanitize.stderr, /expected a text that fits a JavaScript string \(512 MB\); this one is larger/);
    rmSync(path);
  });

  test('is cut by truncateOutput, which takes a text in parts', () => {
    const part = `${'x'.repeat(2 ** 20 - 1)}\n`;
    const parts = ['\n', 'first\n', ...Array.from({ length: bytes / 2 ** 20 }, () => part), 'last'];
    assert.equal(truncateOutput(parts, 6), `first\n\n\n... [${bytes / 2 ** 20 + 1} lines truncated] ...`);
    const tail = truncateOutput(parts, { limit: 5, keep: 'tail' });
    assert.equal(tail, `... [${bytes / 2 ** 20 + 1} lines truncated] ...\n\n\nlast`);
  });
});
