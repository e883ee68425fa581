// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ContextView, ContextViews } from 'palimpsest';
import { middleware, prepareParams } from 'palimpsest/anthropic';
import { firstMessage, PARAMS, replacedIn, turn } from '../support/adapters/anthropic.mjs';
import { problemsIn } from '../support/providers/anthropic.mjs';

const START = Date.UTC(2026, 9, 1);
const MINUTE = 60_000;
const mark = /** @type {const} */ ({ type: 'ephemeral' });
const hour = /** @type {const} */ ({ type: 'ephemeral', ttl: '1h' });

/** @param {number} steps @returns {any[]} */
function session(steps) {
  const messages = firstMessage('one');
  for (let step = 0; step < steps; step++) messages.push(...turn('one', step));
  return messages;
}

/** Each mark of a request, in the order in which the API reads them. @param {any} params @returns {any[]} */
function marksIn(params) {
  /** @type {any[]} */
  const marks = [];
  const look = (/** @type {any} */ block) => {
    if (block?.cache_control) marks.push(block.cache_control);
    for (const inner of Array.isArray(block?.content) ? block.content : []) look(inner);
  };
  for (const list of [params.tools, params.system, params.messages]) if (Array.isArray(list)) list.forEach(look);
  if (params.cache_control) marks.push(params.cache_control);
  return marks;
}

/** The API takes four, and none for an hour behind one for less. @param {any} params */
function assertMarks(params) {
  const marks = marksIn(params);
  assert.ok(marks.length <= 4, `${marks.length} marks`);
  const short = marks.findIndex(({ ttl }) => ttl !== '1h');
  assert.ok(short < 0 || marks.slice(short).every(({ ttl }) => ttl !== '1h'), JSON.stringify(marks));
}

