// @ts-check
/** `ArchivingSession` of `palimpsest/openai-agents`: a session of the Agents SDK that compacts itself into an archive. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { SessionArchive } from 'palimpsest';
import { ArchivingSession } from 'palimpsest/openai-agents';
import { runnerWith, scripted, turn, userMessage } from '../support/adapters/openai-agents.mjs';
import { problemsIn } from '../support/providers/openai-agents.mjs';

const SUMMARY = ['目标: go on', '决定: none', '已完成: all', '未完成: nothing', '文件: a.ts', '失败: none'].join('\n');
const config = { autoCompressionSummaryModel: 'small', autoCompressionKeepRecentCount: 4, maxContextTokens: 12_000 };
const llmClient = async () => SUMMARY;

/** @type {string} */
let folder;
/** @type {SessionArchive} */
let archive;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-session-'));
  archive = new SessionArchive(join(folder, 'history.db'));
});
afterEach(async () => {
  await archive.close();
  rmSync(folder, { recursive: true });
});

/** @param {object} [options] */
const sessionWith = (options) =>
  new ArchivingSession({ sessionId: 'one', archive, compression: { config, llmClient }, ...options });

/** Six items for each turn. @param {number} turns @returns {any[]} */
const historyOf = (turns) =>
  Array.from({ length: turns }, (_, at) => [userMessage(`Question ${at}`), ...turn('one', at)]).flat();

