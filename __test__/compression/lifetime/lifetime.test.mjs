// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as face from 'palimpsest';
import { originalHistory } from '../../support/archived-history.mjs';
import { SUMMARY } from '../../support/scripted-llm.mjs';

const { AutoCompressionManager, expandHistory } = /** @type {any} */ (face);
const MB = 1024 * 1024;
const workerFile = new URL('../../fixtures/compression-worker.mjs', import.meta.url);
const lifetimeFile = fileURLToPath(new URL('../../fixtures/compression-lifetime.mjs', import.meta.url));
const faceFile = fileURLToPath(new URL('../../../index.js', import.meta.url));
const historyFile = new URL('../../support/archived-history.mjs', import.meta.url).href;

const CONFIGURATION = {
  maxContextTokens: 2_000,
  autoCompressionSummaryModel: 'fast',
  autoCompressionSummaryContextTokens: 128_000,
  autoCompressionKeepRecentCount: 4,
};

/** @param {string[]} args */
function run(...args) {
  return spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, PALIMPSEST_LOG: '' },
  });
}

/** A script with a manager and a history that is too full; `body` has `manager`, `messages` and `hang`. */
function script(/** @type {string} */ body) {
  return `const { AutoCompressionManager } = require(${JSON.stringify(faceFile)});
    const hang = () => new Promise(() => {});
    import(${JSON.stringify(historyFile)}).then(async ({ originalHistory }) => {
      const configuration = ${JSON.stringify(CONFIGURATION)};
      const messages = originalHistory(44);
      ${body}
    });`;
}

describe('memory and compression', () => {
  it('R7.8 4,000 compressions leave no growth after garbage collection', () => {
    const { status, stdout, stderr } = run('--expose-gc', lifetimeFile, '4000', '1000');
    assert.equal(status, 0, stderr);
    const { heap, resident, asked, compressed } = JSON.parse(stdout);
    assert.ok(asked > 2_000 && compressed > 2_000, stdout);
    assert.ok(heap < MB, `heap grew by ${heap} bytes`);
    assert.ok(resident < 20 * MB, `resident memory grew by ${resident} bytes`);
  });
});

describe('the event loop and compression', () => {
  it('R7.2 timers go on while the model is waited for', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    /** @type {(summary: string) => void} */
    let write = () => {};
    const manager = new AutoCompressionManager(
      CONFIGURATION,
      () =>
        new Promise((resolve) => {
          write = resolve;
        }),
    );
    const messages = originalHistory(44);
    const done = manager.process(messages);
    // Would the loop stand still, this would never end.
    while (ticks < 20) await new Promise((resolve) => setImmediate(resolve));
    write(SUMMARY);
    await done;
    clearInterval(timer);
    assert.ok(messages.some((message) => message.isCompressed));
  });

  it('R7.9 a hundred histories are compressed at once, each its own', async () => {
    let atOnce = 0;
    let most = 0;
    const manager = new AutoCompressionManager(CONFIGURATION, async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce -= 1;
      return SUMMARY;
    });
    const histories = Array.from({ length: 100 }, (_, index) => [
      { role: 'user', content: `session ${index}` },
      ...originalHistory(44),
    ]);
    const sessions = histories.map((history) => [...history]);
    await Promise.all(sessions.map((messages) => manager.process(messages)));
    assert.ok(most > 1, 'they waited for each other');
    assert.equal(manager.stats().compressed, 100);
    sessions.forEach((messages, index) => {
      assert.deepEqual(expandHistory(messages), histories[index]);
    });
  });
});

describe('the end of a process and compression', () => {
  /** @type {[string, string][]} */
  const bodies = [
    ['a manager that was never used', 'new AutoCompressionManager(configuration, hang);'],
    [
      'a manager that has compressed and is idle',
      `const manager = new AutoCompressionManager(configuration, () => ${JSON.stringify(SUMMARY)});
       globalThis.kept = manager;
       await manager.process(messages);
       if (!messages.some((message) => message.isCompressed)) process.exitCode = 7;`,
    ],
    [
      'a summary that was given up',
      `const controller = new AbortController();
       setTimeout(() => controller.abort(), 20);
       await new AutoCompressionManager(configuration, hang).process(messages, { signal: controller.signal });`,
    ],
  ];
  for (const [what, body] of bodies) {
    it(`R7.1 ${what} doesn't keep the process from ending, and says nothing`, () => {
      const { status, stdout, stderr, signal } = run('-e', script(body));
      assert.deepEqual({ status, stdout, stderr, signal }, { status: 0, stdout: '', stderr: '', signal: null });
    });
  }

  it('R7.1 a process that exits while a summary is awaited just ends', () => {
    const body = `const hangs = () => (setTimeout(() => process.exit(3), 20), hang());
      await new AutoCompressionManager(configuration, hangs).process(messages);`;
    const { status, stdout, stderr } = run('-e', script(body));
    assert.deepEqual({ status, stdout, stderr }, { status: 3, stdout: '', stderr: '' });
  });
});

/** @param {object} data */
function start(data) {
  const thread = new Worker(workerFile, { workerData: data });
  /** @type {any[]} */
  const heard = [];
  thread.on('message', (message) => heard.push(message));
  return { thread, heard };
}

describe('worker threads and compression', () => {
  it('R0.6 several at once compress each its own histories', async () => {
    const threads = ['one', 'two', 'three'].map((name) => start({ name, rounds: 30, hangs: false }));
    await Promise.all(threads.map(({ thread }) => once(thread, 'exit')));
    for (const { heard } of threads) {
      assert.equal(heard.length, 30);
      assert.ok(heard.every(({ isWhole, isOwn }) => isWhole && isOwn));
    }
  });

  it('R0.6 one that is terminated while a summary is awaited takes nothing down', async () => {
    const other = start({ name: 'other', rounds: 60, hangs: false });
    for (let round = 0; round < 8; round++) {
      const { thread } = start({ name: 'doomed', rounds: 1, hangs: true });
      await once(thread, 'message');
      await thread.terminate();
    }
    if (other.thread.threadId !== -1) await once(other.thread, 'exit');
    assert.ok(other.heard.every(({ isWhole, isOwn }) => isWhole && isOwn));
    const messages = originalHistory(44);
    await new AutoCompressionManager(CONFIGURATION, () => SUMMARY).process(messages);
    assert.ok(messages.some((message) => message.isCompressed));
  });

  it('R0.6 one that is terminated in the middle of its compressions takes nothing down', async () => {
    for (let round = 0; round < 6; round++) {
      const { thread } = start({ name: 'doomed', rounds: 1e9, hangs: false });
      await once(thread, 'message');
      await thread.terminate();
    }
  });
});
