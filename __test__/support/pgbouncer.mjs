// @ts-check
/** PgBouncer in front of a test's server: each transaction may use another connection. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPgbouncer } from '../../scripts/find-program.mjs';
import { APP_ROLE, otherUser } from './postgres.mjs';

const PORT = 6432;
const program = findPgbouncer();
/** Reason to skip its tests; in CI they fail instead. @type {string | false} */
export const withoutPgbouncer =
  program === undefined && process.env.CI !== 'true' ? 'no pgbouncer is installed' : false;

/**
 * @param {import('./postgres.mjs').PostgresServer} server
 * @param {number} connections maximum number of server connections, for all clients together
 */
export async function startPgbouncer(server, connections) {
  if (program === undefined) throw new Error('expected a pgbouncer to test with, got none');
  const settings = join(server.folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    // Clients that log in this way use this role.
    `* = host=${server.folder} user=${APP_ROLE}`,
    '[pgbouncer]',
    `unix_socket_dir = ${server.folder}`,
    `listen_port = ${PORT}`,
    'listen_addr =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${connections}`,
    // Retry soon after a server restart.
    'server_login_retry = 0.1',
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`);
  const bouncer = spawn(program, ['-q', settings], { ...otherUser(), cwd: server.folder, stdio: 'ignore' });
  process.once('exit', () => bouncer.kill('SIGKILL'));
  const pool = server.pool({ user: APP_ROLE, port: PORT, max: 10 });
  for (let tries = 0; ; tries++) {
    try {
      await pool.query('SELECT 1');
      break;
    } catch (error) {
      if (tries === 200 || bouncer.exitCode !== null) throw error;
      await wait(50);
    }
  }
  const end = async () => {
    await pool.end();
    bouncer.kill('SIGKILL');
  };
  return { pool, end };
}
