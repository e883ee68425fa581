// @ts-check
/** The policies of bench/need, and its own computation of bills and needs, which must equal the product's. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bill, isMissed, nothing, score } from '../../bench/need/bill.mjs';
import { curves, duplicates, reacquired } from '../../bench/need/controls.mjs';
import { intervals } from '../../bench/need/intervals.mjs';
import {
  clearToolUses,
  compactAt,
  keepLast,
  newestThatFit,
  oracle,
  played,
  pruneMessages,
  randomLike,
  withoutDuplicates,
  withoutEarlierTurns,
} from '../../bench/need/policies.mjs';
import { seeded } from '../../bench/promise/random.mjs';

const { SessionAccounts } = createRequire(import.meta.url)('../../lib/native-cli.js').cliAddon();
const { pricePresets } = createRequire(import.meta.url)('../../lib/native.js');
const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
const folders = ['claude-code', 'codex', 'pi', 'langgraph'].map((name) => `${shared}recordings/${name}`);
const skip = !existsSync(shared) && !process.env.CI ? 'no recordings next to the repository' : false;
const price = pricePresets()[0].find((/** @type {{ preset: string }} */ { preset }) => preset === 'anthropic');

/** Four requests with a call and a result of 1,000 tokens each; the last assistant message needs the first result. */
const small = {
  file: 'small',
  thread: 0,
  fixedTokens: 2_000,
  tokens: [50, 100, 1_000, 100, 1_000, 100, 1_000, 100],
  roles: /** @type {any[]} */ (['user', 'call', 'result', 'call', 'result', 'call', 'result', 'call']),
  kinds: [null, null, 'shell run', null, 'shell run', null, 'shell run', null],
  errors: [false, false, false, false, true, false, false, false],
  calls: [null, null, 1, null, 3, null, 5, null],
  callTokens: [0, 100, 0, 60, 0, 100, 0, 100],
  same: [null, null, 2, null, 2, null, 6, null],
  fetches: [null, null, 2, null, 4, null, 2, null],
  lengths: [1, 3, 5, 7],
  timesMs: [0, 10_000, 20_000, 30_000],
  needs: [
    {
      request: 3,
      source: 2,
      firstSent: 1,
      kind: /** @type {const} */ ('edit'),
      strong: true,
      grams: [[2]],
      texts: [],
      told: null,
    },
  ],
  gone: { 'anthropic:view': /** @type {[number, number, number][]} */ ([[2, 3, 20]]) },
  short: /** @type {Record<string, [number, number][]>} */ ({}),
  refers: /** @type {Record<number, number[]>} */ ({}),
};
/** Positions that a policy removes, each with the first request without it. */
const removals = (/** @type {import('../../bench/need/bill.mjs').Plan} */ { removedFrom }) =>
  removedFrom.flatMap((request, position) => (Number.isFinite(request) ? [[position, request]] : []));

