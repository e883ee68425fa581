// @ts-check
/** What SessionArchive rejects, without writing anything. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ArchiveError, SessionArchive } from 'palimpsest';
import { batch, user } from '../support/archived-history.mjs';

const entry = fileURLToPath(new URL('../../index.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-refused-'));
let files = 0;
/** @type {SessionArchive} */
let archive;
beforeEach(() => {
  archive = new SessionArchive(nextPath());
});
afterEach(() => archive.close());
after(() => rmSync(folder, { recursive: true }));

const nextPath = () => join(folder, `${files++}.db`);

describe('SessionArchive', () => {
  it('R0.3 rejects wrong arguments before it creates the file', async () => {
    const wrongType = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
    const outOfRange = { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' };
    const any = /** @type {any} */ (archive);
    await assert.rejects(any.append(1, batch('a', [])), wrongType);
    await assert.rejects(any.append('', batch('a', [])), outOfRange);
    await assert.rejects(any.append('\uD800', batch('a', [])), outOfRange);
    await assert.rejects(any.append('s', null), wrongType);
    await assert.rejects(any.append('s', batch('', [])), outOfRange);
    await assert.rejects(any.append('s', batch('a', /** @type {any} */ ({}))), wrongType);
    await assert.rejects(any.append('s', batch('a', [], { kind: 'digest' })), outOfRange);
    await assert.rejects(any.append('s', batch('a', [], { level: -1 })), outOfRange);
    await assert.rejects(any.append('s', batch('a', [], { level: 2 ** 32 })), outOfRange);
    await assert.rejects(any.append('s', batch('a', [], { at: Number.NaN })), outOfRange);
    await assert.rejects(any.append('s', batch('a', [], { summary: 1 })), wrongType);
    await assert.rejects(any.get('s'), wrongType);
    await assert.rejects(any.search(1), wrongType);
    await assert.rejects(any.search('x', { limit: 1.5 }), outOfRange);
    await assert.rejects(any.search('x', { offset: '1' }), wrongType);
    await assert.rejects(any.search('x'.repeat(1001)), outOfRange);
    await assert.rejects(any.search('x '.repeat(33)), outOfRange);
    for (const place of [undefined, 1, {}])
      assert.throws(() => new SessionArchive(/** @type {any} */ (place)), wrongType);
    for (const path of ['', 'a\0b']) assert.throws(() => new SessionArchive(path), outOfRange);
    assert.throws(() => new SessionArchive({ path: 'x', busyTimeoutMs: -1 }), outOfRange);
    assert.ok(!existsSync(archive.path));
  });

  it('R0.3 rejects messages that JSON can’t hold, without their content, before it creates the file', async () => {
    /** @type {any} */
    const cycle = { role: 'user', content: 'a secret' };
    cycle.self = cycle;
    const throws = { toJSON: () => assert.fail('a secret') };
    for (const invalid of [undefined, () => 1, Symbol('x'), 1n, cycle, { deep: [1n] }, throws]) {
      await assert.rejects(archive.append('s', batch('a', [user('x'), invalid])), (/** @type {any} */ error) => {
        assert.equal(error.name, 'TypeError');
        assert.match(error.message, /^batch\.messages\[1\]: expected a message that JSON can carry, got /);
        assert.ok(!error.message.includes('secret'));
        return true;
      });
    }
    await assert.rejects(archive.append('s', batch('a', new Array(2))), { name: 'TypeError' });
    assert.ok(!existsSync(archive.path));
  });

  it('rejects files that are no archive, and leaves them unchanged', async () => {
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

  it('rejects a truncated archive, and leaves it unchanged', async () => {
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

  it('rejects a path in a missing folder, and does not create the folder', async () => {
    const path = join(folder, 'missing', 'x.db');
    await assert.rejects(new SessionArchive(path).stats(), { code: 'ARCHIVE_IO', message: /missing folder/ });
    assert.ok(!existsSync(join(folder, 'missing')));
  });

  it('rejects every call after `close`, which waits for earlier calls and may be called twice', async () => {
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

/** A SQLite file of another application: an archive with another application id in its header. */
function otherDatabase() {
  const path = nextPath();
  const script = `const { SessionArchive } = require(${JSON.stringify(entry)});
    const archive = new SessionArchive(${JSON.stringify(path)});
    archive.stats().then(() => archive.close());`;
  assert.equal(spawnSync(process.execPath, ['-e', script]).status, 0);
  const content = readFileSync(path);
  content.writeUInt32BE(0, 68);
  return content;
}
