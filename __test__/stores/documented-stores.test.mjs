// @ts-check
/** Code about stores in the documents that needs a server, or is a test itself. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { repository } from '../support/children.mjs';
import { APP_ROLE, PostgresServer, withoutPostgres } from '../support/postgres.mjs';
import { documents, makeProject, snippetsIn } from '../support/snippets.mjs';

/** @type {string} */
let project;
before(() => {
  project = makeProject(['pg']);
});
after(() => rmSync(project, { recursive: true, force: true }));

/** @param {{ place: string, code: string }} snippet @param {readonly string[]} nodeOptions @param {NodeJS.ProcessEnv} [settings] */
function nodeRuns({ place, code }, nodeOptions, settings) {
  const file = join(project, `${place.replaceAll(/\W/g, '-')}.mjs`);
  writeFileSync(file, code);
  // Inside a test, `node --test` would report in a binary format.
  const env = { ...process.env, ...settings, NODE_TEST_CONTEXT: undefined };
  return spawnSync(process.execPath, [...nodeOptions, file], { cwd: project, encoding: 'utf8', env });
}

describe('a custom store in the documents', () => {
  const store = pathToFileURL(join(repository, 'docs/examples/map-store.mjs')).href;

  for (const { place, code } of snippetsIn('node --test')) {
    it(`passes the store contract, as ${place} shows it`, () => {
      const whole = `import { MapStore as MyStore } from '${store}';\n${code}`;
      const { status, stdout } = nodeRuns({ place, code: whole }, ['--test', '--test-reporter=tap']);
      assert.equal(status, 0, stdout);
      assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) >= 20, stdout);
    });
  }
});

describe('PostgreSQL in the documents', { skip: withoutPostgres }, () => {
  /** @type {PostgresServer} */
  let server;
  before(async () => {
    server = new PostgresServer();
    await server.start();
  });
  after(() => server.remove());

  for (const { place, code } of snippetsIn('PostgreSQL')) {
    it(`gets its tables from the code of ${place}`, async () => {
      const settings = { PGHOST: server.folder, PGUSER: 'postgres', PGDATABASE: 'postgres' };
      const { status, stderr } = nodeRuns({ place, code: `${code}await pool.end();\n` }, [], settings);
      assert.equal(status, 0, stderr);
      const pool = server.pool({ max: 1 });
      const { rows } = await pool.query("SELECT 1 FROM pg_tables WHERE schemaname = 'palimpsest'");
      await pool.end();
      assert.ok(rows.length >= 3, `${rows.length} tables`);
    });
  }

  it('R15.4 grants of the documents are enough for an application’s role', async () => {
    const texts = documents().map((path) => readFileSync(join(repository, path), 'utf8'));
    const granted = texts.flatMap((text) =>
      Array.from(text.matchAll(/```sql in: PostgreSQL\n(.*?)```/gs), ([, sql]) => sql),
    );
    assert.ok(granted.length >= 1);
    const pool = server.pool({ max: 1 });
    await pool.query(`CREATE ROLE ${APP_ROLE} LOGIN`);
    for (const sql of granted) await pool.query(String(sql));
    await pool.end();
    const appPool = server.pool({ user: APP_ROLE, max: 1 });
    const { PostgresStore } = await import('palimpsest/postgres');
    const store = new PostgresStore({ pool: appPool, tenant: 'team-7' });
    await store.append('chat', {
      id: 'one',
      kind: 'summary',
      level: 1,
      at: 0,
      messages: [{ role: 'user', content: 'Go.' }],
    });
    assert.deepEqual(await store.get('chat', 'one'), [{ role: 'user', content: 'Go.' }]);
    await appPool.end();
  });
});
