// @ts-check
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

async function settled() {
  for (let round = 0; round < 4; round++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('memory', () => {
  it('500 turns over a 1,000-message session leave no growth after garbage collection', async () => {
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
    await settled();
    const before = process.memoryUsage();
    run(500);
    await settled();
    const after = process.memoryUsage();
    assert.ok(after.heapUsed - before.heapUsed < 1 * MB, `heap grew by ${after.heapUsed - before.heapUsed} bytes`);
    assert.ok(after.rss - before.rss < 24 * MB, `resident memory grew by ${after.rss - before.rss} bytes`);
  });

  it('a conversation that the host drops is collected, with what was remembered of it', async () => {
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
    await settled();
    const alive = references.filter((reference) => reference.deref() !== undefined).length;
    assert.ok(alive <= 2, `${alive} of ${references.length} messages of dropped conversations are still alive`);
  });

  it('a thousand dropped conversations do not add up in native memory', async () => {
    const run = async (/** @type {number} */ rounds) => {
      for (let round = 0; round < rounds; round++) {
        cleanUp(history(60));
        // What V8 has collected is freed natively when the event loop turns, as it does between an agent's turns.
        if (round % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    // V8's young generation grows to its full size first; newer Node.js versions give it more.
    await run(4000);
    await settled();
    const before = process.memoryUsage().rss;
    await run(2000);
    await settled();
    const grown = process.memoryUsage().rss - before;
    assert.ok(grown < 32 * MB, `resident memory grew by ${grown} bytes`);
  });

  it('rewinding a conversation a thousand times does not add up', async () => {
    const stored = history(200);
    const run = (/** @type {number} */ rounds) => {
      for (let round = 0; round < rounds; round++) {
        cleanUp(stored.slice(0, 200 + 2 * (round % 100)));
        cleanUp([...stored.slice(0, 100), ...turn(round, Date.now())]);
      }
    };
    // What is kept for a conversation swings by a megabyte with its length; it has to have done so once.
    run(1000);
    await settled();
    const before = process.memoryUsage();
    run(1000);
    await settled();
    const after = process.memoryUsage();
    assert.ok(after.heapUsed - before.heapUsed < 2 * MB, `heap grew by ${after.heapUsed - before.heapUsed} bytes`);
    assert.ok(after.rss - before.rss < 32 * MB, `resident memory grew by ${after.rss - before.rss} bytes`);
  });
});
