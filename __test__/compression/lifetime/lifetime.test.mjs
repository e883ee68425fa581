// @ts-check
/** Memory, event loop, end of the process, and worker threads with many compressions. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CONFIGURATION, originalHistory } from '../../support/archived-history.mjs';
import { AutoCompressionManager, expandHistory } from '../../support/compression.mjs';
import { SUMMARY } from '../../support/scripted-llm.mjs';

const MB = 1024 * 1024;
const workerFile = new URL('../../fixtures/compression-worker.mjs', import.meta.url);
const lifetimeFile = fileURLToPath(new URL('../../fixtures/compression-lifetime.mjs', import.meta.url));
const packageFile = fileURLToPath(new URL('../../../index.js', import.meta.url));
const historyFile = new URL('../../support/archived-history.mjs', import.meta.url).href;

/** @param {string[]} args */
function run(...args) {
  return spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, PALIMPSEST_LOG: '' },
  });
}

/** A script that runs `body` with `configuration`, `messages` above the threshold, and `hang`, a client without an answer. */
function script(/** @type {string} */ body) {
  return `const { AutoCompressionManager } = require(${JSON.stringify(packageFile)});
    const hang = () => new Promise(() => {});
    import(${JSON.stringify(historyFile)}).then(async ({ originalHistory }) => {
      const configuration = ${JSON.stringify(CONFIGURATION)};
      const messages = originalHistory(44);
      ${body}
    });`;
}

describe('memory', () => {
  it('4,000 compressions grow the heap by less than 1 MB and resident memory by less than 20 MB', () => {
    const { status, stdout, stderr } = run('--expose-gc', lifetimeFile, '4000', '1000');
    assert.equal(status, 0, stderr);
    const { heap, resident, callCount, compressed } = JSON.parse(stdout);
    assert.ok(callCount > 2_000 && compressed > 2_000, stdout);
    assert.ok(heap < MB, `heap grew by ${heap} bytes`);
    assert.ok(resident < 20 * MB, `resident memory grew by ${resident} bytes`);
  });
});

describe('the event loop', () => {
  it('REQ-3.1 timers run while the summary is pending', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    /** @type {(summary: string) => void} */
    let answer = () => {};
    const manager = new AutoCompressionManager(
      CONFIGURATION,
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const messages = originalHistory(44);
    const done = manager.process(messages);
    // If process blocked the event loop, this loop would never end.
    while (ticks < 20) await new Promise((resolve) => setImmediate(resolve));
    answer(SUMMARY);
    await done;
    clearInterval(timer);
    assert.ok(messages.some((message) => message.isCompressed));
  });

  it('R7.8 a manager compresses a hundred histories concurrently, and each is restored exactly', async () => {
    let pendingCount = 0;
    let mostPending = 0;
    const manager = new AutoCompressionManager(CONFIGURATION, async () => {
      mostPending = Math.max(mostPending, ++pendingCount);
      await new Promise((resolve) => setTimeout(resolve, 20));
      pendingCount -= 1;
      return SUMMARY;
    });
    const histories = Array.from({ length: 100 }, (_, index) => [
      { role: 'user', content: `session ${index}` },
      ...originalHistory(44),
    ]);
    const sessions = histories.map((history) => [...history]);
    await Promise.all(sessions.map((messages) => manager.process(messages)));
    assert.ok(mostPending > 1, 'the requests were sent one after the other');
    assert.equal(manager.stats().compressed, 100);
    sessions.forEach((messages, index) => {
      assert.deepEqual(expandHistory(messages), histories[index]);
    });
  });
});

describe('the end of the process', () => {
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
      'a manager whose summary was aborted',
      `const controller = new AbortController();
       setTimeout(() => controller.abort(), 20);
       await new AutoCompressionManager(configuration, hang).process(messages, { signal: controller.signal });`,
    ],
  ];
  for (const [name, body] of bodies) {
    it(`R0.5 a process with ${name} exits by itself and prints nothing`, () => {
      const { status, stdout, stderr, signal } = run('-e', script(body));
      assert.deepEqual({ status, stdout, stderr, signal }, { status: 0, stdout: '', stderr: '', signal: null });
    });
  }

  it('R0.5 process.exit during a pending summary exits with its code and prints nothing', () => {
    const body = `const exitSoon = () => (setTimeout(() => process.exit(3), 20), hang());
      await new AutoCompressionManager(configuration, exitSoon).process(messages);`;
    const { status, stdout, stderr } = run('-e', script(body));
    assert.deepEqual({ status, stdout, stderr }, { status: 3, stdout: '', stderr: '' });
  });
});

/** A worker thread that compresses, and the messages that it posts. @param {object} data */
function startWorker(data) {
  const thread = new Worker(workerFile, { workerData: data });
  /** @type {any[]} */
  const posted = [];
  thread.on('message', (message) => posted.push(message));
  return { thread, posted };
}

describe('worker threads', () => {
  it('R0.6 three worker threads compress their own histories at the same time', async () => {
    const threads = ['one', 'two', 'three'].map((name) => startWorker({ name, rounds: 30, hangs: false }));
    await Promise.all(threads.map(({ thread }) => once(thread, 'exit')));
    for (const { posted } of threads) {
      assert.equal(posted.length, 30);
      assert.ok(posted.every(({ isWhole, isOwn }) => isWhole && isOwn));
    }
  });

  it('R0.6 terminating a worker thread with a pending summary leaves the process and other workers intact', async () => {
    const other = startWorker({ name: 'other', rounds: 60, hangs: false });
    for (let round = 0; round < 8; round++) {
      const { thread } = startWorker({ name: 'terminated', rounds: 1, hangs: true });
      await once(thread, 'message');
      await thread.terminate();
    }
    if (other.thread.threadId !== -1) await once(other.thread, 'exit');
    assert.ok(other.posted.every(({ isWhole, isOwn }) => isWhole && isOwn));
    const messages = originalHistory(44);
    await new AutoCompressionManager(CONFIGURATION, () => SUMMARY).process(messages);
    assert.ok(messages.some((message) => message.isCompressed));
  });

  it('R0.6 terminating a worker thread during its compressions leaves the process running', async () => {
    for (let round = 0; round < 6; round++) {
      const { thread } = startWorker({ name: 'terminated', rounds: 1e9, hangs: false });
      await once(thread, 'message');
      await thread.terminate();
    }
  });
});
