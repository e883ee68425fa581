// @ts-check
/** What an agent fetched again after it was removed is counted. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView, ContextViews } from 'palimpsest';
import native from '../../lib/native.js';
import { START } from '../support/histories.mjs';

/** Without a cache a result is removed as soon as it is outdated. */
const OPTIONS = /** @type {const} */ ({ price: 'none', ages: { fileRead: 4, search: 4, shellRun: 4 } });
const SIZE = 'a line of what the file holds\n'.repeat(100);

/** @param {string} name @param {object} input @param {number} at */
function exchange(name, input, at) {
  const call = { id: `call_${at}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return [
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: `call_${at}`, content: `${at}: ${SIZE}` },
  ];
}

const read = (/** @type {string} */ file) => /** @type {[string, object]} */ (['Read', { file_path: file }]);
const wait = /** @type {[string, object]} */ (['ask', {}]);
/** As many requests as a result of these stays, and two more. */
const pause = Array.from({ length: 5 }, () => wait);

/** Sends a conversation request by request. @param {{ project: ContextView['project'] }} view @param {[string, object][]} calls @param {string} [task] */
function play(view, calls, task = 'Begin.') {
  /** @type {any[]} */ const stored = [{ role: 'user', content: task }];
  let sent = view.project(stored, { now: START });
  calls.forEach(([name, input], at) => {
    stored.push(...exchange(name, input, at));
    sent = view.project(stored, { now: START + 1_000 * (at + 1) });
  });
  return { stored, sent };
}

/** A conversation in which every one of so many files is read again after it went. @param {number} files */
const rereading = (files) => {
  const reads = Array.from({ length: files }, (_, file) => read(`src/${file}.ts`));
  return [...reads, ...pause, ...reads];
};

describe('what was fetched again', () => {
  test('issue 22.9 the kinds of results that options name are those of the core, in its order', () => {
    assert.deepEqual(Object.keys(new ContextView().report().ages), native.resultKinds());
    assert.deepEqual(Object.values(new ContextView().report().ages), [25, 120, 50, 120, 50, 25, 50, 50]);
    assert.equal(new ContextView({ price: 'deepseek', ages: { web: 7 } }).report().ages.fileRead, 120);
    assert.equal(new ContextView({ price: 'deepseek', ages: { web: 7 } }).report().ages.web, 7);
  });

  test('issue 22.9 a read is fetched again if the earlier one was removed, and not while that one is sent', () => {
    const view = new ContextView(OPTIONS);
    const { stored } = play(view, [
      read('a.ts'),
      read('b.ts'),
      ...pause,
      read('a.ts'),
      read('a.ts'),
      ['Read', { path: 'c.ts' }],
    ]);
    const { replaced, reacquired } = view.report();
    assert.deepEqual([replaced.fileRead, reacquired.fileRead], [2, 1], 'the third a.ts repeats one that is still sent');
    assert.deepEqual([replaced.shellRun, reacquired.shellRun, reacquired.other], [0, 0, 0]);
    const again = new ContextView(OPTIONS);
    again.project(stored, { now: START + 20_000 });
    assert.deepEqual(again.report(), view.report(), 'played again it is the same');
    const imported = ContextView.import(view.export(), OPTIONS);
    imported.project(stored, { now: START + 20_000 });
    assert.deepEqual(imported.report(), view.report());
  });

  test('issue 22.9 commands and searches are told by all that they ask for', () => {
    const view = new ContextView(OPTIONS);
    /** @type {[string, object][]} */
    const calls = [
      ['bash', { command: 'npm test' }],
      ['Grep', { pattern: 'a', path: 'src' }],
      ...pause,
      ['bash', { command: 'npm test', description: 'Tests' }],
      ['Grep', { path: 'src', pattern: 'a' }],
      ['Grep', { path: 'lib', pattern: 'a' }],
    ];
    play(view, calls);
    const { reacquired } = view.report();
    assert.deepEqual([reacquired.shellRun, reacquired.search, reacquired.fileRead], [1, 1, 0]);
  });

  test('issue 22.9 nothing has gone and nothing was asked: there is nothing to report', () => {
    const { replaced, reacquired } = new ContextView().report();
    assert.ok([...Object.values(replaced), ...Object.values(reacquired)].every((count) => count === 0));
    assert.deepEqual(new ContextViews().report(), new ContextView().report());
  });

  test('issue 22.9 ages are whole numbers of requests, of kinds that there are', () => {
    for (const ages of [{ reads: 3 }, { fileRead: 0 }, { fileRead: 1.5 }, { fileRead: 1e9 }, { fileRead: '3' }, 3]) {
      assert.throws(() => new ContextView({ ages: /** @type {any} */ (ages) }), /options\.ages/, JSON.stringify(ages));
    }
  });

  test('issue 22.9 forgotten conversations count, and a branch does not count twice what it began with', () => {
    const few = new ContextViews({ ...OPTIONS, maxViews: 1 });
    for (const task of ['One.', 'Two.']) play(few, rereading(2), task);
    assert.equal(few.report().reacquired.fileRead, 4);
    const views = new ContextViews(OPTIONS);
    const { stored } = play(views, rereading(2));
    const branch = [...stored.slice(0, -4), { role: 'user', content: 'Another way.' }];
    views.project(branch, { now: START + 60_000 });
    assert.equal(views.size, 2);
    assert.equal(views.report().reacquired.fileRead, 2);
  });
});
