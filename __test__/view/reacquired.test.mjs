// @ts-check
/** What an agent fetched again after it had gone is counted, and where that happens often such results stay longer. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView, ContextViews } from 'palimpsest';
import native from '../../lib/native.js';
import { START } from '../support/histories.mjs';

/** Without a cache a result goes after three quarters of its age. */
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

/** After how many requests a read goes in a conversation that begins now. @param {ContextViews} views @param {string} task */
function goesAfter(views, task) {
  for (let requests = 1; requests < 40; requests++) {
    const calls = [read('src/new.ts'), ...Array.from({ length: requests - 1 }, () => wait)];
    const { sent } = play(views, calls, `${task} ${requests}`);
    if (sent.report.changed > 0) return requests - 1;
  }
  return Infinity;
}

describe('what was fetched again', () => {
  test('issue 22.9 the kinds of results that options name are those of the core, in its order', () => {
    assert.deepEqual(Object.keys(new ContextView().report().ages), native.resultKinds());
    assert.deepEqual(Object.values(new ContextView().report().ages), [30, 160, 60, 160, 60, 30, 60, 60]);
    assert.equal(new ContextView({ price: 'deepseek', ages: { web: 7 } }).report().ages.fileRead, 80);
    assert.equal(new ContextView({ price: 'deepseek', ages: { web: 7 } }).report().ages.web, 7);
  });

  test('issue 22.9 a read that comes again after the one before went is counted, and one that comes before it goes is not', () => {
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
    assert.deepEqual(
      [replaced.fileRead, reacquired.fileRead],
      [3, 1],
      'the second a.ts is outdated by the third, which was no loss',
    );
    assert.deepEqual([replaced.shellRun, reacquired.shellRun, reacquired.other], [0, 0, 0]);
    const again = new ContextView({ ...OPTIONS, memory: 'messages' });
    again.project(stored, { now: START + 20_000 });
    assert.deepEqual(again.report(), view.report(), 'played again it is the same');
    const imported = ContextView.import(view.export());
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
    assert.throws(() => new ContextViews({ learnAges: /** @type {any} */ ('yes') }), /options\.learnAges/);
  });
});

describe('what is learnt from it', () => {
  test('issue 22.9 conversations that begin later keep such results for half as long again, or twice as long', () => {
    const views = new ContextViews({ ...OPTIONS, memory: 'object' });
    assert.equal(goesAfter(views, 'before'), 3);
    play(views, rereading(3));
    assert.equal(views.report().ages.fileRead, 4, 'three are no sign');
    play(views, rereading(4), 'Another.');
    assert.equal(views.report().reacquired.fileRead, 7);
    assert.deepEqual([views.report().ages.fileRead, views.report().ages.search], [6, 4]);
    assert.equal(goesAfter(views, 'after'), 5, 'three quarters of six');
    play(views, rereading(9), 'A third.');
    play(views, rereading(9), 'A fourth.');
    assert.equal(views.report().ages.fileRead, 8);
  });

  test('issue 22.9 what runs again runs for what is new: nothing is learnt from that', () => {
    const views = new ContextViews({ ...OPTIONS, memory: 'object' });
    const runs = Array.from(
      { length: 9 },
      (_, at) => /** @type {[string, object]} */ (['bash', { command: `make ${at}` }]),
    );
    play(views, [...runs, ...pause, ...runs]);
    assert.equal(views.report().reacquired.shellRun, 9);
    assert.equal(views.report().ages.shellRun, 4);
  });

  test('issue 22.9 it is off where it is not asked for by messages alone, and where the host says so', () => {
    for (const given of [{}, { memory: 'object', learnAges: false }]) {
      const views = new ContextViews(/** @type {any} */ ({ ...OPTIONS, ...given }));
      play(views, rereading(9));
      const { reacquired, ages } = views.report();
      assert.deepEqual([reacquired.fileRead, ages.fileRead], [9, 4]);
      assert.equal(goesAfter(views, 'after'), 3);
    }
    const views = new ContextViews({ ...OPTIONS, learnAges: true });
    play(views, rereading(4));
    assert.equal(views.report().ages.fileRead, 6);
  });

  test('issue 22.9 a conversation keeps the ages that it began with, also in another process', () => {
    const views = new ContextViews({ ...OPTIONS, memory: 'object' });
    play(views, rereading(4));
    play(views, [read('src/new.ts')], 'A later one.');
    const [, later] = views;
    const state = /** @type {ContextView} */ (later).export();
    assert.deepEqual(state.options.ages, { fileRead: 6, search: 4, shellRun: 4 });
    assert.equal(ContextView.import(JSON.stringify(state)).report().ages.fileRead, 6);
    const [first] = views;
    assert.equal(/** @type {ContextView} */ (first).report().ages.fileRead, 4);
  });

  test('issue 22.9 what one process has learnt may be given to the next, and is not raised beyond its bound', () => {
    const views = new ContextViews({ price: 'none', memory: 'object', ages: { fileRead: 240 } });
    const next = new ContextViews({ price: 'none', ages: views.report().ages });
    assert.deepEqual(next.report().ages, views.report().ages);
  });

  test('issue 22.9 forgotten conversations count, and a branch does not count twice what it began with', () => {
    const few = new ContextViews({ ...OPTIONS, memory: 'object', maxViews: 1 });
    for (const task of ['One.', 'Two.']) play(few, rereading(2), task);
    assert.equal(few.report().reacquired.fileRead, 4);
    const views = new ContextViews({ ...OPTIONS, memory: 'object' });
    const { stored } = play(views, rereading(2));
    const branch = [...stored.slice(0, -4), { role: 'user', content: 'Another way.' }];
    views.project(branch, { now: START + 60_000 });
    assert.equal(views.size, 2);
    assert.equal(views.report().reacquired.fileRead, 2);
  });
});
