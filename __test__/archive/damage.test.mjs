// @ts-check
/** Damaged archives, queries that are slow or hostile, and the permissions of files. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { ArchiveError, SessionArchive } from 'palimpsest';
import { batch, user } from '../support/archived-history.mjs';
import { expandHistory } from '../support/compression.mjs';

const native = createRequire(import.meta.url)('../../lib/native.js');

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-damage-'));
let files = 0;
/** @type {SessionArchive} */
let archive;
beforeEach(() => {
  archive = new SessionArchive(join(folder, `${files++}.db`));
});
afterEach(() => archive.close());
after(() => rmSync(folder, { recursive: true }));

/** Replaces each `from` in the archive's file by `to`, and opens the archive again. @param {string} from @param {string} to */
async function replaceInFile(from, to) {
  await archive.close();
  const content = readFileSync(archive.path);
  let changed = 0;
  for (let at = content.indexOf(from); at !== -1; at = content.indexOf(from, at)) changed += content.write(to, at);
  assert.ok(changed > 0);
  writeFileSync(archive.path, content);
  archive = new SessionArchive(archive.path);
}

/** @param {Promise<unknown>} call @param {string} code */
async function rejectsWithoutContent(call, code) {
  await assert.rejects(call, (/** @type {any} */ error) => {
    assert.ok(error instanceof ArchiveError);
    assert.equal(error.code, code);
    assert.ok(!inspect(error, { depth: 9 }).includes('secret'), inspect(error));
    return true;
  });
}

describe('a damaged SessionArchive', () => {
  it('R7.8 rejects with ARCHIVE_CORRUPT and no content after bytes changed, and integrity reports them', async () => {
    await archive.append('s', batch('a', [user('the secret needle'), user('whole')]));
    await archive.append('s', batch('b', [user('another')]));
    assert.deepEqual(await archive.integrity(), { ok: true, problems: [] });
    await replaceInFile('needle', 'noodle');
    await rejectsWithoutContent(archive.get('s', 'a'), 'ARCHIVE_CORRUPT');
    await rejectsWithoutContent(archive.restore('s'), 'ARCHIVE_CORRUPT');
    assert.deepEqual(await archive.get('s', 'b'), [user('another')]);
    const { ok, problems } = await archive.integrity();
    assert.deepEqual([ok, problems.length], [false, 1]);
    assert.ok(!String(problems).includes('secret'));
  });

  it('R7.8 returns the original messages or an error without content, whichever byte changed', async () => {
    const messages = [user('a secret of some length, so that bytes hit it'), user('and one more')];
    await archive.append('s', batch('a', messages));
    await archive.close();
    const whole = readFileSync(archive.path);
    const row = whole.indexOf('{"role":"user","content":"a secret');
    assert.ok(row > 0);
    const place = fc.oneof(
      fc.integer({ min: row - 80, max: row + 80 }),
      fc.integer({ min: 100, max: whole.length - 1 }),
    );
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const content = Buffer.from(whole);
        content[at] = /** @type {number} */ (content[at]) ^ by;
        const path = join(folder, `byte-${files++}.db`);
        writeFileSync(path, content, { mode: 0o600 });
        const damaged = new SessionArchive(path);
        try {
          assert.deepEqual(await damaged.get('s', 'a'), messages);
        } catch (/** @type {any} */ error) {
          assert.match(
            String(error.code),
            /^ARCHIVE_(CORRUPT|SCHEMA|NOT_FOUND|FOREIGN|NOT_A_DATABASE|NEWER_VERSION)$/,
            error,
          );
          assert.ok(!inspect(error, { depth: 9 }).includes('secret'));
        }
        await damaged.close();
      }),
      { numRuns: 120 },
    );
  });

  it('R7.8 rejects stored text that is no JSON in every call, without content', async () => {
    const raw = new native.Archive(archive.path, {
      busyTimeoutMs: 5000,
      searchTimeoutMs: 2000,
      allowSharedFile: false,
    });
    const stored = { role: 'user', text: 'needle', json: '{"secret' };
    await raw.append('s', { id: 'a', kind: 'summary', level: 1, at: 0, messages: [stored] });
    await raw.close();
    await rejectsWithoutContent(archive.get('s', 'a'), 'ARCHIVE_CORRUPT');
    await rejectsWithoutContent(archive.restore('s'), 'ARCHIVE_CORRUPT');
    await rejectsWithoutContent(archive.search('needle'), 'ARCHIVE_CORRUPT');
    const { handler } = archive.lookupTool({ sessionId: 's', language: 'en' });
    for (const args of [{ query: 'needle' }, { id: 'a' }]) {
      assert.match(await handler(args), /^The history archive is damaged \(ARCHIVE_CORRUPT\)/);
    }
    const compression = { id: 'a', kind: 'summary', level: 1, archive: { sessionId: 's', id: 'a' } };
    const made = { role: 'user', content: 'x', isCompressed: true, compression };
    await assert.rejects(expandHistory([made], { archive, sessionId: 's' }), (/** @type {any} */ error) => {
      assert.deepEqual([error.code, error.cause.code], ['ERR_DAMAGED_HISTORY', 'ARCHIVE_CORRUPT']);
      assert.ok(!inspect(error, { depth: 9 }).includes('secret'));
      return true;
    });
  });

  it('R7.8 is called damaged by the lookup tool, in both languages', async () => {
    await archive.append('s', batch('a', [user('a needle')]));
    await replaceInFile('needle', 'noodle');
    const answer = (/** @type {'en' | 'zh'} */ language) =>
      archive.lookupTool({ sessionId: 's', language }).handler({ id: 'a' });
    assert.match(await answer('en'), /is damaged \(ARCHIVE_CORRUPT\).*trying again will not help/);
    assert.match(await answer('zh'), /历史存档已损坏（ARCHIVE_CORRUPT）/);
  });
});

