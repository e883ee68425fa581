// @ts-check
/** `report()` counts removed results that the agent fetched again with the same call. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView, ContextViews } from 'palimpsest';
import native from '../../lib/native.js';
import { exchange, START } from '../support/histories.mjs';

/** Without a cache a result is removed as soon as it is outdated. */
const OPTIONS = /** @type {const} */ ({ price: 'none', ages: { fileRead: 4, search: 4, shellRun: 4 } });
const TEXT = 'a line of the file\n'.repeat(150);

const read = (/** @type {string} */ file) => /** @type {[string, object]} */ (['Read', { file_path: file }]);
/** Five requests: enough to remove each result before them. */
const otherCalls = Array.from({ length: 5 }, () => /** @type {[string, object]} */ (['ask', {}]));

/** Sends a conversation request by request. @param {{ project: ContextView['project'] }} view @param {[string, object][]} calls @param {string} [task] */
function play(view, calls, task = 'Begin.') {
  /** @type {any[]} */ const stored = [{ role: 'user', content: task }];
  let sent = view.project(stored, { now: START });
  calls.forEach(([name, input], at) => {
    stored.push(...exchange(`call_${at}`, name, input, `${at}: ${TEXT}`));
    sent = view.project(stored, { now: START + 1_000 * (at + 1) });
  });
  return { stored, sent };
}

/** Calls that read each file again after the first result was removed. @param {number} files */
const rereading = (files) => {
  const reads = Array.from({ length: files }, (_, file) => read(`src/${file}.ts`));
  return [...reads, ...otherCalls, ...reads];
};

describe('reacquired results', () => {
  test('R14.3 `report().ages` has the core’s kinds of results in its order, with the default or given ages', () => {
    assert.deepEqual(Object.keys(new ContextView().report().ages), native.resultKinds());
    assert.deepEqual(Object.values(new ContextView().report().ages), [25, 120, 50, 120, 50, 25, 50, 50]);
    assert.equal(new ContextView({ price: 'deepseek', ages: { web: 7 } }).report().ages.fileRead, 120);
    assert.equal(new ContextView({ price: 'deepseek', ages: { web: 7 } }).report().ages.web, 7);
  });

  test('R14.4 a read is reacquired if the earlier one was removed, and not while that one is sent', () => {
    const view = new ContextView(OPTIONS);
    const { stored } = play(view, [
      read('a.ts'),
      read('b.ts'),
      ...otherCalls,
      read('a.ts'),
      read('a.ts'),
      ['Read', { path: 'c.ts' }],
    ]);
    const { replaced, reacquired } = view.report();
    assert.deepEqual([replaced.fileRead, reacquired.fileRead], [2, 1], 'the third a.ts repeats one that is still sent');
    assert.deepEqual([replaced.shellRun, reacquired.shellRun, reacquired.other], [0, 0, 0]);
    const newView = new ContextView(OPTIONS);
    newView.project(stored, { now: START + 20_000 });
    assert.deepEqual(newView.report(), view.report(), 'a new view reports the same');
    const imported = ContextView.import(view.export(), OPTIONS);
    imported.project(stored, { now: START + 20_000 });
    assert.deepEqual(imported.report(), view.report());
  });

  test('R14.4 a command or search is reacquired by the same arguments, in any order and with any description', () => {
    const view = new ContextView(OPTIONS);
    /** @type {[string, object][]} */
    const calls = [
      ['bash', { command: 'npm test' }],
      ['Grep', { pattern: 'a', path: 'src' }],
      ...otherCalls,
      ['bash', { command: 'npm test', description: 'Tests' }],
      ['Grep', { path: 'src', pattern: 'a' }],
      ['Grep', { path: 'lib', pattern: 'a' }],
    ];
    play(view, calls);
    const { reacquired } = view.report();
    assert.deepEqual([reacquired.shellRun, reacquired.search, reacquired.fileRead], [1, 1, 0]);
  });

  test('R14.4 a new view reports no removed and no reacquired results', () => {
    const { replaced, reacquired } = new ContextView().report();
    assert.ok([...Object.values(replaced), ...Object.values(reacquired)].every((count) => count === 0));
    assert.deepEqual(new ContextViews().report(), new ContextView().report());
  });

  test('R0.3 `ages` with an unknown kind, or a value that is no positive whole number, is rejected', () => {
    for (const ages of [{ reads: 3 }, { fileRead: 0 }, { fileRead: 1.5 }, { fileRead: 1e9 }, { fileRead: '3' }, 3]) {
      assert.throws(() => new ContextView({ ages: /** @type {any} */ (ages) }), /options\.ages/, JSON.stringify(ages));
    }
  });

  test('R14.4 dropped conversations count, and a branch does not count its shared beginning twice', () => {
    const oneView = new ContextViews({ ...OPTIONS, maxViews: 1 });
    for (const task of ['One.', 'Two.']) play(oneView, rereading(2), task);
    assert.equal(oneView.report().reacquired.fileRead, 4);
    const views = new ContextViews(OPTIONS);
    const { stored } = play(views, rereading(2));
    const branch = [...stored.slice(0, -4), { role: 'user', content: 'Another way.' }];
    views.project(branch, { now: START + 60_000 });
    assert.equal(views.size, 2);
    assert.equal(views.report().reacquired.fileRead, 2);
  });
});
