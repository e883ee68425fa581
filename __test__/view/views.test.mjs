// @ts-check
/** `ContextViews`: many conversations with a view each. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { ContextView, ContextViews } from 'palimpsest';
import { START } from '../support/histories.mjs';
import { bashSession, play, turnsOnly } from '../support/view-sessions.mjs';

const HOUR = 3_600_000;

/** The garbage collector, also if Node.js was started without `--expose-gc`. */
function exposedGc() {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

describe('ContextViews', () => {
  test('ADAPTERS 3 interleaved conversations are sent as if each had a view of its own', () => {
    fc.assert(
      fc.property(fc.array(turnsOnly(20), { minLength: 2, maxLength: 4 }), (plans) => {
        const views = new ContextViews({ price: 'anthropic' });
        /** @type {[any[], number][][]} */
        const requests = plans.map((plan, index) => {
          /** @type {[any[], number][]} */
          const sent = [];
          play(plan, (stored, now) => {
            const own = stored.map((message, at) => (at === 1 ? { ...message, content: `Begin ${index}.` } : message));
            sent.push([own, now]);
          });
          return sent;
        });
        const ownViews = plans.map(() => new ContextView({ price: 'anthropic' }));
        for (let at = 0; at < 20; at++) {
          requests.forEach((sent, index) => {
            const request = sent[at];
            if (request === undefined) return;
            const [stored, now] = request;
            const expected = ownViews[index]?.project(stored, { now }).messages;
            assert.deepEqual(views.project(stored, { now }).messages, expected);
          });
        }
        assert.equal(views.size, plans.length);
      }),
      { numRuns: 30 },
    );
  });

  test('ADAPTERS 3 at most `maxViews` conversations are kept', () => {
    const views = new ContextViews({ maxViews: 8 });
    for (let index = 0; index < 100; index++) views.project(bashSession(2, `s${index}`), { now: START });
    assert.equal(views.size, 8);
  });

  test('ADAPTERS 3 a request that throws does not make its conversation the most recently used one', () => {
    const views = new ContextViews();
    const [first, second] = [bashSession(2, 'first'), bashSession(2, 'second')];
    views.project(first, { now: START });
    views.project(second, { now: START });
    const newest = [...views].at(-1);
    assert.throws(() => views.project(first, { now: Number.NaN }), { code: 'ERR_OUT_OF_RANGE' });
    assert.equal([...views].at(-1), newest);
    assert.notEqual(views.viewFor(first), newest);
    assert.equal(views.size, 2);
  });

  test('R15.4 with an archive a request needs `conversationId`, unless it is a side request or `sessionId` is set', () => {
    const archive = { append: async () => {} };
    const compression = { config: {}, llmClient: async () => '', archive };
    const options = /** @type {any} */ ({ price: 'anthropic', compression });
    const messages = [{ role: 'user', content: 'Begin.' }];
    const project = (/** @type {any} */ viewsOptions, /** @type {any} */ request) =>
      new ContextViews(viewsOptions).project(messages, request).messages.length;
    assert.throws(() => project(options, {}), {
      name: 'TypeError',
      message: /^options\.conversationId: expected .*archive/,
    });
    assert.equal(project(options, { conversationId: 'chat 7' }), 1);
    assert.equal(project(options, { side: true }), 1);
    assert.equal(project({ ...options, compression: { ...compression, sessionId: 'all' } }, {}), 1);
  });

  test('R0.3 a `conversationId` that is empty or no string is an error before anything changes; undefined and null are no name', async () => {
    const views = new ContextViews({ price: 'anthropic' });
    const messages = /** @type {any[]} */ ([{ role: 'user', content: 'Begin.' }]);
    const empty = {
      name: 'RangeError',
      code: 'ERR_OUT_OF_RANGE',
      message: 'options.conversationId: expected a string that is not empty, got an empty one',
    };
    const noString = (/** @type {string} */ actual) => ({
      name: 'TypeError',
      code: 'ERR_INVALID_ARG_TYPE',
      message: `options.conversationId: expected a string, got ${actual}`,
    });
    /** @type {[any, object][]} */
    const invalid = [
      ['', empty],
      [7, noString('a number')],
      // Only adapters have a request to call it with.
      [() => 'a', noString('a function')],
    ];
    for (const [conversationId, error] of invalid) {
      assert.throws(() => views.project(messages, { conversationId }), error);
      assert.throws(() => views.viewFor(messages, { conversationId }), error);
      assert.throws(() => views.lookupTool({ conversationId }), error);
      await assert.rejects(views.prepare(messages, { conversationId }), error);
      await assert.rejects(views.prepare(messages, { conversationId, side: true }), error);
    }
    assert.equal(views.size, 0);
    for (const conversationId of /** @type {any[]} */ ([undefined, null])) views.project(messages, { conversationId });
    assert.equal(views.size, 1);
  });

  test('ADAPTERS 3 messages of a dropped conversation are garbage-collected, and those of others are not', async () => {
    const collect = /** @type {() => void} */ (globalThis.gc ?? exposedGc());
    const views = new ContextViews({ price: 'anthropic', maxViews: 2 });
    const project = (/** @type {string} */ name) => {
      const messages = bashSession(20, name);
      views.project(messages, { now: START });
      views.project(messages, { now: START + HOUR });
      return new WeakRef(/** @type {object} */ (messages[3]));
    };
    const [first, second, third] = ['x', 'y', 'z'].map(project);
    for (let turn = 0; turn < 20 && first?.deref() !== undefined; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      collect();
    }
    assert.equal(first?.deref(), undefined);
    assert.ok(second?.deref() !== undefined && third?.deref() !== undefined);
    assert.equal(views.size, 2);
  });
});
