// @ts-check
/** A view's facts: what `export()` returns, and that another process continues with them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ContextView } from 'palimpsest';
import { START } from '../support/histories.mjs';
import { bashSession, play, steps, turnsOnly } from '../support/view-sessions.mjs';

const RUNS = { endOnFailure: true, numRuns: 40 };

test('R10.13 a view that was imported after any request sends the same bytes as one that was not', () => {
  const prices = fc.constantFrom('anthropic', 'deepseek', 'none');
  fc.assert(
    fc.property(steps(60), fc.nat(60), prices, fc.boolean(), (plan, at, price, isTimed) => {
      const view = new ContextView({ price });
      let imported = new ContextView({ price });
      let request = 0;
      const compare = (/** @type {any[]} */ stored, /** @type {number} */ now) => {
        if (request++ === at) imported = ContextView.import(JSON.parse(JSON.stringify(imported.export())), { price });
        const reloaded = structuredClone(stored);
        const [sent, sentByImported] = [
          view.project(stored, { now }),
          imported.project(request > at ? reloaded : stored, { now }),
        ];
        assert.equal(JSON.stringify(sentByImported.messages), JSON.stringify(sent.messages));
      };
      play(plan, compare, { isTimed });
    }),
    RUNS,
  );
});

test('R10.13 the ledger of an imported view counts all requests of the conversation, also those of other processes', () => {
  fc.assert(
    fc.property(
      turnsOnly(40),
      fc.constantFrom('anthropic', 'deepseek', 'none'),
      fc.boolean(),
      (plan, price, isTimed) => {
        const view = new ContextView({ price });
        play(
          plan,
          (stored, now) => {
            view.project(stored, { now });
            const imported = ContextView.import(view.export(), { price });
            imported.project(structuredClone(stored), { now });
            assert.deepEqual(imported.ledger(), view.ledger());
          },
          { isTimed },
        );
      },
    ),
    { ...RUNS, numRuns: 10 },
  );
});

test('R10.13 `export()` changes neither what the view sends nor its ledger', () => {
  fc.assert(
    fc.property(steps(60), fc.constantFrom('anthropic', 'deepseek'), fc.boolean(), (plan, price, isTimed) => {
      const [view, exported] = [new ContextView({ price }), new ContextView({ price })];
      const compare = (/** @type {any[]} */ stored, /** @type {number} */ now) => {
        exported.export();
        const [sent, sentByExported] = [view.project(stored, { now }), exported.project(stored, { now })];
        assert.equal(JSON.stringify(sentByExported.messages), JSON.stringify(sent.messages));
        assert.deepEqual(exported.ledger(), view.ledger());
      };
      play(plan, compare, { isTimed });
    }),
    RUNS,
  );
});

test('R10.13 `export()` returns no facts if messages have times, and one per request otherwise', () => {
  const timed = new ContextView();
  timed.project(bashSession(3, 'timed'), { now: START });
  assert.deepEqual(timed.export(), []);
  const view = new ContextView();
  const messages = bashSession(3, 'untimed').map(({ timestamp: _, ...message }) => message);
  view.project(messages, { now: START });
  view.project(messages, { now: START + 1000 });
  const facts = view.export();
  assert.deepEqual(
    facts.map((fact) => ({ ...fact, mark: 0 })),
    [0, 1000].map((after) => ({ type: 'request', length: messages.length, mark: 0, sentMs: START + after })),
  );
  assert.deepEqual(ContextView.import(JSON.stringify(facts)).export(), facts);
});

test("R10.13 `ContextView.import` rejects facts that `export()` can't have returned", () => {
  const request = { type: 'request', length: 2, mark: 1, sentMs: START };
  const summary = { type: 'summary', system: 0, messages: [1], head: [] };
  for (const wrong of [
    [{ ...request, length: -1 }],
    [{ ...request, length: 1.5 }],
    [{ ...request, sentMs: null }],
    [{ ...request, mark: 'x' }],
    [request, { ...request, type: 'else' }],
    [{ ...summary, messages: 'x' }],
    [{ ...summary, system: 2 }],
    [{ ...summary, head: [null] }],
    [null],
    { version: 1 },
    null,
    7,
    'x',
    '{}',
  ]) {
    assert.throws(() => ContextView.import(/** @type {any} */ (wrong)), { code: 'ERR_BAD_STATE' }, String(wrong));
  }
  assert.equal(ContextView.import([/** @type {any} */ (request), /** @type {any} */ (summary)]).export().length, 2);
});
