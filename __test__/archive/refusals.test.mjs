// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ArchiveError, SessionArchive } from 'palimpsest';

const face = fileURLToPath(new URL('../../index.js', import.meta.url));

/** @type {string} */
let folder;
let files = 0;
/** @type {SessionArchive} */
let archive;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-refused-'));
});
beforeEach(() => {
  archive = new SessionArchive(nextPath());
});
afterEach(() => archive.close());
after(() => rmSync(folder, { recursive: true }));

function nextPath() {
  files += 1;
  return join(folder, `${files}.db`);
}

/** @param {string} id @param {unknown[]} messages @param {object} [rest] @returns {any} */
function batch(id, messages, rest) {
  return { id, kind: 'summary', level: 1, at: 1_700_000_000_000, messages, ...rest };
}

/** @param {string} text */
const user = (text) => ({ role: 'user', content: text });

describe('SessionArchive refuses', () => {
  it('R0.3 wrong arguments, before anything is written', async () => {
    const wrong = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
    const impossible = { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' };
    const any = /** @type {any} */ (archive);
    await assert.rejects(any.append(1, batch('a', [])), wrong);
    await assert.rejects(any.append('', batch('a', [])), impossible);
    await assert.rejects(any.append('\uD800', batch('a', [])), impossible);
    await assert.rejects(any.append('s', null), wrong);
    await assert.rejects(any.append('s', batch('', [])), impossible);
    await assert.rejects(any.append('s', batch('a', /** @type {any} */ ({}))), wrong);
    await assert.rejects(any.append('s', batch('a', [], { kind: 'digest' })), impossible);
    await assert.rejects(any.append('s', batch('a', [], { level: -1 })), impossible);
    await assert.rejects(any.append('s', batch('a', [], { level: 2 ** 32 })), impossible);
    await assert.rejects(any.append('s', batch('a', [], { at: Number.NaN })), impossible);
    await assert.rejects(any.append('s', batch('a', [], { summary: 1 })), wrong);
    await assert.rejects(any.get('s'), wrong);
    await assert.rejects(any.search(1), wrong);
    await assert.rejects(any.search('x', { limit: 1.5 }), impossible);
    await assert.rejects(any.search('x', { offset: '1' }), wrong);
    await assert.rejects(any.search('x'.repeat(1001)), impossible);
    await assert.rejects(any.search('x '.repeat(33)), impossible);
    for (const place of [undefined, 1, {}]) assert.throws(() => new SessionArchive(/** @type {any} */ (place)), wrong);
    for (const path of ['', 'a\0b']) assert.throws(() => new SessionArchive(path), impossible);
    assert.throws(() => new SessionArchive({ path: 'x', busyTimeoutMs: -1 }), impossible);
    assert.ok(!existsSync(archive.path));
  });

  it('R0.3 messages that JSON cannot carry, without showing them, before anything is written', async () => {
    /** @type {any} */
    const cycle = { role: 'user', content: 'a secret' };
    cycle.self = cycle;
    const throws = { toJSON: () => assert.fail('a secret') };
    for (const odd of [undefined, () => 1, Symbol('x'), 1n, cycle, { deep: [1n] }, throws]) {
      await assert.rejects(archive.append('s', batch('a', [user('x'), odd])), (/** @type {any} */ error) => {
        assert.equal(error.name, 'TypeError');
        assert.match(error.message, /^batch\.messages\[1\]: expected a message that JSON can carry, got /);
        assert.ok(!error.message.includes('secret'));
        return true;
      });
    }
    await assert.rejects(archive.append('s', batch('a', new Array(2))), { name: 'TypeError' });
    assert.ok(!existsSync(archive.path));
  });

  it('files of another kind, which stay as they are', async () => {
    const cases = /** @type {const} */ ([
      ['ARCHIVE_NOT_A_DATABASE', Buffer.from('# notes\nnot an archive\n')],
      ['ARCHIVE_NOT_A_DATABASE', Buffer.from(Array.from({ length: 9000 }, (_, index) => (index * 7919) % 251))],
      ['ARCHIVE_FOREIGN', otherDatabase()],
    ]);
    for (const [code, content] of cases) {
      const path = nextPath();
      writeFileSync(path, content);
      const other = new SessionArchive(path);
      for (const call of [() => other.append('s', batch('a', [user('x')])), () => other.search('x')]) {
        await assert.rejects(call, (/** @type {any} */ error) => {
          assert.ok(error instanceof ArchiveError);
          assert.deepEqual([error.name, error.code, error.path], ['ArchiveError', code, path]);
          assert.match(error.message, /expected an archive, got/);
          return true;
        });
      }
      await other.close();
      assert.deepEqual(readFileSync(path), content);
      assert.ok(!existsSync(`${path}-wal`) && !existsSync(`${path}-journal`));
    }
  });

  it('a truncated archive, which stays as it is', async () => {
    await archive.append('s', batch('a', [user('text '.repeat(50_000))]));
    await archive.close();
    const damaged = readFileSync(archive.path).subarray(0, 8192);
    const path = nextPath();
    writeFileSync(path, damaged, { mode: 0o600 });
    const other = new SessionArchive(path);
    await assert.rejects(other.restore('s'), (/** @type {any} */ error) => {
      assert.equal(error.code, 'ARCHIVE_CORRUPT');
      assert.ok(error.cause instanceof Error);
      return true;
    });
    await other.close();
    assert.deepEqual(readFileSync(path), damaged);
  });

  it('a folder that is missing, without creating it', async () => {
    const path = join(folder, 'missing', 'x.db');
    await assert.rejects(new SessionArchive(path).stats(), { code: 'ARCHIVE_IO', message: /missing folder/ });
    assert.ok(!existsSync(join(folder, 'missing')));
  });

  it('every call after close, which may come twice and waits for the calls before it', async () => {
    const appended = archive.append('s', batch('a', [user('x')]));
    await Promise.all([archive.close(), archive.close()]);
    await appended;
    for (const call of [
      () => archive.get('s', 'a'),
      () => archive.stats(),
      () => archive.append('s', batch('b', [])),
    ]) {
      await assert.rejects(call, { code: 'ARCHIVE_CLOSED' });
    }
    const again = new SessionArchive(archive.path);
    assert.deepEqual(await again.get('s', 'a'), [user('x')]);
    await again.close();
  });
});

/** A SQLite file that is somebody else's: an archive with the application's id taken out of its header. */
function otherDatabase() {
  const path = nextPath();
  const script = `const { SessionArchive } = require(${JSON.stringify(face)});
    const archive = new SessionArchive(${JSON.stringify(path)});
    archive.stats().then(() => archive.close());`;
  assert.equal(spawnSync(process.execPath, ['-e', script]).status, 0);
  const content = readFileSync(path);
  content.writeUInt32BE(0, 68);
  return content;
}