describe('palimpsest/anthropic: prepareParams', () => {
  test('R0.1 new parameters have the messages that the view projects, and the given ones are unchanged', async () => {
    const ages = { shellRun: 5, fileRead: 5 };
    const view = new ContextView({ price: 'anthropic', ages });
    const same = new ContextView({ price: 'anthropic', ages });
    const messages = session(30);
    const params = { ...PARAMS, messages, tools: [] };
    const before = JSON.stringify(params);
    const earlier = messages.slice(0, -2);
    await prepareParams({ ...params, messages: earlier }, { view, now: START });
    same.project(earlier, { now: START });
    const prepared = await prepareParams(params, { view, now: START + 30 * MINUTE });
    assert.equal(JSON.stringify(params), before);
    assert.ok(replacedIn(prepared).length > 30);
    assert.deepEqual(prepared, { ...params, messages: same.project(messages, { now: START + 30 * MINUTE }).messages });
    assert.equal(prepared.tools, params.tools);
  });

  test('R10.12 without a view the conversation is found by its beginning, and is prepared as by one that saw every request', async () => {
    const alone = new ContextViews({ price: 'anthropic' });
    for (const steps of [20, 319, 320]) {
      const other = await prepareParams({ ...PARAMS, messages: firstMessage('other') }, { now: START });
      assert.deepEqual(other.messages, firstMessage('other'));
      const messages = session(steps);
      const prepared = await prepareParams({ ...PARAMS, messages }, { now: START });
      const expected = await prepareParams({ ...PARAMS, messages }, { view: alone, now: START });
      assert.deepEqual(prepared, expected);
      assert.equal(replacedIn(prepared).length > 200, steps > 20);
    }
  });

  test('R10.8 cacheControl sets the breakpoints of the view with the given lifetime', async () => {
    const messages = session(12);
    for (const [cacheControl, expected] of /** @type {const} */ ([
      [true, mark],
      ['5m', mark],
      ['1h', hour],
    ])) {
      const view = new ContextView();
      const prepared = await prepareParams({ ...PARAMS, messages }, { view, cacheControl });
      const places = prepared.messages.flatMap((message, at) =>
        marksIn({ messages: [message] }).length > 0 ? [at] : [],
      );
      assert.deepEqual(places, view.breakpoints());
      assert.ok(places.includes(messages.length - 1));
      assert.ok(marksIn(prepared).every((each) => each.ttl === expected.ttl));
      assert.deepEqual(problemsIn(prepared.messages), []);
      assert.equal(prepared.system, PARAMS.system);
    }
    assert.deepEqual(marksIn(await prepareParams({ ...PARAMS, messages }, { view: new ContextView() })), []);
  });

  test("ADAPTERS 9 the application's breakpoints stay; with ours they are at most four, and none of an hour follows a shorter one", async () => {
    const marks = fc.option(fc.constantFrom(mark, hour), { nil: undefined, freq: 2 });
    const property = fc.asyncProperty(
      fc.array(marks, { minLength: 3, maxLength: 3 }),
      fc.array(fc.tuple(fc.nat(24), fc.constantFrom(mark, hour)), { maxLength: 2 }),
      fc.constantFrom(/** @type {const} */ (true), /** @type {const} */ ('1h')),
      async ([tool, system, whole], placed, cacheControl) => {
        const messages = structuredClone(session(12));
        for (const [at, control] of placed) {
          const { content } = messages[at] ?? {};
          if (Array.isArray(content)) content.at(-1).cache_control = control;
        }
        const params = {
          ...PARAMS,
          messages,
          tools: [{ name: 'Read', input_schema: {}, ...(tool && { cache_control: tool }) }],
          system: [{ type: 'text', text: 'You are an agent.', ...(system && { cache_control: system }) }],
          ...(whole && { cache_control: whole }),
        };
        const own = marksIn(params);
        const isRefused = own.findIndex(({ ttl }) => ttl !== '1h') < own.findLastIndex(({ ttl }) => ttl === '1h');
        // An application that is refused without us stays refused.
        fc.pre(own.length <= 4 && (!isRefused || own.every(({ ttl }) => ttl === '1h')));
        const prepared = await prepareParams(params, { view: new ContextView(), cacheControl });
        assert.deepEqual(prepared.tools, params.tools);
        assert.deepEqual(prepared.system, params.system);
        assertMarks(prepared);
        for (const [at] of placed) assert.deepEqual(prepared.messages[at], messages[at]);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  test('R10.8 a thinking block gets no breakpoint', async () => {
    const messages = /** @type {any[]} */ ([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'abc' }] },
    ]);
    const prepared = await prepareParams({ ...PARAMS, messages }, { view: new ContextView(), cacheControl: true });
    assert.deepEqual(prepared.messages[1], messages[1]);
    assert.deepEqual(problemsIn(prepared.messages), []);
  });

  test('ADAPTERS 11 a thread is rejected, and so are invalid arguments', async () => {
    const messages = firstMessage('one');
    const threaded = { ...PARAMS, messages, thread: { type: 'create' } };
    await assert.rejects(prepareParams(threaded), { code: 'ERR_OUT_OF_RANGE', message: /params\.thread/ });
    await prepareParams({ ...threaded, thread: false });
    for (const [params, options] of /** @type {any[]} */ ([
      [undefined],
      [{}],
      [{ messages: 'text' }],
      [{ messages }, { view: {} }],
      [{ messages }, { cacheControl: 5 }],
      [{ messages }, { signal: {} }],
      [{ messages }, 'fast'],
    ])) {
      await assert.rejects(prepareParams(params, options), { code: 'ERR_INVALID_ARG_TYPE' });
    }
    await assert.rejects(prepareParams({ messages }, /** @type {any} */ ({ cacheControl: '2h' })), {
      code: 'ERR_OUT_OF_RANGE',
    });
    assert.throws(() => middleware(/** @type {any} */ ({ cacheControl: '2h' })), { code: 'ERR_OUT_OF_RANGE' });
    assert.throws(() => middleware(/** @type {any} */ ({ price: 'cheap' })), { code: 'ERR_OUT_OF_RANGE' });
    assert.throws(() => middleware(/** @type {any} */ ({ maxViews: 0 })), { code: 'ERR_OUT_OF_RANGE' });
  });

  test("an aborted signal's reason is thrown", async () => {
    const reason = new Error('enough');
    await assert.rejects(
      prepareParams({ ...PARAMS, messages: firstMessage('one') }, { signal: AbortSignal.abort(reason) }),
      reason,
    );
  });

  test('a ContextViews has a view for each conversation', async () => {
    const view = new ContextViews();
    for (const name of ['one', 'two']) await prepareParams({ ...PARAMS, messages: firstMessage(name) }, { view });
    assert.equal(view.size, 2);
  });
});
