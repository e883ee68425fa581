// @ts-check
/** A PostgreSQL server of a test file's own, on a socket in a folder that goes with it. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from '../../scripts/find-postgres.mjs';

const installed = process.platform === 'win32' ? undefined : findPostgres();
const isMissing = installed === undefined;
/** Why tests that want a server are skipped; where CI runs, they fail without one. @type {string | false} */
export const without = isMissing && process.env.CI !== 'true' ? 'no PostgreSQL is installed, nor its package' : false;

/** Who may see only its tenant's rows: neither superuser nor owner. */
export const APP_ROLE = 'app';

/** `initdb` and `postgres` refuse to run as root. @returns {{ uid?: number, gid?: number }} */
function otherUser() {
  if (process.getuid?.() !== 0) return {};
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const fields = (/** @type {string} */ name) => lines.find((line) => line.startsWith(`${name}:`))?.split(':');
  const [, , uid, gid] = fields('postgres') ?? fields('nobody') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** A server that runs; its pools are the test's to end. */
export class PostgresServer {
  #folder;
  #bin;
  #user = otherUser();
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;

  constructor() {
    if (installed === undefined)
      throw new Error('expected a PostgreSQL to test with, got none: npm ci, or install one');
    this.#folder = mkdtempSync(join(tmpdir(), 'palimpsest-postgres-'));
    this.#own(this.#folder);
    this.#bin = installed.links === undefined ? installed.bin : this.#copied(installed.bin, installed.links);
    const words = ['-D', this.#data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    const { status, stderr, error } = spawnSync(join(this.#bin, 'initdb'), words, {
      ...this.#user,
      encoding: 'utf8',
      cwd: this.#folder,
    });
    if (status !== 0) throw new Error(`initdb: ${error?.message ?? stderr}`);
  }

  get #data() {
    return join(this.#folder, 'data');
  }

  /** Programs in a folder of root's can't be run by another user, and the package's links may be missing. @param {string} bin @param {{ source: string, target: string }[]} links */
  #copied(bin, links) {
    const native = join(this.#folder, 'native');
    cpSync(dirname(bin), native, { recursive: true });
    for (const { source, target } of links) {
      const link = join(this.#folder, target);
      if (!existsSync(link)) symlinkSync(join(this.#folder, source), link);
    }
    chmodSync(native, 0o755);
    return join(native, 'bin');
  }

  /** @param {string} folder */
  #own(folder) {
    mkdirSync(folder, { recursive: true });
    const { uid, gid } = this.#user;
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  }

  async start() {
    const settings = [
      'listen_addresses=',
      `unix_socket_directories=${this.#folder}`,
      'fsync=off',
      'max_connections=60',
    ];
    const words = ['-D', this.#data, ...settings.flatMap((setting) => ['-c', setting])];
    const server = spawn(join(this.#bin, 'postgres'), words, { ...this.#user, cwd: this.#folder, stdio: 'ignore' });
    this.#process = server;
    process.once('exit', () => server.kill('SIGKILL'));
    const pool = this.pool({ max: 1 });
    for (let tries = 0; ; tries++) {
      try {
        await pool.query('SELECT 1');
        return pool.end();
      } catch (error) {
        if (tries === 600 || server.exitCode !== null) throw error;
        await wait(50);
      }
    }
  }

  /** @param {object} [options] */
  pool(options) {
    const pool = new pg.Pool({ host: this.#folder, user: 'postgres', database: 'postgres', ...options });
    // A server that is stopped ends idle connections; the pool makes new ones.
    pool.on('error', () => {});
    return pool;
  }

  /** Ends the server's own process, and its connections with it; `start` brings it back. */
  async stop() {
    const server = this.#process;
    if (server === undefined || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGINT');
    await ended;
  }

  async remove() {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * A server with a store's tables, made by the superuser, and a pool of a role that the row-level policies hold for.
 * @param {string} [schema]
 */
export async function serverWithTables(schema = 'palimpsest') {
  const { PostgresStore } = await import('palimpsest/postgres');
  const server = new PostgresServer();
  await server.start();
  const admin = server.pool({ max: 2 });
  await new PostgresStore({ pool: admin, tenant: 'nobody', schema }).migrate();
  await admin.query(`CREATE ROLE ${APP_ROLE} LOGIN; GRANT USAGE ON SCHEMA "${schema}" TO ${APP_ROLE};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO ${APP_ROLE}`);
  const pool = server.pool({ user: APP_ROLE, max: 10 });
  const end = async () => {
    await Promise.all([pool.end(), admin.end()]);
    await server.remove();
  };
  return { server, admin, pool, end };
}
