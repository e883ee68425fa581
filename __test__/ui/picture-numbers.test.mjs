// @ts-check
/** The figures behind `<context-map>`, without a browser: windows, rows, colours, names. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { legible } from '../../ui/base/safe-text.js';
import { cumulative } from '../../ui/chart/costs.js';
import { cellName, ThreadCells } from '../../ui/map/cells.js';
import { capacityOf, eachPiece, largestPiece, layoutOf, offsetAt, placeAt } from '../../ui/map/layout.js';
import { SLOTS, TINTS } from '../../ui/picture/palette.js';
import { readPicture } from '../../ui/picture/read-picture.js';
import { CLEARED, FIXED, PENDING, REPLACED, requestCellsOf, WHOLE } from '../../ui/picture/request-cells.js';
import { WORDS } from '../../ui/picture/words.js';
import { leastDistance } from '../support/colour-vision.mjs';
import { samplePicture } from '../support/pictures.mjs';

const tokens = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30_000 })), { minLength: 1, maxLength: 60 });

/** @param {number[]} sizes */
const startsOf = (sizes) => Float64Array.from([0, .../** @type {number[]} */ (cumulative(sizes))]);

/** @template T @param {ArrayLike<T>} list */
const last = (list) => list[list.length - 1];

describe('the cells of a request', () => {
  const picture = samplePicture({ messages: 200, requests: 40 });
  const [thread] = picture.threads;

  it('has the fixed part, then the cells that the request sends, in order and with their tokens', () => {
    thread.requests.forEach((request, place) => {
      const { indexes, starts, total } = requestCellsOf(thread, place, 'sent', 'view');
      assert.equal(total.sent, request.tokensView);
      assert.equal(total.stored, request.tokens);
      assert.equal(last(starts), request.tokensView);
      assert.equal(indexes[0], FIXED);
      assert.deepEqual(
        [...indexes.slice(1)],
        request.prompt.flatMap(([from, to]) => Array.from({ length: to - from }, (_, at) => from + at)),
      );
    });
  });

  it('has a cell pending from the request where it is outdated, and replaced from the first that sends the placeholder', () => {
    const cell = thread.cells.findIndex(
      ({ staleFrom, replacedFrom }) =>
        staleFrom !== null && replacedFrom !== null && staleFrom < replacedFrom && replacedFrom < 28,
    );
    const { staleFrom, replacedFrom, tokens: stored } = /** @type {any} */ (thread.cells[cell]);
    const stateAt = (request) => {
      const { indexes, states, starts } = requestCellsOf(thread, request, 'sent', 'view');
      const place = indexes.indexOf(cell);
      return [states[place], starts[place + 1] - starts[place]];
    };
    assert.deepEqual(stateAt(staleFrom - 1), [WHOLE, stored]);
    assert.deepEqual(stateAt(staleFrom), [PENDING, stored]);
    assert.deepEqual(stateAt(replacedFrom - 1), [PENDING, stored]);
    assert.deepEqual(stateAt(replacedFrom), [REPLACED, 26]);
  });

  it('has more tokens as stored than as sent, by those that replacing saves', () => {
    const sent = requestCellsOf(thread, 27, 'sent', 'view');
    const stored = requestCellsOf(thread, 27, 'stored', 'view');
    const replaced = sent.sums[REPLACED];
    assert.ok(replaced.stored > replaced.sent);
    assert.equal(last(stored.starts) - last(sent.starts), replaced.stored - replaced.sent);
  });

  it('counts the fixed part as cached if any cell is cached', () => {
    const cold = thread.requests.findIndex(({ cachedCells }) => cachedCells === 0);
    const warm = thread.requests.findIndex(({ cachedCells }) => cachedCells > 0);
    assert.equal(requestCellsOf(thread, cold, 'sent', 'view').cachedCount, 0);
    assert.equal(requestCellsOf(thread, warm, 'sent', 'view').cachedCount, thread.requests[warm].cachedCells + 1);
  });

  it('without ContextView leaves out cells that the agent cleared, and has cached what the provider read', () => {
    const cell = (/** @type {object} */ fields) =>
      /** @type {any} */ ({ tokens: 100, staleFrom: null, replacedFrom: 1, ...fields });
    const cells = [cell({}), cell({ clearedFrom: 1, tokensCleared: 90 }), cell({ staleFrom: 1 })];
    const usage = (/** @type {number} */ cacheRead) => ({ prompt: 0, cacheRead, cacheWrite: null, output: 0 });
    const request = { prompt: [[0, 3]], cachedCells: 3, usage: usage(0) };
    const requests = /** @type {any} */ ([
      request,
      { ...request, usage: usage(150) },
      { ...request, usage: usage(161) },
    ]);
    const small = /** @type {any} */ ({ fixedTokens: 50, cells, requests });
    assert.equal(requestCellsOf(small, 0, 'sent', 'sent').total.sent, 350);
    const { states, total, sums, cachedCount, cachedTokens } = requestCellsOf(small, 1, 'sent', 'sent');
    assert.deepEqual([...states], [WHOLE, WHOLE, CLEARED, PENDING]);
    assert.deepEqual([total.sent, total.stored], [260, 350]);
    assert.deepEqual(sums[CLEARED], { count: 1, stored: 100, sent: 10 });
    assert.deepEqual([cachedCount, cachedTokens], [2, 150], 'the fixed part and one cell');
    assert.equal(
      requestCellsOf(small, 2, 'stored', 'sent').cachedCount,
      3,
      'what is cleared takes no place in the cache',
    );
    assert.equal(requestCellsOf(small, 0, 'sent', 'sent').cachedCount, 0);
  });

  it('is empty for a request that doesn’t exist', () => {
    assert.equal(requestCellsOf({ ...thread, fixedTokens: 0 }, 9_999, 'sent', 'view').indexes.length, 0);
  });
});

