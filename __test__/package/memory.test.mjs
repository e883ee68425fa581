// @ts-check
/** Repeated use of the package grows neither the heap nor native memory. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import v8 from 'node:v8';
import vm from 'node:vm';
import { ContextView, cleanOrphanedToolCalls, prepareMessages } from 'palimpsest';
import { simplifyHistoricalFileReads, simplifyOutdatedTerminalResults } from 'palimpsest/messageCleanup';

v8.setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = vm.runInNewContext('gc');

const MB = 1024 * 1024;

/** @param {number} index @param {number} time */
function turn(index, time) {
  const reads = index % 3 === 0;
  const id = `call_${index}`;
  const args = JSON.stringify({ filePath: `src/${index % 17}.ts` });
  const content = reads
    ? `read ${index}`
    : JSON.stringify({ stdout: `output ${index} `.repeat(40), stderr: '', exitCode: 0 });
  return [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id, function: { name: reads ? 'filesystem-read' : 'bash', arguments: args } }],
    },
    { role: 'tool', tool_call_id: id, content, timestamp: time },
  ];
}

/** @param {number} turns */
function history(turns) {
  const start = Date.now() - turns * 60_000;
  return Array.from({ length: turns }, (_, index) => turn(index, start + index * 60_000)).flat();
}

/** @param {any[]} stored */
function cleanUp(stored) {
  const api = [...stored];
  cleanOrphanedToolCalls(api);
  simplifyOutdatedTerminalResults(api);
  simplifyHistoricalFileReads(api);
  return api;
}

async function collectAll() {
  for (let round = 0; round < 4; round++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('memory', () => {
  it('500 cleanups of a 1,000-message session grow the heap by less than 1 MB', async () => {
    const stored = history(500);
    const view = new ContextView();
    const run = (/** @type {number} */ turns) => {
      for (let index = 0; index < turns; index++) {
        cleanUp(stored);
        view.project(stored);
        prepareMessages(stored, { terminal: { keepRecent: 3 } });
      }
    };
    run(50);
    await collectAll();
    const before = process.memoryUsage();
    run(500);
    await collectAll();
    const after = process.memoryUsage();
    assert.ok(after.heapUsed - before.heapUsed < 1 * MB, `heap grew by ${after.heapUsed - before.heapUsed} bytes`);
    assert.ok(after.rss - before.rss < 24 * MB, `resident memory grew by ${after.rss - before.rss} bytes`);
  });

  it('the messages of conversations that the application dropped are garbage collected', async () => {
    /** @type {WeakRef<object>[]} */
    const references = [];
    const use = () => {
      const stored = history(100);
      for (let end = 2; end <= stored.length; end += 2) cleanUp(stored.slice(0, end));
      references.push(
        new WeakRef(/** @type {object} */ (stored[0])),
        new WeakRef(/** @type {object} */ (stored.at(-1))),
      );
    };
    for (let round = 0; round < 20; round++) use();
    await collectAll();
    const alive = references.filter((reference) => reference.deref() !== undefined).length;
    assert.ok(alive <= 2, `${alive} of ${references.length} messages of dropped conversations are still alive`);
  });

  it('2,000 dropped conversations grow resident memory by less than 32 MB', async () => {
    const run = async (/** @type {number} */ rounds) => {
      for (let round = 0; round < rounds; round++) {
        cleanUp(history(60));
        // The native memory of collected objects is freed when the event loop turns, as between an agent's turns.
        if (round % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    // V8's young generation grows to its full size first; newer Node.js versions give it more.
    await run(4000);
    await collectAll();
    const before = process.memoryUsage().rss;
    await run(2000);
    await collectAll();
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown < 32 * MB, `resident memory grew by ${grown} bytes`);
  });

  it('rewinding a conversation 1,000 times grows the heap by less than 2 MB', async () => {
    const stored = history(200);
    const run = (/** @type {number} */ rounds) => {
      for (let round = 0; round < rounds; round++) {
        cleanUp(stored.slice(0, 200 + 2 * (round % 100)));
        cleanUp([...stored.slice(0, 100), ...turn(round, Date.now())]);
      }
    };
    // A conversation's state varies by a megabyte with its length, so each length runs once before the measurement.
    run(1000);
    await collectAll();
    const before = process.memoryUsage();
    run(1000);
    await collectAll();
    const after = process.memoryUsage();
    assert.ok(after.heapUsed - before.heapUsed < 2 * MB, `heap grew by ${after.heapUsed - before.heapUsed} bytes`);
    assert.ok(after.rss - before.rss < 32 * MB, `resident memory grew by ${after.rss - before.rss} bytes`);
  });
});
