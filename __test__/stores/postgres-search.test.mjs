// @ts-check
/** `PostgresStore` searches originals like `SessionArchive`, which is the reference. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { SessionArchive } from 'palimpsest';
import { PostgresStore } from 'palimpsest/postgres';
import { loadCorpus } from '../support/corpus.mjs';
import { batchOf, serverWithTables, withoutPostgres } from '../support/postgres.mjs';

const BATCH = 40;

describe('R15.1 PostgresStore finds what SessionArchive finds, in its order,', { skip: withoutPostgres }, () => {
  /** @type {Awaited<ReturnType<typeof serverWithTables>>} */
  let tables;
  /** @type {string} */
  let folder;
  before(async () => {
    tables = await serverWithTables();
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-search-'));
  });
  after(async () => {
    await tables.end();
    rmSync(folder, { recursive: true });
  });

  /** @param {string} name */
  const storesOf = (name) => ({
    file: new SessionArchive(join(folder, `${name}.db`)),
    server: new PostgresStore({ pool: tables.pool, tenant: name }),
  });

  /** @param {ReturnType<typeof storesOf>} stores @param {string} query @param {object} [options] @returns {Promise<number>} */
  async function assertSameHits({ file, server }, query, options) {
    const [expected, found] = await Promise.all([file.search(query, options), server.search(query, options)]);
    assert.deepEqual(found, expected, `${query.length} units of a query`);
    return found.length;
  }

  it('for words, phrases, and one or two Chinese characters in the corpus', async (t) => {
    const { sessions, missing } = loadCorpus();
    if (missing !== undefined) {
      assert.notEqual(process.env.CI, 'true', `${missing}: in CI the corpus must be there`);
      return t.skip(missing);
    }
    const stores = storesOf('corpus');
    for (const { name, messages } of sessions) {
      for (let start = 0; start < messages.length; start += BATCH) {
        const one = batchOf(`${start}`, messages.slice(start, start + BATCH));
        await Promise.all([stores.file.append(name, one), stores.server.append(name, one)]);
      }
    }
    let hits = 0;
    const pieces = sessions.flatMap(({ name, messages }) =>
      messages.flatMap(({ content }, index) => {
        if (typeof content !== 'string' || index % 25 !== 0) return [];
        const at = Math.floor(content.length / 3);
        const words = content.slice(at, at + 40).split(/\s+/);
        return [
          [name, words.slice(1, 3).join(' ')],
          [name, `"${content.slice(at, at + 12)}"`],
        ];
      }),
    );
    const common = ['error', 'const', 'the file', '错误', '文', '文件 修改', '文件 error', 'if', 'a', '"import {"'];
    for (const query of [...common, 'İ', 'ς']) hits += await assertSameHits(stores, query, { limit: 1000 });
    for (const [sessionId, query = ''] of pieces) {
      hits += await assertSameHits(stores, query, { sessionId, limit: 50 });
      hits += await assertSameHits(stores, query, { limit: 7, offset: 3, context: 10 });
    }
    assert.ok(hits > 1_000, `${hits} hits`);
    await stores.file.close();
  });

  it('for texts with special characters of queries, cases and encodings', async () => {
    let runs = 0;
    const alphabet = [...'abAB压缩  "*%_\\-\0😀ςİ\'():^\n', '\ud83d'];
    const text = (/** @type {number} */ most) =>
      fc.array(fc.constantFrom(...alphabet), { maxLength: most }).map((units) => units.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(text(12), { minLength: 1, maxLength: 12 }), text(6), async (texts, query) => {
        runs += 1;
        const stores = storesOf(`random ${runs}`);
        const messages = texts.map((content) => ({ role: 'user', content }));
        for (const store of [stores.file, stores.server]) await store.append('s', batchOf('a', messages));
        await assertSameHits(stores, query, { limit: 1000 });
        await stores.file.close();
      }),
      { numRuns: 100 },
    );
  });

  it('with an index for two Chinese characters, also under row-level policies', async () => {
    const server = new PostgresStore({ pool: tables.pool, tenant: 'many' });
    const texts = Array.from(
      { length: 20_000 },
      (_, index) => `第${index}次构建日志，端口${8_000 + index}，${index === 7_777 ? '桥梁' : '完成'}。`,
    );
    for (let start = 0; start < texts.length; start += 2_000) {
      const messages = texts.slice(start, start + 2_000).map((content) => ({ role: 'tool', content }));
      await server.append(`s ${start % 4_000}`, batchOf(`${start}`, messages));
    }
    await tables.admin.query('ANALYZE palimpsest.grams; ANALYZE palimpsest.messages');
    const scans = async () => {
      const { rows } = await tables.admin.query(
        `SELECT idx_scan::int FROM pg_stat_all_indexes WHERE indexrelname = 'grams_grams'`,
      );
      return rows[0].idx_scan;
    };
    const before = await scans();
    const pool = tables.server.pool({ user: 'app', max: 1 });
    const hits = await new PostgresStore({ pool, tenant: 'many' }).search('桥梁');
    await pool.end();
    assert.deepEqual(
      hits.map(({ message }) => message),
      [{ role: 'tool', content: texts[7_777] }],
    );
    // A connection adds its scans to the statistics when it ends.
    while ((await scans()) === before) await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