describe('rows of cells', () => {
  it('have exact areas, and pieces that touch without overlap', () => {
    fc.assert(
      fc.property(tokens, fc.integer({ min: 300, max: 1_600 }), (sizes, width) => {
        const starts = startsOf(sizes);
        const layout = layoutOf(width, { capacity: last(starts), limit: null });
        let end = 0;
        sizes.forEach((size, place) => {
          let area = 0;
          eachPiece(layout, starts[place], starts[place + 1], ({ x, y, width: wide }) => {
            const from = (y / (layout.rowHeight + layout.gap)) * layout.width + x;
            assert.ok(Math.abs(from - end) < 1e-3, `${from} begins where ${end} ends`);
            assert.ok(x + wide <= layout.width + 1e-6);
            end = from + wide;
            area += wide;
          });
          assert.ok(Math.abs(area - (size / layout.rowTokens) * layout.width) < 1e-3);
        });
      }),
    );
  });

  it('placeAt finds each cell at its middle', () => {
    fc.assert(
      fc.property(tokens, fc.integer({ min: 300, max: 1_600 }), (sizes, width) => {
        const starts = startsOf(sizes);
        const layout = layoutOf(width, { capacity: last(starts), limit: null });
        sizes.forEach((size, place) => {
          const { x, y, width: wide, height } = largestPiece(layout, starts[place], starts[place + 1]);
          if (size === 0 || wide < 0.01) return;
          assert.equal(placeAt(starts, offsetAt(layout, x + wide / 2, y + height / 2) ?? -1), place);
        });
      }),
    );
  });

  it('offsetAt and placeAt find nothing outside, and after the last cell', () => {
    const layout = layoutOf(600, { capacity: 1_000, limit: null });
    assert.equal(offsetAt(layout, -1, 5), null);
    assert.equal(offsetAt(layout, 600, 5), null);
    assert.equal(offsetAt(layout, 10, 10_000), null);
    assert.equal(placeAt(Float64Array.of(0, 100), 100), -1);
  });

  it('capacityOf has room for every request of a thread', () => {
    const [thread] = samplePicture().threads;
    const { capacity } = capacityOf(thread, { sizes: 'sent', shows: 'view' }, null);
    for (const place of thread.requests.keys())
      assert.ok(requestCellsOf(thread, place, 'sent', 'view').total.sent <= capacity);
  });

  it("capacityOf has room for the model's window, unless its cells would be too small", () => {
    const [thread] = samplePicture().threads;
    const { capacity: most } = capacityOf(thread, { sizes: 'sent', shows: 'view' }, null);
    assert.deepEqual(capacityOf(thread, { sizes: 'sent', shows: 'view' }, most * 2), {
      capacity: most * 2 * 1.02,
      limit: most * 2,
    });
    assert.deepEqual(capacityOf(thread, { sizes: 'sent', shows: 'view' }, most * 20), { capacity: most, limit: null });
    assert.deepEqual(capacityOf(thread, { sizes: 'sent', shows: 'view' }, most / 2), {
      capacity: most,
      limit: most / 2,
    });
  });
});

describe('readPicture', () => {
  it('returns a valid picture itself', () => {
    const picture = samplePicture({ subAgents: 2 });
    assert.equal(readPicture(picture).picture, picture);
  });

  it('names the invalid place of a picture', () => {
    assert.deepEqual(readPicture(undefined).problem, { reason: 'missing', where: '' });
    assert.deepEqual(readPicture('<b>').problem, { reason: 'shape', where: 'picture' });
    assert.deepEqual(readPicture({ ...samplePicture(), version: 2 }).problem, { reason: 'version', where: '2' });
    for (const [where, spoil] of /** @type {[string, (picture: any) => unknown][]} */ ([
      ['threads', (picture) => Object.assign(picture, { threads: [] })],
      ['threads[0].cells[3]', ({ threads }) => Object.assign(threads[0].cells[3], { tokens: Number.NaN })],
      ['threads[0].cells[3]', ({ threads }) => Object.assign(threads[0].cells[3], { kind: 99 })],
      ['threads[0].requests[5]', ({ threads }) => Object.assign(threads[0].requests[5], { prompt: [[0, 13]] })],
      ['threads[0].costs[1]', ({ threads }) => threads[0].costs[1].policies.view.pop()],
    ])) {
      const picture = structuredClone(samplePicture({ messages: 12, requests: 6 }));
      spoil(picture);
      assert.deepEqual(readPicture(picture).problem, { reason: 'shape', where });
    }
  });

  it('doesn’t throw for any value', () => {
    fc.assert(fc.property(fc.anything(), (value) => assert.ok(readPicture(value).problem !== null)));
    const keys = fc.record({
      version: fc.constant(1),
      kinds: fc.anything(),
      tools: fc.constant([]),
      threads: fc.array(fc.anything()),
    });
    fc.assert(fc.property(keys, (value) => void readPicture(value)));
  });
});

