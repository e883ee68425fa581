// @ts-check
/** Files given to the command, or found by it, that are endless, unreadable, or larger than a JavaScript string. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { truncateOutput } from 'palimpsest';
import { directory, file, palimpsest, shell } from '../support/command.mjs';

const noPipes = process.platform === 'win32' && 'Windows has no pipes and devices';

describe('a path that is not a regular file', { skip: noPipes }, () => {
  test('every command exits with 1 for a pipe or device, without waiting for data', () => {
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

  test('sessions skips a pipe in a folder', () => {
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

  test('report, tokens and sessions exit with 1 for a link to itself, and name it', () => {
    symlinkSync('self', join(directory, 'self'));
    for (const command of ['report', 'tokens', 'sessions']) {
      const { status, stderr } = palimpsest([command, 'self']);
      assert.equal(status, 1);
      assert.match(stderr, /^error: self: /);
    }
  });
});

test('R12.1 sessions reads a folder of numbered files without the unreadable one, and names it in a note', {
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

describe('a text longer than the longest JavaScript string', () => {
  /** More than the 2 ** 29 − 24 units of the longest string. */
  const bytes = 2 ** 29 + 2 ** 20;

  test('truncate cuts the file, and sanitize exits with 1', () => {
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

  test('R4.1 truncateOutput cuts the text if it gets it as an array of parts', () => {
    const part = `${'x'.repeat(2 ** 20 - 1)}\n`;
    const parts = ['\n', 'first\n', ...Array.from({ length: bytes / 2 ** 20 }, () => part), 'last'];
    assert.equal(truncateOutput(parts, 6), `first\n\n\n... [${bytes / 2 ** 20 + 1} lines truncated] ...`);
    const tail = truncateOutput(parts, { limit: 5, keep: 'tail' });
    assert.equal(tail, `... [${bytes / 2 ** 20 + 1} lines truncated] ...\n\n\nlast`);
  });
});
