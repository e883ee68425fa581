// @ts-check
/**
 * The cost limit if everything happens together, measured by a simulated provider's bill. `bench/promise.mjs` plays the same events
 * one by one, over recorded sessions.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PreparedSession, play } from '../../bench/promise/play.mjs';
import { randomSession } from '../../bench/promise/sessions.mjs';
import { COST_LIMIT } from '../support/cache-biller.mjs';

const { constant, constantFrom, integer, nat, oneof, record, subarray } = fc;

const RUNS = { endOnFailure: true, numRuns: 40 };
const PRICES = ['anthropic', 'anthropic-1h', 'openai', 'openai-older', 'deepseek', 'gemini'];

/** What the view's estimates of texts may add to the cost limit. */
const ESTIMATE_ERROR = 0.002;
/** A title request has another system prompt, so the earlier requests that the view derives from its messages were never sent. */
const COST_LIMIT_WITH_TITLES = 1.08;
/** Largest difference between the cost ratios of ledger and bill, for sessions that cost more than `LEAST_COST`. */
const LEDGER_TOLERANCE = 0.03;
const LEAST_COST = 5_000;
/** A view counts a thousand tokens for each picture; docs/context-view.md names the error. */
const PICTURES = 'pictures';

/** Zero, or one of `shares` of the requests; most events don't happen in most sessions. @param {readonly number[]} shares */
const sometimes = (...shares) =>
  oneof({ weight: 2, arbitrary: constant(0) }, { weight: 1, arbitrary: constantFrom(...shares) });

const life = record({
  losses: sometimes(0.01, 0.03, 0.06),
  lossKinds: subarray(['all', 'partial', 'system'], { minLength: 1 }),
  isEvictedEarly: fc.boolean(),
  sideEvery: oneof(constant(undefined), integer({ min: 3, max: 12 })),
  sideForms: subarray(['prefix', 'message', 'title'], { minLength: 1 }),
  retries: sometimes(0.05),
  rewinds: sometimes(0.03, 0.08),
  forks: sometimes(0.03),
});

const session = record({
  kind: constantFrom('mixed', 'mixed', 'many-small', 'minimum', PICTURES),
  seed: nat(1_000_000),
  isTimed: fc.boolean(),
  requests: integer({ min: 2, max: 90 }),
});

const scenario = record({
  life,
  reports: constantFrom('truthful', 'none', 'late', 'missing', 'doubled', 'impossible', 'zero'),
  factor: constantFrom(1, 1, 0.8, 0.9, 1.1, 1.3),
  isMarked: fc.boolean(),
  form: constantFrom('as-stored', 'as-stored', 'as-stored', 'picture', 'marks'),
});

const hosting = constantFrom(
  { kind: 'view' },
  { kind: 'views' },
  { kind: 'views', says: true },
  { kind: 'view', restart: 'turn' },
  { kind: 'view', restart: 7, carries: true },
  { kind: 'views', restart: 'turn' },
  { kind: 'views', restart: 5 },
);

const drawn = record({ session, scenario, hosting, price: constantFrom(...PRICES) });

/** @param {any} drawn @returns {PreparedSession} */
function preparedSessionOf({
  session: { kind, seed, isTimed, requests },
  scenario: { factor, isMarked, ...scenario },
  price,
}) {
  const hasMarks = price.startsWith('anthropic') && isMarked;
  return new PreparedSession(randomSession(kind, seed, isTimed, requests), {
    ...scenario,
    name: `drawn ${seed}`,
    factors: { tools: factor, rest: factor },
    form: scenario.form === 'marks' && !hasMarks ? 'as-stored' : scenario.form,
    ...(hasMarks && { isMarked, options: { marks: true } }),
  });
}

/**
 * `drawn` without the exceptions of docs/cache.md: titles under another system prompt, and an edit, a rewind or an earlier part of the
 * conversation that the provider may not have cached (after a loss or a pause, or with breakpoints).
 * @param {any} drawn
 */
function promised(drawn) {
  const { life, isMarked } = drawn.scenario;
  const isCached = life.losses === 0 && !life.isEvictedEarly && !drawn.session.isTimed && !isMarked;
  const hasRewinds = life.rewinds > 0 && drawn.hosting.kind === 'views' && isCached;
  const sideForms = ['message', ...(isCached ? ['prefix'] : [])];
  const limited = { sideForms, ...(!hasRewinds && { rewinds: 0 }) };
  // Near the cache's minimum the tokens of a picture decide.
  const form = drawn.session.kind === 'minimum' ? 'as-stored' : drawn.scenario.form;
  return { ...drawn, scenario: { ...drawn.scenario, form, life: { ...life, ...limited } } };
}