describe('colours of cells', () => {
  it('can be told apart with each form of colour blindness, in light and in dark', () => {
    // Unnamed tools and unknown kinds share the colour of "other".
    const slots = SLOTS.filter((slot) => slot !== 'tool-other');
    for (const theme of /** @type {const} */ (['light', 'dark'])) {
      const { distance, pair } = leastDistance(slots.map((slot) => [slot, TINTS[slot][theme]]));
      assert.ok(distance >= 0.06, `${theme}: ${pair.join(' and ')} are ${distance.toFixed(3)} apart`);
    }
  });

  it('belong to the six tools with the most tokens in results, in all threads together', () => {
    const picture = samplePicture({ subAgents: 1 });
    const { classes } = new ThreadCells(picture, picture.threads[0], WORDS.en);
    const weights = new Map();
    for (const cell of picture.threads.flatMap(({ cells }) => cells)) {
      if (picture.kinds[cell.kind] === 'result') weights.set(cell.tool, (weights.get(cell.tool) ?? 0) + cell.tokens);
    }
    const heaviest = [...weights].sort(([, a], [, b]) => b - a).map(([tool]) => picture.tools[tool]);
    const named = classes.filter(({ slot }) => /^tool-\d$/.test(slot)).map(({ tool }) => tool);
    assert.deepEqual(named, heaviest.slice(0, 6));
  });

  it('exist for every cell, also of an unknown kind or without a tool', () => {
    const picture = samplePicture();
    picture.kinds = [...picture.kinds, /** @type {any} */ ('hologram')];
    const [cell] = picture.threads[0].cells;
    const cells = [
      { ...cell, kind: 9, tool: null },
      { ...cell, kind: 6, tool: null },
    ];
    const threadCells = new ThreadCells(picture, { ...picture.threads[0], cells }, WORDS.en);
    assert.deepEqual(threadCells.classes[threadCells.classIndexOf(0)], { slot: 'other', kind: 'hologram', tool: null });
    assert.equal(threadCells.slotOf(1), 'tool-other');
    assert.equal(threadCells.slotOf(FIXED), 'fixed');
  });
});

describe('names of cells', () => {
  const picture = samplePicture();
  const [cell] = picture.threads[0].cells.filter(({ staleFrom }) => staleFrom !== null);

  it('have label, tool, message, tokens, state and rule', () => {
    const known = {
      ...cell,
      label: 'Read a.txt',
      tool: 0,
      tokens: 1_200,
      tokensReplaced: 26,
      message: 6,
      staleFrom: 9,
      rule: 'fileReads',
    };
    const name = (state, isCached) => cellName(WORDS.en, picture, { cell: known, state, isCached });
    assert.equal(name(WHOLE, true), 'Read a.txt, result of Read, message 7, 1,200 tokens, cached');
    assert.equal(
      name(PENDING, false),
      'Read a.txt, result of Read, message 7, 1,200 tokens, outdated, still sent, since request 10, rule fileReads',
    );
    assert.equal(
      name(REPLACED, false),
      'Read a.txt, result of Read, message 7, replaced: 26 tokens instead of 1,200, rule fileReads',
    );
    assert.match(
      cellName(WORDS.zh, picture, { cell: known, state: REPLACED, isCached: true }),
      /^Read a\.txt，Read 的结果，第 7 条消息，已替换/,
    );
  });

  it('have at most 300 characters, names for invisible ones, and no terminal colours', () => {
    assert.equal(legible('x'.repeat(1_000_000)).length, 300);
    assert.equal(legible('a\u202eb \u001b[31mred\u001b[0m\n\tc'), 'aRLOb red c');
  });

  it('use the same keys in both languages', () => {
    assert.deepEqual(Object.keys(WORDS.zh), Object.keys(WORDS.en));
    for (const key of /** @type {const} */ (['kinds', 'cellKinds', 'policies', 'causes', 'begins'])) {
      assert.deepEqual(Object.keys(WORDS.zh[key]), Object.keys(WORDS.en[key]));
    }
  });
});
