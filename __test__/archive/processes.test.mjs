// @ts-check
/** Several processes and threads that write one archive, and writers that are killed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { SessionArchive } from 'palimpsest';

const writerFile = fileURLToPath(new URL('../fixtures/archive-writer.mjs', import.meta.url));
const ENDLESS = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-archive-'));
after(() => rmSync(folder, { recursive: true }));

/**
 * Starts a process that appends batches and prints the id of each committed one.
 * @param {string} path
 * @param {string} writer
 * @param {number} count
 */
function startWriter(path, writer, count) {
  const child = spawn(process.execPath, [writerFile, path, writer, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  /** @type {{ lines: number, resolve: (value?: unknown) => void }[]} */
  let waiting = [];
  const lines = () => printed.split('\n').slice(0, -1);
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    printed += text;
    const count = lines().length;
    for (const waiter of waiting) if (count >= waiter.lines) waiter.resolve();
    waiting = waiting.filter((waiter) => count < waiter.lines);
  });
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  return {
    /** Resolves after `lines` lines, or when the process has ended. */
    hasPrinted: (/** @type {number} */ lines) =>
      Promise.race([new Promise((resolve) => waiting.push({ lines, resolve })), ended]),
    kill: () => child.kill('SIGKILL'),
    ended,
    committed: () => lines().filter((line) => line !== 'ready'),
  };
}

/** @param {string} path @param {string[]} committed ids, each of which names its writer */
async function assertHolds(path, committed) {
  await withArchive(new SessionArchive(path), async (archive) => {
    assert.deepEqual(await archive.integrity(), { ok: true, problems: [] });
    for (const id of committed) {
      const [first, second] = /** @type {{ content: string }[]} */ (
        await archive.get(`session-${id.slice(0, id.lastIndexOf('-'))}`, id)
      );
      assert.ok(first?.content.startsWith(`${id} `));
      assert.equal(second?.content, '完成');
    }
  });
}

/** @param {SessionArchive} archive @param {(archive: SessionArchive) => Promise<void>} use */
async function withArchive(archive, use) {
  try {
    await use(archive);
  } finally {
    await archive.close();
  }
}

describe('an archive with several writers', () => {
  it('R7.8 has every batch that a killed process committed', async () => {
    const path = join(folder, 'killed.db');
    /** @type {string[]} */
    const committed = [];
    for (let round = 0; round < 12; round++) {
      const writer = startWriter(path, `w${round}`, ENDLESS);
      await writer.hasPrinted(1 + (round % 5) * 3);
      await wait(Math.random() * 8);
      writer.kill();
      assert.deepEqual(await writer.ended, { code: null, signal: 'SIGKILL' });
      committed.push(...writer.committed());
      await assertHolds(path, committed);
    }
    assert.ok(committed.length > 12);
  });

  it('R7.8 can be used after a process was killed while it created the file', async () => {
    for (let round = 0; round < 8; round++) {
      const path = join(folder, `created-${round}.db`);
      const first = startWriter(path, 'a', ENDLESS);
      await first.hasPrinted(1);
      await wait(Math.random() * 6);
      first.kill();
      await first.ended;
      await withArchive(new SessionArchive(path), async (archive) => {
        await archive.append('session-b', { id: 'b-0', kind: 'truncation', level: 0, at: 0, messages: [{}] });
        assert.deepEqual(await archive.integrity(), { ok: true, problems: [] });
      });
      await assertHolds(path, first.committed());
    }
  });

  it('R7.8 has every batch of processes that create and write the file at once', async () => {
    const path = join(folder, 'processes.db');
    const writers = ['p0', 'p1', 'p2'].map((name) => startWriter(path, name, 25));
    for (const writer of writers) assert.deepEqual(await writer.ended, { code: 0, signal: null });
    const committed = writers.flatMap((writer) => writer.committed());
    assert.equal(committed.length, 75);
    await assertHolds(path, committed);
  });

  it('R0.6 has every batch of worker threads that create and write the file at once', async () => {
    const path = join(folder, 'threads.db');
    /** @type {string[]} */
    const committed = [];
    const ends = ['t0', 't1', 't2'].map(
      (name) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(writerFile, { workerData: [path, name, 25] });
          worker.on('message', (text) => text !== 'ready' && committed.push(text));
          worker.on('error', reject).on('exit', resolve);
        }),
    );
    assert.deepEqual(await Promise.all(ends), [0, 0, 0]);
    assert.equal(committed.length, 75);
    await assertHolds(path, committed);
  });

  it('R0.6 has every batch that a worker thread committed before it was terminated', async () => {
    const path = join(folder, 'terminated.db');
    /** @type {string[]} */
    const committed = [];
    for (let round = 0; round < 8; round++) {
      const worker = new Worker(writerFile, { workerData: [path, `t${round}`, ENDLESS] });
      await new Promise((resolve, reject) => {
        let received = 0;
        worker.on('error', reject).on('message', (text) => {
          if (text !== 'ready') committed.push(text);
          received += 1;
          if (received > round) resolve(undefined);
        });
      });
      await wait(Math.random() * 4);
      await worker.terminate();
    }
    await assertHolds(path, committed);
  });
});
