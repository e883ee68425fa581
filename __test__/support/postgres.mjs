// @ts-check
/** A PostgreSQL server for a test file, on a socket in a temporary folder. */
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
import { findPostgres } from '../../scripts/find-program.mjs';

const installed = process.platform === 'win32' ? undefined : findPostgres();
const isMissing = installed === undefined;
/** Reason to skip tests that need a server; in CI they fail instead. @type {string | false} */
export const withoutPostgres =
  isMissing && process.env.CI !== 'true' ? 'no PostgreSQL is installed, nor its package' : false;

/** A role that sees only its tenant's rows: neither superuser nor owner. */
export const APP_ROLE = 'app';

/** A batch of originals. @param {string} id @param {unknown[]} messages @returns {any} */
export const batchOf = (id, messages) => ({ id, kind: 'summary', level: 1, at: 1_700_000_000_000, messages });

/** A non-root user, because `initdb` and `postgres` refuse to run as root. @returns {{ uid?: number, gid?: number }} */
export function otherUser() {
  if (process.getuid?.() !== 0) return {};
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const fields = (/** @type {string} */ name) => lines.find((line) => line.startsWith(`${name}:`))?.split(':');
  const [, , uid, gid] = fields('postgres') ?? fields('nobody') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** A running server. Tests must close its pools themselves. */
export class PostgresServer {
  #folder;
  #bin;
  #user = otherUser();
  #settings;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;

  /** @param {readonly string[]} [settings] `name=value`, in addition to the defaults or replacing them */
  constructor(settings = []) {
    this.#settings = settings;
    if (installed === undefined)
      throw new Error('expected a PostgreSQL to test with, got none: npm ci, or install one');
    this.#folder = mkdtempSync(join(tmpdir(), 'palimpsest-postgres-'));
    this.#createFolder(this.#folder);
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

  /**
   * Copies the programs: another user can't run those in root's folder, and the package's symbolic links may be
   * missing.
   * @param {string} bin @param {{ source: string, target: string }[]} links
   */
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
  #createFolder(folder) {
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
      ...this.#settings,
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

  /** Process id of the server's main process. */
  get pid() {
    return this.#process?.pid;
  }

  /** The folder of its socket, writable for the server's user. */
  get folder() {
    return this.#folder;
  }

  /** @param {object} [options] */
  pool(options) {
    const pool = new pg.Pool({ host: this.#folder, user: 'postgres', database: 'postgres', ...options });
    // When the server stops, it closes idle connections; the pool opens new ones.
    pool.on('error', () => {});
    return pool;
  }

  /**
   * Stops the server's main process and so its connections; `start` starts it again.
   * @param {'SIGINT' | 'SIGQUIT'} [signal] SIGQUIT: like a crash, with recovery from the log
   */
  async stop(signal = 'SIGINT') {
    const server = this.#process;
    if (server === undefined || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  }

  async remove() {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/**
 * A server with a store's tables, created by the superuser, and a pool of a role to which row-level policies apply.
 * @param {{ schema?: string, settings?: readonly string[] }} [options] `settings` of `PostgresServer`
 */
export async function serverWithTables({ schema = 'palimpsest', settings } = {}) {
  const { PostgresStore } = await import('palimpsest/postgres');
  const server = new PostgresServer(settings);
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
