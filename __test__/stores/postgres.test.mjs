// @ts-check
/** `PostgresStore` on a real server: tenants, lost connections, concurrent writes, migrations. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { expandHistory, lookupTool } from 'palimpsest';
import { PostgresStore } from 'palimpsest/postgres';
import { Network } from '../support/network.mjs';
import { APP_ROLE, batchOf, serverWithTables, withoutPostgres } from '../support/postgres.mjs';

/** @param {{ fact: string }} stored */
const textOf = ({ fact }) => fact;

/** @param {string} text */
const user = (text) => ({ role: 'user', content: text });

describe('PostgresStore', { skip: withoutPostgres }, () => {
  /** @type {Awaited<ReturnType<typeof serverWithTables>>} */
  let tables;
  before(async () => {
    tables = await serverWithTables();
  });
  after(() => tables.end());

  /** @param {string} tenant @param {object} [options] */
  const storeOf = (tenant, options) => new PostgresStore({ pool: tables.pool, tenant, ...options });

  it('R15.4 no tenant gets rows of another, by the store’s statements or by the row-level policies', async () => {
    const [one, other] = [storeOf('one'), storeOf('other')];
    await one.append('c', batchOf('a', [user('secret 秘密')]));
    await one.appendFacts('c', 0, ['secret']);
    assert.deepEqual(await other.facts('c'), []);
    assert.deepEqual(await other.appendFacts('c', 1, ['more']), []);
    assert.deepEqual(await other.sessions(), []);
    assert.deepEqual([await other.search('secret'), await other.search('秘密')], [[], []]);
    assert.deepEqual(await other.delete('c'), { batches: 0, messages: 0 });
    const tableNames = ['conversations', 'facts', 'batches', 'messages', 'grams'];
    const client = await tables.pool.connect();
    try {
      const counts = async () => {
        const found = [];
        for (const table of tableNames)
          found.push(...(await client.query(`SELECT count(*)::int FROM palimpsest.${table}`)).rows);
        return found.map(({ count }) => count);
      };
      assert.deepEqual(await counts(), [0, 0, 0, 0, 0], 'without a tenant');
      await client.query(`BEGIN; SET LOCAL palimpsest.tenant = 'other'`);
      assert.deepEqual(await counts(), [0, 0, 0, 0, 0], 'as another');
      const { rows } = await client.query(`SELECT * FROM palimpsest.places_of('{}', NULL)`);
      assert.deepEqual(rows, []);
      await assert.rejects(
        client.query(`INSERT INTO palimpsest.conversations (tenant, key, name) VALUES ('one', 'x', 'x')`),
        { code: '42501' },
      );
      await client.query(`ROLLBACK; BEGIN; SET LOCAL palimpsest.tenant = 'one'`);
      assert.deepEqual(await counts(), [1, 1, 1, 1, 1], 'as itself');
      await client.query('ROLLBACK');
    } finally {
      client.release();
    }
    assert.equal((await one.search('秘密')).length, 1);
  });

  it('R15.1 each statement may use another connection, and needs no state of it', async () => {
    /** @type {string[]} */
    const seen = [];
    const pool = {
      /** @param {string} text @param {any[]} [params] */
      async query(text, params) {
        seen.push(text);
        const client = await tables.pool.connect();
        // Like pgbouncer, which gives each transaction another connection.
        try {
          return await client.query(text, params);
        } finally {
          client.release(true);
        }
      },
    };
    const store = new PostgresStore({ pool, tenant: 'pooled' });
    await store.append('s', batchOf('a', [user('压缩')]));
    await store.appendFacts('s', 0, ['x']);
    await store.appendFacts('s', 1, ['y', 'z']);
    await store.facts('s');
    assert.equal((await store.search('压缩')).length, 1);
    assert.ok(seen.every((text) => text.includes('$1') && !/\b(LISTEN|PREPARE|advisory|SET SESSION)\b/i.test(text)));
    assert.equal(seen.length, 6, 'one round trip each, and two for a search');
  });

  it('R15.3 retries after a lost connection, and adds nothing twice', async () => {
    const store = storeOf('unlucky', { maxRetries: 8 });
    await store.append('s', batchOf('a', [user('one')]));
    await store.appendFacts('s', 0, ['0']);
    for (let round = 0; round < 20; round++) {
      const kill = tables.admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`);
      await store.append('s', batchOf(`b ${round}`, [user(`${round}`)]));
      const standing = await store.appendFacts('s', round + 1, [`${round + 1}`]);
      assert.deepEqual(standing.map(textOf), [`${round + 1}`]);
      await kill;
    }
    assert.deepEqual(
      (await store.facts('s')).map(textOf),
      Array.from({ length: 21 }, (_, round) => `${round}`),
    );
    assert.equal((await store.sessions())[0]?.messages, 21);
  });

  it('R15.3 continues after a restart of the server, and rejects with ARCHIVE_BUSY if that takes too long', async () => {
    const store = storeOf('restarted', { maxRetries: 100 });
    await store.append('s', batchOf('a', [user('kept')]));
    await tables.server.stop();
    await assert.rejects(storeOf('restarted', { maxRetries: 1 }).get('s', 'a'), (/** @type {any} */ error) => {
      assert.equal(error.code, 'ARCHIVE_BUSY');
      assert.ok(error.cause instanceof Error);
      return true;
    });
    const aborting = AbortSignal.timeout(100);
    await assert.rejects(store.get('s', 'a', { signal: aborting }), { name: 'TimeoutError' });
    const found = store.get('s', 'a');
    await tables.server.start();
    assert.deepEqual(await found, [user('kept')]);
  });

  it('R15.3 replaces connections that time out because a router forgot them, and adds nothing twice', async () => {
    const network = new Network(join(tables.server.folder, '.s.PGSQL.5432'));
    const pool = tables.server.pool({ ...(await network.listen()), user: APP_ROLE, max: 2, query_timeout: 300 });
    try {
      const store = new PostgresStore({ pool, tenant: 'forgotten' });
      await Promise.all([1, 2].map((at) => store.append(`${at}`, batchOf('a', [user('one')]))));
      network.forgetConnections();
      await Promise.all([1, 2, 3].map((at) => store.append(`${at}`, batchOf('b', [user('two')]))));
      const counts = (await store.sessions()).map(({ batches }) => batches).sort();
      assert.deepEqual(counts, [1, 2, 2]);
    } finally {
      await pool.end();
      network.close();
    }
  });

  it('R15.3 an abort ends the wait for a silent server', async () => {
    const silent = new PostgresStore({ pool: { query: () => new Promise(() => {}) }, tenant: 't' });
    const aborting = new AbortController();
    const waits = [
      silent.append('s', batchOf('a', []), { signal: aborting.signal }),
      silent.appendFacts('c', 0, ['x'], { signal: aborting.signal }),
      silent.facts('c', { signal: aborting.signal }),
    ];
    setTimeout(() => aborting.abort(new Error('enough')), 20);
    for (const waiting of waits) await assert.rejects(waiting, { message: 'enough' });
  });

  it('R15.2 eight machines that write one conversation get one list with each machine’s facts in order', async () => {
    const write = async (/** @type {number} */ machine) => {
      const store = storeOf('crowd', { maxRetries: 20 });
      /** @type {string[]} */
      const known = [];
      for (let nth = 0; nth < 10; nth++) {
        const own = [`${machine}/${nth}/a`, `${machine}/${nth}/b`];
        while (!known.includes(String(own[0]))) {
          known.push(...(await store.appendFacts('c', known.length, own)).map(textOf));
        }
      }
      return known;
    };
    const all = await Promise.all(Array.from({ length: 8 }, (_, machine) => write(machine)));
    const facts = (await storeOf('crowd').facts('c')).map(textOf);
    assert.equal(facts.length, 160);
    for (const [machine, known] of all.entries()) {
      assert.deepEqual(known, facts.slice(0, known.length));
      const own = Array.from({ length: 10 }, (_, nth) => ['a', 'b'].map((end) => `${machine}/${nth}/${end}`));
      assert.deepEqual(
        facts.filter((fact) => fact.startsWith(`${machine}/`)),
        own.flat(),
      );
    }
  });

  it('R15.2 a conversation that is deleted while machines write has no gap in its facts', async () => {
    const store = storeOf('deleted', { maxRetries: 20 });
    for (let round = 0; round < 15; round++) {
      await store.appendFacts('c', 0, ['0', '1', '2']);
      const writers = Array.from({ length: 4 }, (_, at) => store.appendFacts('c', 3, [`${round}/${at}`]));
      await Promise.all([store.delete('c'), ...writers, store.delete('c')]);
      const { rows } = await tables.admin.query(`SELECT c.facts::int AS counted,
        (SELECT count(*)::int FROM palimpsest.facts f WHERE f.tenant = c.tenant AND f.conversation = c.key) AS standing
        FROM palimpsest.conversations c WHERE c.tenant = 'deleted'`);
      for (const { counted, standing } of rows) assert.equal(counted, standing);
      const texts = (await store.facts('c')).map(textOf);
      assert.ok(texts.length === 0 || texts[0] === '0', texts.join());
      await store.delete('c');
    }
  });

  it('R15.4 `deleteExpired` deletes the tenant’s conversations after `retentionMs`, and no others', async () => {
    const store = storeOf('tidy', { retentionMs: 60_000 });
    const keeping = storeOf('tidy');
    await store.append('old', batchOf('a', [user('x')]));
    await store.appendFacts('old too', 0, ['x']);
    await keeping.append('for ever', batchOf('a', [user('x')]));
    assert.deepEqual(await keeping.deleteExpired(), { conversations: 0 });
    // Moves the rows a minute back, which is longer than the test takes.
    await tables.admin.query(`UPDATE palimpsest.conversations SET expires_at = expires_at - interval '1 minute'
      WHERE tenant = 'tidy'`);
    await store.append('new', batchOf('a', [user('x')]));
    assert.deepEqual(await storeOf('another').deleteExpired(), { conversations: 0 });
    assert.deepEqual(await keeping.deleteExpired(), { conversations: 2 });
    const left = (await keeping.sessions()).map(({ sessionId }) => sessionId);
    assert.deepEqual(left, ['new', 'for ever']);
    assert.deepEqual(await keeping.facts('old too'), []);
    assert.deepEqual(await keeping.appendFacts('old too', 1, ['y']), []);
  });

  it('R15.1 `integrity` reports batches that were changed or lost a message, without their content', async () => {
    const store = storeOf('damaged');
    for (const id of ['a', 'b', 'c']) await store.append('s', batchOf(id, [user(`secret ${id}`), user('more')]));
    await tables.admin.query(`UPDATE palimpsest.messages SET json = replace(json, 'secret a', 'secret z')
      WHERE tenant = 'damaged' AND json LIKE '%secret a%'`);
    await tables.admin.query(`DELETE FROM palimpsest.messages WHERE tenant = 'damaged' AND json LIKE '%secret b%'`);
    const { ok, problems } = await store.integrity();
    assert.deepEqual([ok, problems.length], [false, 2]);
    assert.ok(!problems.join().includes('secret'));
  });

  it('R15.1 concurrent migrations create the tables once, in a schema of any name; `migrations` returns their SQL', async () => {
    const options = { pool: tables.admin, tenant: 't', schema: 'unusual "name' };
    const store = new PostgresStore(options);
    await assert.rejects(store.sessions(), { code: 'ARCHIVE_SCHEMA' });
    await Promise.all(Array.from({ length: 4 }, () => new PostgresStore(options).migrate()));
    await store.append('s', batchOf('a', [user('kept 压缩')]));
    await store.migrate();
    assert.equal((await store.search('压缩')).length, 1);
    const printed = store.migrations();
    assert.deepEqual(
      printed.map(({ version }) => version),
      [1, 2],
    );
    for (const { sql } of printed) await tables.admin.query(sql);
    assert.deepEqual(await store.get('s', 'a'), [user('kept 压缩')]);
    assert.ok(!/jsonb|SERIAL|TRIGGER|EXTENSION/i.test(printed.map(({ sql }) => sql).join()));
  });

  it('R15.1 `migrate` removes the tables and columns of version 0.2, and keeps originals', async () => {
    const store = new PostgresStore({ pool: tables.admin, tenant: 't', schema: 'older' });
    const [originals] = store.migrations();
    await tables.admin.query(String(originals?.sql));
    await store.append('s', batchOf('a', [user('kept')]));
    await tables.admin.query(`ALTER TABLE older.conversations ADD COLUMN version bigint NOT NULL DEFAULT 0,
      ADD COLUMN fence bigint NOT NULL DEFAULT 0, ADD COLUMN owner text, ADD COLUMN lease_ends_at timestamptz,
      ADD COLUMN snapshot text, ADD COLUMN snapshot_version bigint NOT NULL DEFAULT 0;
      CREATE TABLE older.deltas (tenant text, conversation text, version bigint, text text)`);
    await assert.rejects(store.appendFacts('s', 0, ['one']), { code: 'ARCHIVE_SCHEMA' });
    for (const _ of [1, 2]) await store.migrate();
    assert.equal((await store.appendFacts('s', 0, ['one'])).length, 1);
    assert.deepEqual(await store.get('s', 'a'), [user('kept')]);
    const { rows } = await tables.admin.query(`SELECT table_name || '.' || column_name AS name
      FROM information_schema.columns WHERE table_schema = 'older' AND table_name IN ('deltas', 'conversations')`);
    assert.deepEqual(
      rows.map(({ name }) => name).sort(),
      ['expires_at', 'facts', 'key', 'name', 'tenant'].map((column) => `conversations.${column}`),
    );
  });

  it('R15.1 eight concurrent migrations succeed without a retry', async () => {
    const pool = tables.server.pool({ max: 8 });
    for (let round = 0; round < 6; round += 1) {
      const options = { pool, tenant: 't', schema: `at once ${round}`, maxRetries: 0 };
      const migrated = Array.from({ length: 8 }, () => new PostgresStore(options).migrate());
      assert.deepEqual(
        (await Promise.allSettled(migrated)).map(({ status }) => status),
        Array.from({ length: 8 }, () => 'fulfilled'),
      );
    }
    await pool.end();
  });

  it('R15.1 a schema’s name has at most 63 bytes, as in PostgreSQL', () => {
    const withSchema = (/** @type {string} */ schema) => new PostgresStore({ pool: tables.admin, tenant: 't', schema });
    for (const schema of ['x'.repeat(63), '压'.repeat(21)]) withSchema(schema);
    for (const schema of ['x'.repeat(64), '压'.repeat(22), `${'压'.repeat(21)}a`, `${'压'.repeat(21)}b`]) {
      const expected = { code: 'ERR_OUT_OF_RANGE', message: /options\.schema.*at most 63 bytes of UTF-8/ };
      assert.throws(() => withSchema(schema), expected, schema);
    }
  });

  it('R15.1 a role without rights gets ARCHIVE_READ_ONLY', async () => {
    await tables.admin.query('CREATE ROLE stranger LOGIN');
    const pool = tables.server.pool({ user: 'stranger', max: 1 });
    const error = { code: 'ARCHIVE_READ_ONLY', path: 'postgres:palimpsest' };
    await assert.rejects(new PostgresStore({ pool, tenant: 't' }).sessions(), error);
    await assert.rejects(new PostgresStore({ pool, tenant: 't', schema: 'other' }).migrate(), {
      code: 'ARCHIVE_READ_ONLY',
    });
    await pool.end();
  });

  it('R7.8 `expandHistory` restores a history from the store, and `lookupTool` quotes from it', async () => {
    const store = storeOf('history');
    await store.append(
      's',
      batchOf('a', [user('port 8080'), user(`data:image/png;base64,${'iVBORw0KGgo4'.repeat(200)}`)]),
    );
    const record = { id: 'a', archive: { sessionId: 's', id: 'a' }, messageCount: 2 };
    const messages = [
      { ...user('[压缩摘要]'), isCompressed: true, compressedAt: 1, compression: record },
      user('next'),
    ];
    const history = await expandHistory(messages, { archive: store, sessionId: 's' });
    assert.deepEqual(
      history.map((/** @type {any} */ { content }) => content.slice(0, 9)),
      ['port 8080', 'data:imag', 'next'],
    );
    const tool = lookupTool(store, { sessionId: 's', language: 'en' });
    assert.match(await tool.handler({ query: '8080' }), /Messages found: 1[\s\S]*port 8080/);
    const whole = await tool.handler({ id: 'a' });
    assert.ok(whole.includes('[base64: ') && !whole.includes('iVBORw0KGgo4iVBOR'));
    assert.match(await tool.handler({ id: 'unknown' }), /no compression record/);
  });
});
