// @ts-check
/** What SessionArchive stores and finds, and what it does to its process and its file. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { SessionArchive, setLogger } from 'palimpsest';
import { batch, user } from '../support/archived-history.mjs';

const entry = fileURLToPath(new URL('../../index.js', import.meta.url));
/** A text with half of a surrogate pair. */
const HALF = 'half a pair: \uD83D.';
const IMAGE = `data:image/png;base64,${'iVBORw0KGgo4'.repeat(200)}`;

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-archive-'));
let files = 0;
/** @type {SessionArchive} */
let archive;
beforeEach(() => {
  archive = new SessionArchive(nextPath());
});
afterEach(() => archive.close());
after(() => rmSync(folder, { recursive: true }));

const nextPath = () => join(folder, `${files++}.db`);

/** @param {string} query @param {object} [options] */
async function contentsFound(query, options) {
  const hits = await archive.search(query, options);
  return hits.map(({ message }) => /** @type {any} */ (message).content);
}

describe('SessionArchive', () => {
  it('R7.8 returns every message of every level, deep-equal and in order', async () => {
    const first = [user('a\u0000b 😀'), { role: 'assistant', content: null, tool_calls: [{ id: '1' }] }, null, 7, HALF];
    const second = [{ role: 'tool', nested: { list: [1, [2]], 中文: true }, content: HALF }];
    const stored = await archive.append('s', batch('a', first, { summary: HALF }));
    assert.deepEqual(stored, { sessionId: 's', id: 'a', count: 5 });
    await archive.append('s', batch('b', second, { kind: 'truncation', level: 2, at: 0.5 }));
    assert.deepEqual(await archive.get('s', 'a'), first);
    const common = { at: 1_700_000_000_000, level: 1 };
    assert.deepEqual(await archive.restore('s'), {
      sessionId: 's',
      batches: [
        { id: 'a', kind: 'summary', ...common, summary: HALF, count: 5, messages: first },
        { id: 'b', kind: 'truncation', level: 2, at: 0.5, count: 1, messages: second },
      ],
    });
  });

  it('R7.8 returns any JSON value, with any names of sessions and batches', async () => {
    const name = fc.string({ unit: 'binary', minLength: 1 });
    const message = fc.jsonValue({ stringUnit: 'binary' });
    await fc.assert(
      fc.asyncProperty(name, name, fc.array(message, { maxLength: 5 }), async (session, id, values) => {
        // JSON has no negative zero.
        const messages = JSON.parse(JSON.stringify(values));
        await archive.delete(session);
        await archive.append(session, batch(id, messages));
        assert.deepEqual(await archive.get(session, id), messages);
        assert.deepEqual((await archive.restore(session)).batches[0]?.messages, messages);
      }),
      { numRuns: 60 },
    );
  });

  it('returns batches in the order of the append calls, even if none was awaited', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `batch ${index}`);
    await Promise.all(ids.map((id) => archive.append('s', batch(id, [user(id)]))));
    const { batches } = await archive.restore('s');
    assert.deepEqual(
      batches.map(({ id }) => id),
      ids,
    );
  });

  it('stores the messages as they were when append was called', async () => {
    const message = user('before');
    const messages = [message];
    const appended = archive.append('s', batch('a', messages));
    message.content = 'after';
    messages.push(user('more'));
    await appended;
    assert.deepEqual(await archive.get('s', 'a'), [user('before')]);
  });

  it('R15.2 stores a batch once that is appended twice, and rejects other messages with its id', async () => {
    await archive.append('s', batch('a', [user('x')]));
    await archive.append('s', batch('a', [user('x')], { at: 5 }));
    await assert.rejects(archive.append('s', batch('a', [user('y')])), { code: 'ARCHIVE_CONFLICT' });
    const { batches } = await archive.restore('s');
    assert.deepEqual(
      batches.map(({ messages }) => messages),
      [[user('x')]],
    );
  });

  it('R0.1 stores frozen messages and batches', async () => {
    const message = Object.freeze({ role: 'user', content: Object.freeze([{ type: 'text', text: 'x' }]) });
    await archive.append('s', batch('a', /** @type {any} */ (Object.freeze([message]))));
    assert.deepEqual(await archive.get('s', 'a'), [{ role: 'user', content: [{ type: 'text', text: 'x' }] }]);
  });

  it('reports its sessions, batches, messages and bytes', async () => {
    assert.deepEqual(await archive.sessions(), []);
    await archive.append('s', batch('a', [user('x'), user('y')], { at: 10 }));
    await archive.append('s', batch('b', [user('z')], { at: 20 }));
    await archive.append('t', batch('a', [{}], { at: 5 }));
    const bytes = JSON.stringify(user('x')).length;
    assert.deepEqual(await archive.sessions(), [
      { sessionId: 't', batches: 1, messages: 1, bytes: 2, firstAt: 5, lastAt: 5 },
      { sessionId: 's', batches: 2, messages: 3, bytes: 3 * bytes, firstAt: 10, lastAt: 20 },
    ]);
    const { fileBytes, ...counts } = await archive.stats();
    assert.deepEqual(counts, { sessions: 2, batches: 3, messages: 4, originalBytes: 3 * bytes + 2 });
    assert.ok(fileBytes > counts.originalBytes);
  });

  it('returns and finds nothing of a deleted session', async () => {
    await archive.append('s', batch('a', [user('needle')]));
    await archive.append('t', batch('a', [user('needle too')]));
    assert.deepEqual(await archive.delete('s'), { batches: 1, messages: 1, erased: true });
    await assert.rejects(archive.get('s', 'a'), { code: 'ARCHIVE_NOT_FOUND' });
    assert.deepEqual((await archive.restore('s')).batches, []);
    assert.deepEqual(await contentsFound('needle'), ['needle too']);
  });
});

