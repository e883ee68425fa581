// @ts-check
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { expandHistory, lookupTool } from 'palimpsest';
import { PostgresStore } from 'palimpsest/postgres';
import { Network } from '../support/network.mjs';
import { APP_ROLE, serverWithTables, without } from '../support/postgres.mjs';

/** @param {string} id @param {unknown[]} messages @returns {any} */
const batch = (id, messages) => ({ id, kind: 'summary', level: 1, at: 1_700_000_000_000, messages });

/** @param {string} text */
const user = (text) => ({ role: 'user', content: text });

describe('R15 PostgresStore', { skip: without }, () => {
  /** @type {Awaited<ReturnType<typeof serverWithTables>>} */
  let tables;
  before(async () => {
    tables = await serverWithTables();
  });
  after(() => tables.end());

  /** @param {string} tenant @param {object} [options] */
  const storeOf = (tenant, options) => new PostgresStore({ pool: tables.pool, tenant, ...options });

  it('R15.4 shows no tenant the rows of another, by its own statements and by the policies', async () => {
    const [one, other] = [storeOf('one'), storeOf('other')];
    await one.commit('c', { fence: 0, version: 0, state: 'secret', batches: [batch('a', [user('secret 秘密')])] });
    await one.commit('c', { fence: 0, version: 1, delta: 'secret' });
    assert.equal((await other.acquire('c'))?.state, null);
    assert.deepEqual(await other.sessions(), []);
    assert.deepEqual([await other.search('secret'), await other.search('秘密')], [[], []]);
    assert.deepEqual(await other.delete('c'), { batches: 0, messages: 0 });
    const all = ['conversations', 'deltas', 'batches', 'messages', 'grams'];
    const client = await tables.pool.connect();
    try {
      const counts = async () => {
        const found = [];
        for (const table of all)
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
        {
          code: '42501',
        },
      );
      await client.query(`ROLLBACK; BEGIN; SET LOCAL palimpsest.tenant = 'one'`);
      assert.deepEqual(await counts(), [1, 1, 1, 1, 1], 'as itself');
      await client.query('ROLLBACK');
    } finally {
      client.release();
    }
    assert.equal((await one.search('秘密')).length, 1);
  });

  it('R15.1 works where each statement may go to another connection, and asks each of them for nothing', async () => {
    /** @type {string[]} */
    const seen = [];
    const pool = {
      /** @param {string} text @param {any[]} [params] */
      async query(text, params) {
        seen.push(text);
        const client = await tables.pool.connect();
        // As pgbouncer leaves a connection to the next.
        try {
          return await client.query(text, params);
        } finally {
          client.release(true);
        }
      },
    };
    const store = new PostgresStore({ pool, tenant: 'pooled' });
    await store.append('s', batch('a', [user('压缩')]));
    await store.commit('s', { fence: 0, version: 0, state: 'x' });
    await store.commit('s', { fence: 0, version: 1, delta: 'y', batches: [batch('b', [user('z')])] });
    assert.equal((await store.search('压缩')).length, 1);
    assert.ok(seen.every((text) => text.includes('$1') && !/\b(LISTEN|PREPARE|advisory|SET SESSION)\b/i.test(text)));
    assert.equal(seen.length, 5, 'one round trip each, and two for a search');
  });

  it('R15.3 tries again where a connection is lost, and adds nothing twice', async () => {
    const store = storeOf('unlucky', { maxRetries: 8 });
    await store.append('s', batch('a', [user('one')]));
    let version = (await store.commit('s', { fence: 0, version: 0, state: '0' })).version;
    for (let round = 0; round < 20; round++) {
      const kill = tables.admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`);
      const commit = { fence: 0, version, delta: `${round}`, batches: [batch(`b ${round}`, [user(`${round}`)])] };
      version = (await store.commit('s', commit)).version;
      await kill;
    }
    assert.equal(version, 21);
    assert.deepEqual(
      (await store.acquire('s'))?.state?.deltas,
      Array.from({ length: 20 }, (_, round) => `${round}`),
    );
    assert.equal((await store.sessions())[0]?.messages, 21);
  });

  it('R15.3 goes on behind a restart of the server, and says ARCHIVE_BUSY when it takes too long', async () => {
    const store = storeOf('restarted', { maxRetries: 100 });
    await store.append('s', batch('a', [user('kept')]));
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

  it('R15.3 gives up connections that a router has forgotten, when the pool does, and adds nothing twice', async () => {
    const network = new Network(join(tables.server.folder, '.s.PGSQL.5432'));
    const pool = tables.server.pool({ ...(await network.listen()), user: APP_ROLE, max: 2, query_timeout: 300 });
    try {
      const store = new PostgresStore({ pool, tenant: 'forgotten' });
      await Promise.all([1, 2].map((at) => store.append(`${at}`, batch('a', [user('one')]))));
      network.forget();
      await Promise.all([1, 2, 3].map((at) => store.append(`${at}`, batch('b', [user('two')]))));
      const counts = (await store.sessions()).map(({ batches }) => batches).sort();
      assert.deepEqual(counts, [1, 2, 2]);
    } finally {
      await pool.end();
      network.close();
    }
  });

  it('R15.3 an abort ends the wait for a server that is silent', async () => {
    const silent = new PostgresStore({ pool: { query: () => new Promise(() => {}) }, tenant: 't' });
    const aborting = new AbortController();
    const waits = [
      silent.append('s', batch('a', []), { signal: aborting.signal }),
      silent.commit('c', { fence: 0, version: 0, state: 'x', signal: aborting.signal }),
      silent.acquire('c', { owner: 'o', leaseMs: 1, signal: aborting.signal }),
    ];
    setTimeout(() => aborting.abort(new Error('enough')), 20);
    for (const waiting of waits) await assert.rejects(waiting, { message: 'enough' });
  });

  it('R15.1 keeps the order of commits when eight machines write one conversation', async () => {
    const stores = Array.from({ length: 8 }, () => storeOf('crowd', { maxRetries: 20 }));
    await storeOf('crowd').commit('c', { fence: 0, version: 0, state: '0' });
    const write = async (/** @type {PostgresStore} */ store, /** @type {number} */ machine) => {
      for (let done = 0; done < 10; ) {
        const found = await store.acquire('c');
        if (found === null) throw new Error('expected a state, got a lease');
        try {
          await store.commit('c', { fence: found.fence, version: found.version, delta: `${machine}/${done}` });
          done += 1;
        } catch (error) {
          if (/** @type {any} */ (error).code !== 'STORE_STALE') throw error;
        }
      }
    };
    await Promise.all(stores.map(write));
    const found = await storeOf('crowd').acquire('c');
    assert.deepEqual([found?.version, new Set(found?.state?.deltas).size], [81, 80]);
  });

  it('R15.1 a lease that waited for a commit sees its delta', async () => {
    const store = storeOf('waiting');
    await store.commit('c', { fence: 0, version: 0, state: '0' });
    for (let version = 1; version <= 30; version++) {
      const [, leased] = await Promise.all([
        store.commit('c', { fence: version - 1, version, delta: `${version}` }).catch(() => undefined),
        store.acquire('c', { owner: `${version}`, leaseMs: 60_000 }),
      ]);
      assert.equal(leased?.version, 1 + (leased?.state?.deltas.length ?? 0));
      const { version: present = 0 } = (await store.acquire('c')) ?? {};
      if (present === version) await store.commit('c', { fence: version, version, delta: `${version}` });
      await store.release('c', { fence: version });
    }
  });

  it('R15.4 forgets conversations that nobody went on with, and no others', async () => {
    const store = storeOf('tidy', { retentionMs: 60_000 });
    const keeping = storeOf('tidy');
    await store.append('old', batch('a', [user('x')]));
    await store.commit('old too', { fence: 0, version: 0, state: 'x' });
    await keeping.append('for ever', batch('a', [user('x')]));
    assert.deepEqual(await keeping.deleteExpired(), { conversations: 0 });
    // A minute later, for the rows: no machine is slow enough to have been that long about them.
    await tables.admin.query(`UPDATE palimpsest.conversations SET expires_at = expires_at - interval '1 minute'
      WHERE tenant = 'tidy'`);
    await store.append('new', batch('a', [user('x')]));
    assert.deepEqual(await storeOf('another').deleteExpired(), { conversations: 0 });
    assert.deepEqual(await keeping.deleteExpired(), { conversations: 2 });
    const left = (await keeping.sessions()).map(({ sessionId }) => sessionId);
    assert.deepEqual(left, ['new', 'for ever']);
    assert.equal((await keeping.acquire('old too'))?.version, 0);
  });

  it('R15.1 says which batches were changed or lost a message, without their content', async () => {
    const store = storeOf('damaged');
    for (const id of ['a', 'b', 'c']) await store.append('s', batch(id, [user(`secret ${id}`), user('more')]));
    await tables.admin.query(`UPDATE palimpsest.messages SET json = replace(json, 'secret a', 'secret z')
      WHERE tenant = 'damaged' AND json LIKE '%secret a%'`);
    await tables.admin.query(`DELETE FROM palimpsest.messages WHERE tenant = 'damaged' AND json LIKE '%secret b%'`);
    const { ok, problems } = await store.integrity();
    assert.deepEqual([ok, problems.length], [false, 2]);
    assert.ok(!problems.join().includes('secret'));
  });

  it('R15.1 makes its tables once, by many at once, in a schema of any name, or prints how', async () => {
    const options = { pool: tables.admin, tenant: 't', schema: 'odd "name' };
    const store = new PostgresStore(options);
    await assert.rejects(store.sessions(), { code: 'ARCHIVE_SCHEMA' });
    await Promise.all(Array.from({ length: 4 }, () => new PostgresStore(options).migrate()));
    await store.append('s', batch('a', [user('kept 压缩')]));
    await store.migrate();
    assert.equal((await store.search('压缩')).length, 1);
    const printed = store.migrations();
    assert.deepEqual(
      printed.map(({ version }) => version),
      [1],
    );
    for (const { sql } of printed) await tables.admin.query(sql);
    assert.deepEqual(await store.get('s', 'a'), [user('kept 压缩')]);
    assert.ok(!/jsonb|SERIAL|TRIGGER|EXTENSION/i.test(printed.map(({ sql }) => sql).join()));
  });

  it('R15.1 eight servers that start at once make the tables without a retry', async () => {
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

  it('R15.1 a schema’s name is as long as PostgreSQL keeps it, in bytes', () => {
    const of = (/** @type {string} */ schema) => new PostgresStore({ pool: tables.admin, tenant: 't', schema });
    for (const schema of ['x'.repeat(63), '压'.repeat(21)]) of(schema);
    for (const schema of ['x'.repeat(64), '压'.repeat(22), `${'压'.repeat(21)}a`, `${'压'.repeat(21)}b`]) {
      const expected = { code: 'ERR_OUT_OF_RANGE', message: /options\.schema.*at most 63 bytes of UTF-8/ };
      assert.throws(() => of(schema), expected, schema);
    }
  });

  it('R15.1 a role without rights is told so', async () => {
    await tables.admin.query('CREATE ROLE stranger LOGIN');
    const pool = tables.server.pool({ user: 'stranger', max: 1 });
    const error = { code: 'ARCHIVE_READ_ONLY', path: 'postgres:palimpsest' };
    await assert.rejects(new PostgresStore({ pool, tenant: 't' }).sessions(), error);
    await assert.rejects(new PostgresStore({ pool, tenant: 't', schema: 'other' }).migrate(), {
      code: 'ARCHIVE_READ_ONLY',
    });
    await pool.end();
  });

  it('R7.8 gives a history back, and quotes from it for the model', async () => {
    const store = storeOf('history');
    await store.append(
      's',
      batch('a', [user('port 8080'), user(`data:image/png;base64,${'iVBORw0KGgo4'.repeat(200)}`)]),
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