describe('policies of bench/need', () => {
  test('keepLast keeps the newest results, and removes an older one with each request', () => {
    assert.deepEqual(removals(keepLast(small, 1)), [
      [2, 2],
      [4, 3],
    ]);
    assert.deepEqual(removals(keepLast(small, 5)), []);
  });

  test('clearToolUses with `isSticky` waits until the request is long again', () => {
    const clear = (/** @type {boolean} */ isSticky) =>
      removals(clearToolUses(small, { trigger: 4_000, keep: 0, isSticky }));
    assert.deepEqual(clear(false), [
      [2, 2],
      [4, 2],
      [6, 3],
    ]);
    assert.deepEqual(clear(true), [
      [2, 2],
      [4, 2],
    ]);
  });

  test('clearToolUses with `countsMessagesOnly` starts later, because system prompt and tools do not count', () => {
    const clear = (/** @type {number} */ trigger) =>
      removals(clearToolUses(small, { trigger, keep: 0, isSticky: false, countsMessagesOnly: true }));
    assert.deepEqual(clear(3_300), [
      [2, 3],
      [4, 3],
      [6, 3],
    ]);
    assert.deepEqual(clear(3_400), []);
  });

  test('withoutEarlierTurns removes the calls of earlier turns with a new turn, and none of its own', () => {
    assert.deepEqual(removals(withoutEarlierTurns(small)), []);
    const roles = small.roles.with(5, 'user');
    assert.deepEqual(removals(withoutEarlierTurns({ ...small, roles })), [
      [1, 3],
      [2, 3],
      [3, 3],
      [4, 3],
    ]);
  });

  test('newestThatFit keeps the newest messages that fit, calls with their results, and never sends a dropped one again', () => {
    assert.deepEqual(removals(newestThatFit(small, 6_000)), []);
    assert.deepEqual(removals(newestThatFit(small, 4_300)), [
      [1, 3],
      [2, 3],
    ]);
    assert.deepEqual(removals(newestThatFit(small, 3_200)), [
      [1, 2],
      [2, 2],
      [3, 3],
      [4, 3],
    ]);
  });

  test('compactAt bills the writing of the summary', () => {
    const plan = compactAt(small, price, { window: 5_000, share: 0.8 });
    assert.ok(plan.removedFrom.some(Number.isFinite));
    assert.ok((plan.sideCost ?? 0) >= 10_000, `${plan.sideCost}`);
    const { sideCost, ...without } = plan;
    assert.equal(bill(small, plan, price) - bill(small, without, price), sideCost);
  });

  test('curves counts a failed call with its kind and with all failed calls', () => {
    const at = (/** @type {string} */ wanted) => curves([small], [1]).find(({ kind }) => kind === wanted);
    assert.deepEqual(at('shell run'), { kind: 'shell run', age: 1, results: 2, needed: 1 });
    assert.equal(at('failed calls, of any kind')?.results, 1);
  });

  test('pruneMessages removes a call with its result, and keeps the text of its message', () => {
    const plan = pruneMessages(small, 2);
    assert.deepEqual(removals(plan), [
      [1, 2],
      [2, 2],
      [3, 3],
      [4, 3],
    ]);
    assert.deepEqual(plan.tokensAfter.slice(1, 5), [0, 0, 40, 0]);
  });

  test('R14.2 a need is missed if its result was removed before or with the request', () => {
    const [need] = small.needs;
    assert.ok(need !== undefined && isMissed(need, played(small, 'anthropic', 'view')));
    assert.ok(!isMissed(need, nothing(small)) && !isMissed(need, oracle(small, price)));
  });

  test('R14.2 a result with references is a source of the lines that it refers to while those are sent', () => {
    const short = { 'anthropic:view': /** @type {[number, number][]} */ ([[4, 60]]) };
    const [need] = small.needs.map((one) => ({ ...one, grams: [[2, 4]] }));
    const context = { ...small, short, refers: { 4: [2] }, gone: {} };
    assert.ok(need !== undefined && !isMissed(need, played(context, 'anthropic', 'view')));
    assert.ok(isMissed(need, played({ ...context, gone: small.gone }, 'anthropic', 'view')));
    const saved = bill(context, nothing(context), price) - bill(context, played(context, 'anthropic', 'view'), price);
    // The result is written with one request and read with the next.
    assert.equal(Math.round(saved), Math.round((1.25 + 0.1) * (1_000 - 60)));
  });

  test('R14.5 each missed result is looked up once, by a request that reads its prompt from the cache', () => {
    const plan = played(small, 'anthropic', 'view');
    assert.equal(score(small, nothing(small), price, 0).lookUps, 0);
    // The prompt with a placeholder of 20 tokens, and after it the result of 1,000.
    assert.equal(score(small, plan, price, 0).lookUps, 0.1 * 4_370 + 1.25 * 1_000);
    const doubled = { ...small, needs: small.needs.flatMap((need) => [need, need]) };
    assert.equal(score(doubled, plan, price, 0).lookUps, score(small, plan, price, 0).lookUps);
  });

  test('R14.4 a removed result whose call comes again is reacquired', () => {
    const [run] = reacquired([small], () => ({ removedFrom: [9, 9, 2, 9, 9, 9, 9, 9], tokensAfter: [] }));
    assert.deepEqual(run, { kind: 'shell run', replaced: 3, reacquired: 1 });
    const later = reacquired([small], () => ({
      removedFrom: [9, 9, 3, 9, 9, 9, 9, 9].map((request) => (request === 9 ? Infinity : request)),
      tokensAfter: [],
    }));
    assert.deepEqual(later, [{ kind: 'shell run', replaced: 1, reacquired: 0 }]);
  });

  test('withoutDuplicates removes the older of two results with the same text', () => {
    assert.deepEqual(removals(withoutDuplicates(small)), [[2, 2]]);
  });

  test('randomLike removes as many results with the same requests, and the same ones for one seed', () => {
    const pattern = keepLast(small, 1);
    const draw = (/** @type {number} */ seed) => removals(randomLike(small, pattern, seeded(seed)));
    assert.deepEqual(draw(3), draw(3));
    assert.deepEqual(
      draw(3).map(([, request]) => request),
      [2, 3],
    );
  });

  test('intervals returns a point for equal figures', () => {
    const one = score(small, nothing(small), price, bill(small, nothing(small), price));
    const { low, high } = intervals([
      { ...one, file: 'a' },
      { ...one, file: 'b' },
    ]);
    assert.deepEqual(
      [low, high],
      [
        { bill: 1, missed: 0, strong: 0, found: 1 },
        { bill: 1, missed: 0, strong: 0, found: 1 },
      ],
    );
  });
});

test('R14.2 over recorded sessions, bench/need computes the same bills and misses as the product', {
  skip,
}, async () => {
  const work = new SessionAccounts({ lists: ['anthropic'], simulate: true, hindsight: false, need: 'columns' });
  const { files } = JSON.parse(await work.read(folders));
  const accounts = files.flatMap((/** @type {any} */ { sessions }) => sessions);
  let needs = 0;
  for (const { contexts = [], simulations } of accounts) {
    for (const policy of simulations[0].policies) {
      const scores = contexts.map((/** @type {any} */ context) =>
        score(context, played(context, 'anthropic', policy.policy), price, 0),
      );
      const sum = (/** @type {string} */ name) =>
        scores.reduce((/** @type {number} */ total, /** @type {any} */ one) => total + one[name], 0);
      // Fractions are added in another order, and rounded to whole tokens at another place.
      assert.ok(Math.abs(sum('cost') - policy.cost) <= 1e-4 * policy.cost, policy.policy);
      const expected = policy.need;
      assert.deepEqual([sum('needs'), sum('missed')], [expected.needs, expected.missed], policy.policy);
      assert.deepEqual([sum('strong'), sum('strongMissed')], [expected.strongNeeds, expected.strongMissed]);
      needs += expected.needs;
    }
  }
  assert.ok(needs > 1_000, `${needs}`);
  const contexts = accounts.flatMap((/** @type {any} */ account) => account.contexts ?? []);
  const { removed, missed } = duplicates(contexts);
  assert.ok(removed > 50 && missed === 0, `${removed} duplicates, ${missed} missed`);
  const withNeeds = contexts.filter((/** @type {any} */ context) => context.needs.length > 0);
  assert.ok(
    withNeeds.every((/** @type {any} */ context) => score(context, oracle(context, price), price, 0).missed === 0),
  );
});