describe('SessionArchive.search', () => {
  it('EDGE 29 finds contents, parts, calls and their arguments, and never base64', async () => {
    const call = { id: '1', function: { name: 'filesystem-read', arguments: '{"filePath":"src/桥.rs"}' } };
    const image = { type: 'image_url', image_url: { url: IMAGE } };
    await archive.append(
      's',
      batch('a', [
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'user', content: [{ type: 'text', text: 'look at this picture' }, image] },
        { role: 'tool', content: JSON.stringify({ screenshot: IMAGE, title: 'a page' }) },
      ]),
    );
    const places = async (/** @type {string} */ query) => (await archive.search(query)).map(({ index }) => index);
    assert.deepEqual(await places('filesystem-read "src/桥.rs"'), [0]);
    assert.deepEqual(await places('picture'), [1]);
    assert.deepEqual(await places('"a page"'), [2]);
    assert.deepEqual(await places('iVBORw0KGgo4'), []);
  });

  it('returns the session, batch, index, snippet and whole message of a hit', async () => {
    const message = { role: 'tool', content: `${'😀'.repeat(300)}ENOENT: 没有文件${'😀'.repeat(300)}`, timestamp: 3 };
    await archive.append('s', batch('a', [user('x'), message], { at: 42 }));
    const smile = '😀'.repeat(60);
    assert.deepEqual(await archive.search('enoent:'), [
      {
        sessionId: 's',
        batchId: 'a',
        index: 1,
        at: 42,
        role: 'tool',
        snippet: `…${smile}ENOENT: 没有文件${'😀'.repeat(55)}…`,
        message,
      },
    ]);
  });

  it('finds Chinese words of one and two characters', async () => {
    await archive.append('s', batch('a', [user('请压缩上下文'), user('不要压'), user('别的')]));
    assert.deepEqual(await contentsFound('压缩'), ['请压缩上下文']);
    assert.deepEqual(await contentsFound('压'), ['不要压', '请压缩上下文']);
    assert.deepEqual(await contentsFound('上下文 压缩'), ['请压缩上下文']);
  });

  it('has no operators: it finds only messages that contain the query’s words', async () => {
    await archive.append(
      's',
      batch('a', [user(`50% of a_b* "q" -x NEAR(y) it's; DROP TABLE messages`), user('50 axb')]),
    );
    for (const query of ['50%', 'a_b', 'b*', '"q"', '-x', 'NEAR(y)', "it's; DROP TABLE", '%', '_b', HALF.at(-2)]) {
      const found = await contentsFound(String(query));
      assert.ok(!found.includes('50 axb'), query);
    }
    assert.equal((await contentsFound('a_b* NEAR(y) -x')).length, 1);
    assert.deepEqual(await contentsFound('  '), []);
  });

  it('searches all sessions or one, by `limit` and `offset`', async () => {
    const texts = Array.from({ length: 7 }, (_, index) => `entry ${index}`);
    await archive.append('s', batch('a', texts.map(user)));
    await archive.append('t', batch('a', texts.map(user)));
    const all = await contentsFound('entry', { sessionId: 's' });
    assert.equal(all.length, 7);
    const page = (/** @type {number} */ offset) => contentsFound('entry', { sessionId: 's', limit: 3, offset });
    assert.deepEqual([...(await page(0)), ...(await page(3)), ...(await page(6))], all);
    assert.equal((await archive.search('entry')).length, 14);
    assert.deepEqual(await archive.search('entry', { limit: 0 }), []);
  });
});