test('R10.16 at each request, all requests of its branch have cost at most 1.02 times the unmodified history', () => {
  fc.assert(
    fc.property(drawn, (drawnCase) => {
      fc.pre(drawnCase.session.kind !== PICTURES);
      const { worst, worstAt, tooManyMarks } = play(
        preparedSessionOf(promised(drawnCase)),
        drawnCase.price,
        drawnCase.hosting,
      );
      assert.ok(worst <= COST_LIMIT + ESTIMATE_ERROR, `${worst} at request ${worstAt}`);
      assert.equal(tooManyMarks, 0, 'Anthropic accepts four breakpoints');
    }),
    RUNS,
  );
});

test('R10.15 title requests change nothing that the conversation sends, and the cost stays within 1.08 times the unmodified history', () => {
  /** @type {import('../../bench/promise/hosts.mjs').Hosting[]} */
  const hostings = [
    { kind: 'view', says: true },
    { kind: 'views', says: true },
  ];
  const scenario = { name: 'titles', life: { sideEvery: 8, sideForms: [/** @type {const} */ ('title')] } };
  for (const seed of [1, 2, 3, 4]) {
    const session = randomSession('mixed', seed, true, 80);
    // Some applications pass the system prompt separately; then only the title's is in the messages.
    if (seed % 2 === 0) session.messages = session.messages.filter(({ role }) => role !== 'system');
    for (const hosting of hostings) {
      const prepared = new PreparedSession(session, scenario);
      const { worst, sent } = play(prepared, 'openai-older', hosting);
      assert.ok(worst <= COST_LIMIT_WITH_TITLES, `${worst} with ${JSON.stringify(hosting)} and seed ${seed}`);
      prepared.requests = prepared.requests.filter(({ kind }) => kind === 'main');
      assert.deepEqual(sent, play(prepared, 'openai-older', hosting).sent);
    }
  }
});

test('R10.12 a new view per turn, or per request, sends the same bytes as one view', () => {
  const restarts = constantFrom('turn', 'request', 4);
  fc.assert(
    fc.property(drawn, constantFrom('view', 'views'), restarts, (drawnCase, kind, restart) => {
      const requests = preparedSessionOf(drawnCase);
      const uninterrupted = /** @type {const} */ ({ kind, carries: kind === 'view' });
      const [byOne, byMany] = [uninterrupted, { ...uninterrupted, restart }].map(
        (hosting) => play(requests, drawnCase.price, hosting).sent,
      );
      assert.deepEqual(byMany, byOne);
    }),
    RUNS,
  );
});

test("R10.7 if the cache is lost as a whole or never, the ledger's cost ratio is within three percentage points of the bill's", () => {
  fc.assert(
    fc.property(drawn, (drawnCase) => {
      const { restart = 'never' } = drawnCase.hosting;
      fc.pre(restart === 'never' && drawnCase.session.kind !== PICTURES && drawnCase.session.kind !== 'minimum');
      const { scenario } = promised(drawnCase);
      const { life, reports, isMarked } = scenario;
      // Only true reports show a loss, and false ones show something else.
      const isLossless = life.losses === 0 && !life.isEvictedEarly;
      const areTrue = (reports === 'truthful' || reports === 'doubled') && !(isMarked && !isLossless);
      // Without a report the view doesn't know what the attempts before a retry have cost.
      const isUnreported = (reports === 'none' || reports === 'missing') && life.retries === 0;
      fc.pre(areTrue || (isLossless && isUnreported));
      // Other branches keep a prefix warm that the view takes for cold, and no report shows what the unmodified history would have lost with
      // a part of the cache; docs/cache.md has the ledger's error in both cases.
      const limitedLife = { ...life, lossKinds: ['all'], sideEvery: undefined, rewinds: 0, forks: 0 };
      const played = { ...promised(drawnCase), scenario: { ...scenario, form: 'as-stored', life: limitedLife } };
      const { cost, alone, ledger } = play(preparedSessionOf(played), drawnCase.price, drawnCase.hosting);
      if (alone < LEAST_COST || ledger === null) return;
      const error = Math.abs(ledger.cost / ledger.costLeftAlone - cost / alone);
      assert.ok(error <= LEDGER_TOLERANCE, `ledger: ${ledger.cost / ledger.costLeftAlone}, bill: ${cost / alone}`);
    }),
    RUNS,
  );
});