describe('SessionArchive with slow or hostile queries', () => {
  /** Appends messages that have the trigrams of {@link SLOW} and don't match it, so a search must read each of them. */
  async function appendMessages() {
    const messages = Array.from({ length: 6_000 }, (_, at) => user(`${'abcd bcde cdef '.repeat(30)}${at}`));
    await archive.append('s', batch('a', messages));
  }
  const SLOW = '"abcdef"';

  it('rejects with ARCHIVE_TIMEOUT after `searchTimeoutMs`, and the lookup tool explains it in both languages', async () => {
    await appendMessages();
    const limited = new SessionArchive({ path: archive.path, searchTimeoutMs: 1 });
    await rejectsWithoutContent(limited.search('abcd'), 'ARCHIVE_TIMEOUT');
    const answer = (/** @type {'en' | 'zh'} */ language) =>
      limited.lookupTool({ sessionId: 's', language }).handler({ query: 'abcd' });
    assert.match(await answer('en'), /^The search took too long/);
    assert.match(await answer('zh'), /查找用时过长/);
    assert.equal((await limited.get('s', 'a')).length, 6_000);
    await limited.close();
  });

  it('runs an append before earlier searches have ended', async () => {
    await appendMessages();
    /** @type {string[]} */
    const finished = [];
    const searches = Array.from({ length: 60 }, () => archive.search(SLOW).then(() => finished.push('search')));
    const appended = archive.append('s', batch('b', [user('new')])).then(() => finished.push('append'));
    await Promise.all([...searches, appended]);
    assert.ok(finished.indexOf('append') < finished.length - 1, finished.join(' '));
  });

  it('runs an append before earlier reads of other archives have ended', async () => {
    await appendMessages();
    const other = new SessionArchive(join(folder, `${files++}.db`));
    await other.append('s', batch('a', [user('first')]));
    let checksEnded = 0;
    const checks = Array.from({ length: 60 }, () => archive.integrity().then(() => checksEnded++));
    // All checks are running, or wait for a thread.
    await setImmediate();
    await other.append('s', batch('b', [user('second')]));
    const endedBefore = checksEnded;
    await Promise.all(checks);
    await other.close();
    assert.ok(endedBefore <= 20, `${endedBefore} checks ended before the append`);
  });

  it('finds messages of an earlier append that was not awaited', async () => {
    const appended = archive.append('s', batch('a', [user('just said')]));
    assert.equal((await archive.search('just')).length, 1);
    await appended;
  });

  it('reads any query as plain text', async () => {
    const texts = ['50% of x_y', 'a* NEAR(b)', 'plain', 'nul \0 here'];
    await archive.append('s', batch('a', texts.map(user)));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 40 }),
          fc.constantFrom(
            '%',
            '_',
            '*',
            'text:x',
            'NEAR(a b)',
            '"',
            '""" OR 1',
            "' OR 1=1 --",
            '\0',
            'a\0b',
            '^x',
            '{a b}:c',
          ),
        ),
        async (query) => {
          for (const { message } of await archive.search(query)) {
            assert.ok(texts.includes(/** @type {any} */ (message).content));
          }
        },
      ),
      { numRuns: 200 },
    );
    assert.equal((await archive.search('%')).length, 1);
  });
});

describe('SessionArchive and permissions of its file', { skip: process.platform === 'win32' }, () => {
  it('creates files that only their owner can read, and rejects others unless `allowSharedFile` is true', async () => {
    await archive.append('s', batch('a', [user('a secret')]));
    for (const path of [archive.path, `${archive.path}-wal`]) assert.equal(statSync(path).mode & 0o777, 0o600);
    await archive.close();
    chmodSync(archive.path, 0o644);
    const shared = new SessionArchive(archive.path);
    await rejectsWithoutContent(shared.get('s', 'a'), 'ARCHIVE_NOT_PRIVATE');
    const allowed = new SessionArchive({ path: archive.path, allowSharedFile: true });
    assert.equal((await allowed.get('s', 'a')).length, 1);
    await allowed.close();
  });

  it('follows a link only if `allowSharedFile` is true', async () => {
    const link = join(folder, 'link.db');
    symlinkSync(archive.path, link);
    const linked = new SessionArchive(link);
    await rejectsWithoutContent(linked.append('s', batch('a', [user('a secret')])), 'ARCHIVE_NOT_PRIVATE');
    await archive.append('s', batch('a', [user('mine')]));
    const allowed = new SessionArchive({ path: link, allowSharedFile: true });
    assert.deepEqual(await allowed.get('s', 'a'), [user('mine')]);
    await allowed.close();
  });

  it('R0.3 throws for invalid options', () => {
    const path = 'x.db';
    assert.throws(() => new SessionArchive(/** @type {any} */ ({ path, allowSharedFile: 1 })), {
      code: 'ERR_INVALID_ARG_TYPE',
    });
    assert.throws(() => new SessionArchive({ path, searchTimeoutMs: 0 }), { code: 'ERR_OUT_OF_RANGE' });
    assert.throws(() => new SessionArchive({ path, searchTimeoutMs: 2 ** 31 }), { code: 'ERR_OUT_OF_RANGE' });
  });
});