describe('SessionArchive in its process', () => {
  it('R0.6 creates no file before its first call, and uses an empty file as a new one', async () => {
    assert.ok(!existsSync(archive.path));
    writeFileSync(archive.path, '', { mode: 0o600 });
    await archive.append('s', batch('a', [user('x')]));
    assert.equal((await archive.stats()).messages, 1);
  });

  it('creates a new file if its file was deleted while it was open', async () => {
    // Windows doesn't let an open file be deleted.
    if (process.platform === 'win32') return;
    await archive.append('s', batch('a', [user('x')]));
    for (const ending of ['', '-wal', '-shm']) rmSync(`${archive.path}${ending}`);
    await archive.append('s', batch('b', [user('y')]));
    await archive.close();
    archive = new SessionArchive(archive.path);
    assert.deepEqual(await archive.get('s', 'b'), [user('y')]);
  });

  it('R0.5 prints nothing, and lets the process end although it was not closed', () => {
    const path = nextPath();
    const script = `const { SessionArchive } = require(${JSON.stringify(entry)});
      new SessionArchive(${JSON.stringify(path)})
        .append('s', { id: 'a', kind: 'summary', level: 1, at: 0, messages: [{}] }).then(() => process.stdout.write('done'));`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: 'done', stderr: '' });
  });

  it('is closed by Symbol.asyncDispose, if the runtime has it', async () => {
    if (Symbol.asyncDispose === undefined) return;
    await archive[Symbol.asyncDispose]();
    await assert.rejects(archive.stats(), { code: 'ARCHIVE_CLOSED' });
  });

  it('R9.1 R9.2 logs each call with its count and duration, and neither ids nor contents', async () => {
    /** @type {[Record<string, unknown>, string][]} */
    const logged = [];
    setLogger({ debug: (message, fields) => void logged.push([fields, message]) });
    await archive.append('secret-session', batch('secret-id', [user('a secret'), user('b')]));
    await archive.search('secret');
    await archive.restore('secret-session');
    setLogger(null);
    await archive.stats();
    const archiveEvents = logged.filter(([, message]) => message.startsWith('archive '));
    assert.deepEqual(
      archiveEvents.map(([{ count }, message]) => [message, count]),
      [
        ['archive append', 2],
        ['archive search', 1],
        ['archive session restored', 2],
      ],
    );
    assert.ok(archiveEvents.every(([{ duration_ms }]) => typeof duration_ms === 'number'));
    assert.ok(!JSON.stringify(logged).includes('secret'));
  });
});
