// @ts-check
/** The picture of a live view: what a host shows of its agent without a session file. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ContextView, contextPicture } from 'palimpsest';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

/** A read of a file a minute; the file's oldest reads are outdated from the sixth on. @param {number} count */
function reads(count) {
  const turns = Array.from({ length: count }, (_, index) => {
    const timestamp = START + index * MINUTE;
    const given = JSON.stringify({ filePath: 'src/a.ts' });
    const call = { id: `c${index}`, type: 'function', function: { name: 'filesystem-read', arguments: given } };
    return [
      { role: 'assistant', content: null, tool_calls: [call], timestamp },
      { role: 'tool', tool_call_id: `c${index}`, content: `line ${index} `.repeat(900), timestamp },
    ];
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
  it('R8.1 names each message by its kind, its tool and what that was called with', () => {
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

  it('R10.7 shows what is outdated as pending while the cache is warm, and as replaced behind a pause', () => {
    const view = new ContextView(options());
    view.project(reads(5), at(4.1));
    const messages = reads(6);
    view.project(messages, at(5.1));
    const more = [...messages, ...reads(7).slice(-2)];
    view.project(more, at(6.1));
    const waiting = contextPicture(view, more).threads[0]?.cells.filter(({ staleFrom }) => staleFrom !== null) ?? [];
    assert.deepEqual(
      waiting.map(({ message, replacedFrom }) => [message, replacedFrom]),
      [
        [3, null],
        [5, null],
      ],
    );
    assert.deepEqual(
      view.plan(at(6.2)).pending.map(({ index }) => index),
      [3, 5],
    );
    const [warm] = contextPicture(view, more).threads[0]?.requests ?? [];
    assert.ok(warm !== undefined && warm.cachedCells > 10 && warm.tokens === warm.tokensView);

    const later = [...more, { role: 'user', content: 'Go on.', timestamp: at(120).now }];
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

  it('R10.7 gives the sums of its cells, and changes nothing, whatever came before', () => {
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

  it('shows odd messages and hostile ones, and refuses what is no view before it looks at them', () => {
    const odd = [null, 5, { role: 'user' }, new Proxy({}, { get: () => assert.fail('not to be seen') })];
    const [thread] = contextPicture(new ContextView(), /** @type {any} */ (odd)).threads;
    assert.equal(thread?.cells.length, odd.length);
    for (const view of [null, {}, new Proxy(new ContextView(), {}), ContextView]) {
      assert.throws(() => contextPicture(/** @type {any} */ (view), []), {
        code: 'ERR_INVALID_ARG_TYPE',
        message: /^view: /,
      });
    }
    assert.throws(() => contextPicture(new ContextView(), /** @type {any} */ ('x')), { code: 'ERR_INVALID_ARG_TYPE' });
  });
});
