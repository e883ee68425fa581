// @ts-check
/** `prepareParams` of `palimpsest/anthropic`: parameters for applications that call the API without the middleware. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ContextView, ContextViews } from 'palimpsest';
import { middleware, prepareParams } from 'palimpsest/anthropic';
import { firstMessage, PARAMS, replacedIn, turn } from '../support/adapters/anthropic.mjs';
import { problemsIn } from '../support/providers/anthropic.mjs';

const START = Date.UTC(2026, 9, 1);
const MINUTE = 60_000;
const SHORT = /** @type {const} */ ({ type: 'ephemeral' });
const HOUR = /** @type {const} */ ({ type: 'ephemeral', ttl: '1h' });

/** @param {number} steps @returns {any[]} */
function session(steps) {
  const messages = firstMessage('one');
  for (let step = 0; step < steps; step++) messages.push(...turn('one', step));
  return messages;
}

/** The breakpoints of a request, in the API's order. @param {any} params @returns {any[]} */
function breakpointsIn(params) {
  /** @type {any[]} */
  const breakpoints = [];
  const collect = (/** @type {any} */ block) => {
    if (block?.cache_control) breakpoints.push(block.cache_control);
    for (const inner of Array.isArray(block?.content) ? block.content : []) collect(inner);
  };
  for (const list of [params.tools, params.system, params.messages]) if (Array.isArray(list)) list.forEach(collect);
  if (params.cache_control) breakpoints.push(params.cache_control);
  return breakpoints;
}

/** The API accepts four, and none of an hour after a shorter one. @param {any} params */
function assertValidBreakpoints(params) {
  const breakpoints = breakpointsIn(params);
  assert.ok(breakpoints.length <= 4, `${breakpoints.length} breakpoints`);
  const lifetimes = breakpoints.map(({ ttl }) => ttl);
  const firstShort = lifetimes.findIndex((ttl) => ttl !== '1h');
  assert.ok(firstShort < 0 || lifetimes.lastIndexOf('1h') < firstShort, lifetimes.join());
}

describe('palimpsest/anthropic: prepareParams', () => {
  test('R0.1 new parameters have the messages that the view projects, and the given ones are unchanged', async () => {
    const ages = { shellRun: 5, fileRead: 5 };
    const view = new ContextView({ price: 'anthropic', ages });
    const sameView = new ContextView({ price: 'anthropic', ages });
    const messages = session(30);
    const params = { ...PARAMS, messages, tools: [] };
    const before = JSON.stringify(params);
    const earlier = messages.slice(0, -2);
    await prepareParams({ ...params, messages: earlier }, { view, now: START });
    sameView.project(earlier, { now: START });
    const prepared = await prepareParams(params, { view, now: START + 30 * MINUTE });
    assert.equal(JSON.stringify(params), before);
    assert.ok(replacedIn(prepared).length > 30);
    assert.deepEqual(prepared, {
      ...params,
      messages: sameView.project(messages, { now: START + 30 * MINUTE }).messages,
    });
    assert.equal(prepared.tools, params.tools);
  });

  test('R10.12 without a view the conversation is found by its beginning, and is prepared as by one that saw every request', async () => {
    const views = new ContextViews({ price: 'anthropic' });
    for (const steps of [20, 319, 320]) {
      const other = await prepareParams({ ...PARAMS, messages: firstMessage('other') }, { now: START });
      assert.deepEqual(other.messages, firstMessage('other'));
      const messages = session(steps);
      const prepared = await prepareParams({ ...PARAMS, messages }, { now: START });
      const expected = await prepareParams({ ...PARAMS, messages }, { view: views, now: START });
      assert.deepEqual(prepared, expected);
      assert.equal(replacedIn(prepared).length > 200, steps > 20);
    }
  });

  test('R10.8 cacheControl sets the breakpoints of the view with the given lifetime', async () => {
    const messages = session(12);
    for (const [cacheControl, expected] of /** @type {const} */ ([
      [true, SHORT],
      ['5m', SHORT],
      ['1h', HOUR],
    ])) {
      const view = new ContextView();
      const prepared = await prepareParams({ ...PARAMS, messages }, { view, cacheControl });
      const places = prepared.messages.flatMap((message, at) =>
        breakpointsIn({ messages: [message] }).length > 0 ? [at] : [],
      );
      assert.deepEqual(places, view.breakpoints());
      assert.ok(places.includes(messages.length - 1));
      assert.ok(breakpointsIn(prepared).every((breakpoint) => breakpoint.ttl === expected.ttl));
      assert.deepEqual(problemsIn(prepared.messages), []);
      assert.equal(prepared.system, PARAMS.system);
    }
    assert.deepEqual(breakpointsIn(await prepareParams({ ...PARAMS, messages }, { view: new ContextView() })), []);
  });

  test("ADAPTERS 9 the application's breakpoints stay; with ours they are at most four, and none of an hour follows a shorter one", async () => {
    const ownBreakpoint = fc.option(fc.constantFrom(SHORT, HOUR), { nil: undefined, freq: 2 });
    const property = fc.asyncProperty(
      fc.array(ownBreakpoint, { minLength: 3, maxLength: 3 }),
      fc.array(fc.tuple(fc.nat(24), fc.constantFrom(SHORT, HOUR)), { maxLength: 2 }),
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
        const own = breakpointsIn(params);
        const isRefused = own.findIndex(({ ttl }) => ttl !== '1h') < own.findLastIndex(({ ttl }) => ttl === '1h');
        // Requests that the API refuses already without ours are left out.
        fc.pre(own.length <= 4 && (!isRefused || own.every(({ ttl }) => ttl === '1h')));
        const prepared = await prepareParams(params, { view: new ContextView(), cacheControl });
        assert.deepEqual(prepared.tools, params.tools);
        assert.deepEqual(prepared.system, params.system);
        assertValidBreakpoints(prepared);
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
    for (const view of [undefined, new ContextView(), new ContextViews()]) {
      await assert.rejects(prepareParams({ messages }, { view, conversationId: '' }), {
        code: 'ERR_OUT_OF_RANGE',
        message: /^options\.conversationId: /,
      });
    }
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
    const views = new ContextViews();
    for (const name of ['one', 'two'])
      await prepareParams({ ...PARAMS, messages: firstMessage(name) }, { view: views });
    assert.equal(views.size, 2);
  });
});
