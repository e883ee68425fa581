// @ts-check
/** AutoCompressionManager with a SessionArchive: where originals are stored, and how expandHistory restores them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as palimpsest from 'palimpsest';
import { originalHistory } from '../support/archived-history.mjs';
import { assertFits, assertPairs } from '../support/compressed-host.mjs';
import { SUMMARY } from '../support/scripted-llm.mjs';

const { AutoCompressionManager, DamagedHistoryError, expandHistory, SessionArchive } = /** @type {any} */ (palimpsest);
const WINDOW = 2_000;
const SETTINGS = {
  maxContextTokens: WINDOW,
  autoCompressionSummaryModel: 'fast',
  autoCompressionSummaryContextTokens: 128_000,
  autoCompressionKeepRecentCount: 4,
};
const NOW = 1_780_000_000_000;
/** The session of `fixtures/compressing-host.mjs`. */
const SESSION = 'killed';
const hostFile = fileURLToPath(new URL('../fixtures/compressing-host.mjs', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-compression-'));
after(() => rmSync(folder, { recursive: true }));

/** @param {string} name @param {(archive: any) => Promise<unknown>} use */
async function withArchive(name, use) {
  const archive = new SessionArchive(join(folder, name));
  try {
    await use(archive);
  } finally {
    await archive.close();
  }
}

/**
 * Grows a history to `count` messages, and calls `process` after every second message.
 * @param {any} archive
 * @param {{ count?: number, options?: object, settings?: object, model?: (parameters: any) => unknown }} [how]
 */
async function grow(archive, { count = 240, options, settings, model = () => SUMMARY } = {}) {
  /** @type {any[]} */
  const events = [];
  const manager = new AutoCompressionManager({ ...SETTINGS, ...settings }, model, null, {
    archive,
    sessionId: SESSION,
    onEvent: (/** @type {any} */ event) => events.push(event),
    ...options,
  });
  /** @type {any[]} */
  const messages = [];
  const history = originalHistory(count);
  for (const [index, message] of history.entries()) {
    messages.push(message);
    if (index % 2 === 1) await manager.process(messages, { now: NOW + index });
  }
  assert.ok(events.some(({ type }) => type === 'compressed' || type === 'truncated'));
  assert.ok(!events.some(({ type }) => type === 'failed'));
  assertFits(messages, { window: WINDOW }, []);
  assertPairs(messages, history);
  return { messages, history, events, manager };
}

/** @param {any[]} messages */
const records = (messages) => messages.filter((message) => message.isCompressed).map(({ compression }) => compression);

/** @param {any[]} events */
const archiveFailures = (events) => events.filter(({ type }) => type === 'archive_failed');

describe('compression into an archive', () => {
  it('R7.8 the originals are only in the archive, and expandHistory restores them through all levels', () =>
    withArchive('levels.db', async (archive) => {
      const { messages, history, events } = await grow(archive);
      const [record] = records(messages);
      assert.ok(record.level > 2, `level ${record.level}`);
      assert.ok(!JSON.stringify(messages).includes('originalMessages'));
      assert.deepEqual(await expandHistory(messages, { archive, sessionId: SESSION }), history);
      assert.deepEqual(
        await expandHistory(JSON.parse(JSON.stringify(messages)), { archive, sessionId: SESSION }),
        history,
      );
      const { batches } = await archive.restore(SESSION);
      assert.equal(batches.length, events.filter(({ type }) => type === 'compressed').length, 'in one session');
      assert.deepEqual(archiveFailures(events), []);
    }));

  it('R15.2 a compression that is repeated later with another summary adds no batch', () =>
    withArchive('repeated.db', async (archive) => {
      for (const [hour, model] of [() => SUMMARY, () => `${SUMMARY} Once more.`].entries()) {
        // The messages that were saved before the process ended.
        const messages = originalHistory(40);
        const options = { archive, sessionId: SESSION };
        const manager = new AutoCompressionManager(SETTINGS, model, null, options);
        await manager.compress(messages, { now: NOW + hour * 3_600_000 });
        assert.equal(records(messages)[0]?.archive?.sessionId, SESSION);
        assert.deepEqual(await expandHistory(messages, options), originalHistory(40));
      }
      assert.equal((await archive.restore(SESSION)).batches.length, 1);
      assert.equal((await archive.search('"0: please go on"')).length, 1);
    }));

  it('R7.8 messages that a cut removes are in the archive, too', () =>
    withArchive('truncated.db', async (archive) => {
      const { messages, history, events } = await grow(archive, {
        model: () => Promise.reject(new Error('no')),
      });
      assert.ok(events.some(({ type }) => type === 'truncated'));
      assert.ok(records(messages).every(({ kind, archive: place }) => kind === 'truncation' && place));
      assert.deepEqual(await expandHistory(messages, { archive, sessionId: SESSION }), history);
    }));

  it('R7.8 expandHistory without the archive throws ERR_ARCHIVE_NEEDED with the visible messages', () =>
    withArchive('needed.db', async (archive) => {
      const { messages } = await grow(archive);
      assert.throws(
        () => expandHistory(messages),
        (/** @type {any} */ error) => {
          assert.ok(error instanceof DamagedHistoryError);
          assert.equal(error.code, 'ERR_ARCHIVE_NEEDED');
          assert.equal(error.messages.length, messages.length);
          return true;
        },
      );
    }));

  it('R7.8 expandHistory rejects with the visible messages if the archive lacks a batch', () =>
    withArchive('lost.db', async (archive) => {
      const { messages } = await grow(archive);
      await archive.delete(SESSION);
      await assert.rejects(expandHistory(messages, { archive, sessionId: SESSION }), (/** @type {any} */ error) => {
        assert.ok(error instanceof DamagedHistoryError);
        assert.equal(error.cause.code, 'ARCHIVE_NOT_FOUND');
        assert.equal(error.messages.length, messages.length);
        return true;
      });
    }));

  it('R7.8 a new manager continues in the session of its options', () =>
    withArchive('new-manager.db', async (archive) => {
      const { messages, history } = await grow(archive);
      const manager = new AutoCompressionManager({}, () => '', null, { archive, sessionId: SESSION });
      const result = await manager.compress(messages, { summary: SUMMARY, now: NOW + 1_000 });
      if (result.compressed) assert.equal(records(messages)[0].archive.sessionId, SESSION);
      assert.deepEqual(await expandHistory(messages, { archive, sessionId: SESSION }), history);
      assert.equal((await archive.sessions()).length, 1);
    }));

  it('R7.9 messages that arrive while the archive is written are kept', () =>
    withArchive('slow.db', async (archive) => {
      const late = { role: 'user', content: 'late' };
      /** @type {any[]} */
      const messages = originalHistory(24);
      const slow = {
        append: async (/** @type {any[]} */ ...batch) => {
          messages.push(late);
          await archive.append(...batch);
        },
      };
      const manager = new AutoCompressionManager({}, () => '', null, { archive: slow, sessionId: SESSION });
      const result = await manager.compress(messages, { summary: SUMMARY });
      assert.equal(result.compressed, true);
      assert.deepEqual(await expandHistory(messages, { archive, sessionId: SESSION }), [...originalHistory(24), late]);
    }));

  it('R7.8 the lookup tool finds Chinese text that was compressed', () =>
    withArchive('lookup.db', async (archive) => {
      const { messages } = await grow(archive);
      assert.ok(!JSON.stringify(messages.slice(1)).includes('第 2 次构建的日志'), 'should have been compressed');
      const { handler } = archive.lookupTool({ sessionId: SESSION });
      assert.match(await handler({ query: '"第 2 次构建的日志"' }), /8002/);
      assert.match(await handler(JSON.stringify({ query: '端口 8003' })), /第 3 次构建/);
    }));
});

describe('compression into an archive that fails', () => {
  /** @type {[string, string, () => string][]} */
  const broken = [
    ['whose folder is missing', 'ARCHIVE_IO', () => join(folder, 'nowhere', 'a.db')],
    ['that is no database', 'ARCHIVE_NOT_A_DATABASE', () => writeText('text.db', 'not a database '.repeat(1_000))],
  ];
  for (const [defect, code, make] of broken) {
    it(`R15.3 with an archive ${defect} the originals stay in the array, and an event has the code`, async () => {
      const path = make();
      const archive = new SessionArchive(path);
      const { messages, history, events } = await grow(archive);
      assert.deepEqual(expandHistory(messages), history);
      assert.deepEqual(await expandHistory(messages, { archive, sessionId: SESSION }), history);
      assert.ok(archiveFailures(events).length > 0);
      for (const failure of archiveFailures(events)) assert.deepEqual([failure.level, failure.code], ['warn', code]);
      await archive.close();
    });
  }

  it('R15.3 a file that is no archive stays unchanged', async () => {
    const path = writeText('kept.db', 'somebody else wrote this '.repeat(500));
    const content = readFileSync(path);
    await grow(new SessionArchive(path));
    assert.deepEqual(readFileSync(path), content);
  });

  it('R15.3 with a closed archive the originals stay in the array', () =>
    withArchive('closed.db', async (archive) => {
      await archive.close();
      const { messages, history, events } = await grow(archive);
      assert.deepEqual(expandHistory(messages), history);
      assert.ok(archiveFailures(events).every(({ code }) => code === 'ARCHIVE_CLOSED'));
    }));

  it('R15.3 an archive that works again gets the next batches, and the whole history is restored', async () => {
    const path = join(folder, 'later', 'a.db');
    const archive = new SessionArchive(path);
    let appends = 0;
    const append = (/** @type {any[]} */ ...batch) => {
      appends += 1;
      if (appends === 2) mkdirSync(join(folder, 'later'));
      return archive.append(...batch);
    };
    const { messages, history } = await grow({ append });
    assert.ok(appends > 2);
    assert.ok(records(messages).some(({ archive: place }) => place !== undefined));
    assert.deepEqual(await expandHistory(messages, { archive, sessionId: SESSION }), history);
    await archive.close();
  });
});

/** @param {string} name @param {string} text */
function writeText(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/**
 * Runs the application, kills it up to 10 ms after it has printed `count` lines, and returns the lines.
 * @param {string} path @param {string} state @param {number} count
 */
async function linesOfKilled(path, state, count) {
  const child = spawn(process.execPath, [hostFile, path, state], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  const hasPrinted = new Promise((/** @type {(value: void) => void} */ resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      if (printed.split('\n').length > count) resolve();
    });
  });
  await Promise.race([hasPrinted, ended]);
  await wait(Math.random() * 10);
  child.kill('SIGKILL');
  assert.deepEqual(await ended, { code: null, signal: 'SIGKILL' });
  return printed.split('\n').slice(1, -1);
}

describe('compression into an archive by a process that is killed', () => {
  it('R7.8 expandHistory restores the history from every saved state, and the next process continues from the last', () =>
    withArchive('killed.db', async (archive) => {
      const state = join(folder, 'state.json');
      writeFileSync(state, JSON.stringify({ count: 0, messages: [] }));
      let compressions = 0;
      for (let round = 0; round < 10; round++) {
        const saved = await linesOfKilled(archive.path, state, 2 + (round % 4) * 9);
        for (const line of saved.filter((_, index) => index % 7 === 0 || index === saved.length - 1)) {
          const { count, messages } = JSON.parse(line);
          assert.ok(!line.includes('originalMessages'), 'the archive was written');
          assert.deepEqual(await expandHistory(messages, { archive, sessionId: SESSION }), originalHistory(count));
          compressions += records(messages).length;
        }
        assert.deepEqual(await archive.integrity(), { ok: true, problems: [] });
        const last = saved.at(-1);
        if (last !== undefined) writeFileSync(state, last);
      }
      assert.ok(compressions > 10);
    }));
});
