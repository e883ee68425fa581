// @ts-check
/** The picture of a view in use, which an application can show without a session file. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ContextView, contextPicture } from 'palimpsest';
import { exchange, MINUTE, START } from '../support/histories.mjs';

/** Reads of one file, one per minute; from the sixth on, the oldest are outdated. @param {number} count */
function reads(count) {
  const turns = Array.from({ length: count }, (_, index) => {
    const timestamp = START + index * MINUTE;
    const content = `line ${index} `.repeat(900);
    const [call, result] = exchange(`c${index}`, 'filesystem-read', { filePath: 'src/a.ts' }, content, { timestamp });
    return [{ ...call, timestamp }, result];
  });
  return [
    { role: 'system', content: 'You are an agent. '.repeat(1000), timestamp: START },
    { role: 'user', content: '看看 <img onerror=x>\nand more', timestamp: START },
    ...turns.flat(),
  ];
}

/** @returns {import('palimpsest').ContextViewOptions} */
const options = () => ({ fileReads: { projectRoot: '/p' }, price: 'anthropic', outdatedBy: 'age' });
const at = (/** @type {number} */ minutes) => ({ now: START + minutes * MINUTE });

describe('contextPicture', () => {
  it('R8.1 labels each message with its kind, its tool and the argument of the call', () => {
    const messages = reads(1);
    const { kinds, tools, threads } = contextPicture(new ContextView(options()), messages);
    const cells = threads[0]?.cells.map(({ kind, tool, label }) => [
      kinds[kind],
      tool === null ? null : tools[tool],
      label,
    ]);
    assert.deepEqual(cells?.slice(1), [
      ['user', null, '看看 <img onerror=x> and more'],
      ['call', 'filesystem-read', 'filesystem-read: src/a.ts'],
      ['result', 'filesystem-read', 'filesystem-read: src/a.ts'],
    ]);
  });

  it('R10.7 shows outdated results as pending while the cache is warm, and as replaced after a pause', () => {
    const view = new ContextView(options());
    view.project(reads(5), at(4.1));
    const messages = reads(6);
    view.project(messages, at(5.1));
    const longer = [...messages, ...reads(7).slice(-2)];
    view.project(longer, at(6.1));
    const pending = contextPicture(view, longer).threads[0]?.cells.filter(({ staleFrom }) => staleFrom !== null) ?? [];
    assert.deepEqual(
      pending.map(({ message, replacedFrom }) => [message, replacedFrom]),
      [
        [3, null],
        [5, null],
      ],
    );
    assert.deepEqual(
      view.plan(at(6.2)).pending.map(({ index }) => index),
      [3, 5],
    );
    const [warm] = contextPicture(view, longer).threads[0]?.requests ?? [];
    assert.ok(warm !== undefined && warm.cachedCells > 10 && warm.tokens === warm.tokensView);

    const later = [...longer, { role: 'user', content: 'Go on.', timestamp: at(120).now }];
    const { messages: sent } = view.project(later, at(120));
    const [thread] = contextPicture(view, later).threads;
    const replaced = thread?.cells.filter(({ replacedFrom }) => replacedFrom === 0) ?? [];
    assert.deepEqual(
      replaced.map(({ message, placeholder }) => [message, placeholder]),
      [3, 5].map((index) => [index, sent[index].content]),
    );
    assert.ok(
      replaced.every(({ rule, tokens, tokensReplaced }) => rule === 'fileReads' && Number(tokensReplaced) < tokens),
    );
    assert.equal(thread?.requests[0]?.cachedCells, 0);
  });

  it('R10.7 has the sums of its cells as figures, and never changes the view', () => {
    const numbers = fc.record({
      known: fc.integer({ min: 0, max: 9 }),
      shown: fc.integer({ min: 0, max: 9 }),
      minute: fc.nat(60),
    });
    fc.assert(
      fc.property(numbers, ({ known, shown, minute }) => {
        const view = new ContextView(options());
        if (known > 0) view.project(reads(known), at(minute));
        const [before, messages] = [JSON.stringify(view.export()), reads(shown)];
        const picture = contextPicture(view, messages);
        assert.equal(JSON.stringify(view.export()), before);
        const [thread] = picture.threads;
        const [request] = thread?.requests ?? [];
        assert.ok(thread !== undefined && request !== undefined);
        assert.equal(thread.cells.length, messages.length);
        const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
        assert.equal(request.tokens, sum(thread.cells.map(({ tokens }) => tokens)));
        const byKind = sum(request.tokensByKind);
        assert.ok(Math.abs(request.tokens - byKind) < 1e-6, `${request.tokens} ${byKind}`);
        assert.ok(request.tokensView <= request.tokens && request.cachedCells <= messages.length);
        assert.deepEqual(JSON.parse(JSON.stringify(picture)), picture);
      }),
      { numRuns: 30 },
    );
  });

  it('R0.3 shows invalid messages, also a proxy whose getter throws, and rejects a `view` that is no ContextView', () => {
    const invalid = [null, 5, { role: 'user' }, new Proxy({}, { get: () => assert.fail('not to be seen') })];
    const [thread] = contextPicture(new ContextView(), /** @type {any} */ (invalid)).threads;
    assert.equal(thread?.cells.length, invalid.length);
    for (const view of [null, {}, new Proxy(new ContextView(), {}), ContextView]) {
      assert.throws(() => contextPicture(/** @type {any} */ (view), []), {
        code: 'ERR_INVALID_ARG_TYPE',
        message: /^view: /,
      });
    }
    assert.throws(() => contextPicture(new ContextView(), /** @type {any} */ ('x')), { code: 'ERR_INVALID_ARG_TYPE' });
  });
});