describe('palimpsest/openai-agents: ArchivingSession', () => {
  test('R7.8 runCompaction moves items to the archive, and getAllItems returns all of them, also in another process', async () => {
    const session = sessionWith();
    const items = historyOf(12);
    await session.addItems(items);
    assert.deepEqual(await session.getItems(), items);
    assert.equal(await session.runCompaction(), null);
    const visible = /** @type {any[]} */ (await session.getItems());
    assert.ok(visible.length < items.length / 2, `${visible.length} of ${items.length}`);
    assert.deepEqual(problemsIn(visible), []);
    assert.ok(visible.every((item) => !('compression' in item) && !('isCompressed' in item)));
    assert.ok(JSON.stringify(visible[0]).includes('go on'));
    assert.deepEqual(await session.getAllItems(), items);
    const { batches } = await archive.restore('one');
    assert.ok(batches.length > 0);
    const exported = JSON.parse(JSON.stringify(await session.exportItems()));
    assert.ok(!JSON.stringify(exported).includes('one 0: ok'), 'archived items are not exported');
    const imported = sessionWith({ initialItems: exported });
    assert.deepEqual(await imported.getItems(), visible);
    assert.deepEqual(await imported.getAllItems(), items);
  });

  test('R15.3 getAllItems returns all items while the archive fails, and after it works again', async () => {
    let isBroken = true;
    const failingArchive = {
      append: (/** @type {any} */ name, /** @type {any} */ batch) =>
        isBroken ? Promise.reject(new Error('disk full')) : archive.append(name, batch),
      get: (/** @type {string} */ name, /** @type {string} */ id) => archive.get(name, id),
      delete: (/** @type {string} */ name) => archive.delete(name),
    };
    const session = sessionWith({ archive: failingArchive });
    const items = historyOf(12);
    await session.addItems(items);
    await session.runCompaction();
    assert.deepEqual(await session.getAllItems(), items);
    assert.ok(JSON.stringify(await session.exportItems()).includes('one 0: ok'), 'unarchived items are exported');
    isBroken = false;
    const laterItems = historyOf(24).slice(items.length);
    await session.addItems(laterItems);
    await session.runCompaction();
    assert.deepEqual(await session.getAllItems(), [...items, ...laterItems]);
    assert.ok(
      !JSON.stringify(await session.exportItems()).includes('one 0: ok'),
      'they are archived by the next compaction',
    );
  });

  test('R7.1 a failing summary model changes nothing below the hard limit, and runCompaction does not reject', async () => {
    const largeWindow = { ...config, maxContextTokens: 30_000 };
    const failingClient = async () => {
      throw new Error('overloaded');
    };
    const session = sessionWith({ compression: { config: largeWindow, llmClient: failingClient } });
    const items = historyOf(10);
    await session.addItems(items);
    await session.runCompaction();
    assert.deepEqual(await session.getItems(), items);
  });

  test('popItem removes the newest item, also from the archive, and getItems(n) returns the newest n', async () => {
    const session = sessionWith();
    const items = historyOf(12);
    await session.addItems(items);
    await session.runCompaction({ force: true });
    assert.deepEqual(await session.getItems(2), items.slice(-2));
    assert.deepEqual(await session.getItems(0), []);
    assert.deepEqual(await session.getItems(-1), []);
    const popped = [];
    for (let item = await session.popItem(); item !== undefined; item = await session.popItem()) popped.unshift(item);
    assert.deepEqual(popped, items);
    assert.equal(await session.popItem(), undefined);
    assert.deepEqual(await session.getItems(), []);
  });

  test('clearSession deletes the archived items of its own session and of no other', async () => {
    const [one, two] = [sessionWith(), sessionWith({ sessionId: 'two' })];
    for (const filled of [one, two]) {
      await filled.addItems(historyOf(12));
      await filled.runCompaction();
    }
    await one.clearSession();
    assert.deepEqual(await one.getAllItems(), []);
    assert.deepEqual((await archive.restore('one')).batches, []);
    assert.deepEqual(await two.getAllItems(), historyOf(12));
    assert.equal(await two.getSessionId(), 'two');
  });

  test('changing an item after addItems or getItems does not change the session', async () => {
    const session = sessionWith();
    const items = historyOf(1);
    await session.addItems(items);
    items[0].content = 'changed';
    /** @type {any} */ ((await session.getItems())[0]).content = 'changed';
    assert.equal(/** @type {any} */ (await session.getItems())[0].content, 'Question 0');
  });

  test('after random calls of addItems, popItem and runCompaction, getAllItems returns the added items that were not popped', async () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 4 }) }),
      fc.constant({ pop: true }),
      fc.record({ compress: fc.boolean() }),
    );
    let sessions = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const session = sessionWith({ sessionId: `random-${sessions++}` });
      /** @type {any[]} */
      const expected = [];
      let turns = 0;
      for (const each of steps) {
        if ('add' in each) {
          const items = historyOf(turns + each.add).slice(turns * 6);
          turns += each.add;
          expected.push(...items);
          await session.addItems(items);
        } else if ('pop' in each) assert.deepEqual(await session.popItem(), expected.pop());
        else await session.runCompaction({ force: each.compress });
      }
      assert.deepEqual(await session.getAllItems(), expected);
    });
    await fc.assert(property, { numRuns: 15 });
  });

  test('the runner compacts the session after a turn, and a second run works with the compacted session', async () => {
    const session = sessionWith();
    const first = scripted('one', { steps: 10 });
    const runner = runnerWith({});
    await runner.run(first.agent, 'Find the mistake.', { session, maxTurns: 20 });
    const second = scripted('one', { steps: 0 });
    await runner.run(second.agent, 'And now?', { session });
    assert.deepEqual([...first.problems, ...second.problems], []);
    assert.ok(/** @type {any[]} */ (second.inputs[0]).length < 30);
    const all = /** @type {any[]} */ (await session.getAllItems());
    assert.equal(all[0].content, 'Find the mistake.');
    assert.equal(all.filter(({ type }) => type === 'function_call_result').length, 20);
    assert.equal(all.at(-2).content, 'And now?');
  });

  test('R0.3 invalid options are a TypeError of the constructor', () => {
    const invalidType = { code: 'ERR_INVALID_ARG_TYPE' };
    assert.throws(() => sessionWith({ archive: {} }), invalidType);
    assert.throws(() => sessionWith({ sessionId: undefined }), invalidType);
    assert.throws(() => sessionWith({ compression: undefined }), invalidType);
    assert.throws(() => sessionWith({ initialItems: 'text' }), invalidType);
    assert.throws(() => new ArchivingSession(/** @type {any} */ (undefined)), invalidType);
  });
});
