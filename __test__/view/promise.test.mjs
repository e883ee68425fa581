// @ts-check
/**
 * The promise about the bill where everything happens at once, by an account that the provider keeps. `bench/promise.mjs` plays what is
 * drawn together here one by one, over recorded sessions.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { play, Rehearsed } from '../../bench/promise/play.mjs';
import { randomSession } from '../../bench/promise/sessions.mjs';

const { constant, constantFrom, integer, nat, oneof, record, subarray } = fc;

const RUNS = { endOnFailure: true, numRuns: 40 };
const PRICES = ['anthropic', 'anthropic-1h', 'openai', 'openai-older', 'deepseek', 'gemini'];

/** What the promise allows, and what the view's estimates of texts may add to it. */
const MOST = 1.02;
const ESTIMATE = 0.002;
/** A title is the whole conversation behind another system prompt: nobody has sent the earlier requests that its messages show. */
const MOST_OF_TITLES = 1.08;
/** So much the ledger may be off, of sessions that cost more than so many tokens. */
const LEDGER_TOLERANCE = 0.02;
const LEAST_COST = 5_000;
/** A view weighs each picture as a thousand tokens; docs/context-view.md names the error. */
const PICTURES = 'pictures';

/** Shares of requests; most things don't happen in most sessions. @param {readonly number[]} shares */
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

/** @param {any} drawn @returns {Rehearsed} */
function rehearsed({ session: { kind, seed, isTimed, requests }, scenario: { factor, isMarked, ...scenario }, price }) {
  const hasMarks = price.startsWith('anthropic') && isMarked;
  return new Rehearsed(randomSession(kind, seed, isTimed, requests), {
    ...scenario,
    name: `drawn ${seed}`,
    factors: { tools: factor, rest: factor },
    form: scenario.form === 'marks' && !hasMarks ? 'as-stored' : scenario.form,
    ...(hasMarks && { isMarked, options: { marks: true } }),
  });
}

/**
 * Without the exceptions of docs/cache.md: titles under another system prompt, and an edit, a rewind or an earlier part of the
 * conversation that the provider may not have cached (after a loss or a pause, or with breakpoints).
 * @param {any} drawn
 */
function promised(drawn) {
  const { life, isMarked } = drawn.scenario;
  const isCached = life.losses === 0 && !life.isEvictedEarly && !drawn.session.isTimed && !isMarked;
  const hasRewinds = life.rewinds > 0 && drawn.hosting.kind === 'views' && isCached;
  const sideForms = ['message', ...(isCached ? ['prefix'] : [])];
  const kept = { sideForms, ...(!hasRewinds && { rewinds: 0 }) };
  // Near the cache's minimum a picture's weight decides.
  const form = drawn.session.kind === 'minimum' ? 'as-stored' : drawn.scenario.form;
  return { ...drawn, scenario: { ...drawn.scenario, form, life: { ...life, ...kept } } };
}

test('R10.16 at no request have those on its path cost more than 1.02 times what they would left alone, whatever happens together', () => {
  fc.assert(
    fc.property(drawn, (one) => {
      fc.pre(one.session.kind !== PICTURES);
      const { worst, worstAt, tooManyMarks } = play(rehearsed(promised(one)), one.price, one.hosting);
      assert.ok(worst <= MOST + ESTIMATE, `${worst} at request ${worstAt}`);
      assert.equal(tooManyMarks, 0, 'Anthropic takes four marks');
    }),
    RUNS,
  );
});

test('R10.15 requests for titles change nothing that the conversation sends, and cost at most what docs/cache.md says', () => {
  /** @type {import('../../bench/promise/hosts.mjs').Hosting[]} */
  const hostings = [
    { kind: 'view', says: true },
    { kind: 'views', says: true },
  ];
  const scenario = { name: 'titles', life: { sideEvery: 8, sideForms: [/** @type {const} */ ('title')] } };
  for (const seed of [1, 2, 3, 4]) {
    const session = randomSession('mixed', seed, true, 80);
    // Where the system prompt is given beside the messages, the title's alone stands among them.
    if (seed % 2 === 0) session.messages = session.messages.filter(({ role }) => role !== 'system');
    for (const hosting of hostings) {
      const rehearsed = new Rehearsed(session, scenario);
      const { worst, sent } = play(rehearsed, 'openai-older', hosting);
      assert.ok(worst <= MOST_OF_TITLES, `${worst} with ${JSON.stringify(hosting)} and seed ${seed}`);
      rehearsed.requests = rehearsed.requests.filter(({ kind }) => kind === 'main');
      assert.deepEqual(sent, play(rehearsed, 'openai-older', hosting).sent);
    }
  }
});

test('R10.12 a new object per turn, or per request, sends what one object sends', () => {
  const anew = constantFrom('turn', 'request', 4);
  fc.assert(
    fc.property(drawn, constantFrom('view', 'views'), anew, (one, kind, restart) => {
      const requests = rehearsed(one);
      const host = /** @type {const} */ ({ kind, carries: kind === 'view' });
      const [byOne, byMany] = [host, { ...host, restart }].map((hosting) => play(requests, one.price, hosting).sent);
      assert.deepEqual(byMany, byOne);
    }),
    RUNS,
  );
});

test("R10.13 the ledger's bill is within two points of the provider's, whatever happens together", () => {
  fc.assert(
    fc.property(drawn, (one) => {
      const { restart = 'never' } = one.hosting;
      fc.pre(restart === 'never' && one.session.kind !== PICTURES && one.session.kind !== 'minimum');
      const { life, reports, isMarked } = promised(one).scenario;
      // What was lost only true reports tell, and false ones tell something else.
      const isLossless = life.losses === 0 && !life.isEvictedEarly;
      const areTrue = (reports === 'truthful' || reports === 'doubled') && !(isMarked && !isLossless);
      fc.pre(areTrue || (isLossless && (reports === 'none' || reports === 'missing')));
      // Other branches keep warm, for both, what a view takes for cold: docs/cache.md says by how much its ledger is off then.
      const kept = { ...life, sideEvery: undefined, rewinds: 0, forks: 0 };
      one = { ...promised(one), scenario: { ...promised(one).scenario, form: 'as-stored', life: kept } };
      const { cost, alone, ledger } = play(rehearsed(one), one.price, one.hosting);
      if (alone < LEAST_COST || ledger === null) return;
      const off = Math.abs(ledger.cost / ledger.costLeftAlone - cost / alone);
      assert.ok(off <= LEDGER_TOLERANCE, `it says ${ledger.cost / ledger.costLeftAlone}, and it was ${cost / alone}`);
    }),
    RUNS,
  );
});
