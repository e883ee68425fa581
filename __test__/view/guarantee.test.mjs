// @ts-check
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ContextView, TokenCounter } from 'palimpsest';
import { CacheBiller, PRICES } from '../support/cache-biller.mjs';
import { runs } from '../support/comparison.mjs';
import { testEachSession } from '../support/corpus.mjs';
import { problemsIn } from '../support/providers/openai-chat.mjs';
import { play, steps, turnsOnly } from '../support/view-sessions.mjs';

/** What the view itself takes a message to weigh. */
const { weightOf } = createRequire(import.meta.url)('../../lib/tokens/weight.js');

/** As the view itself finds it out. */
const weighed = memoized(weightOf);

const RUNS = { ...runs(0.04), endOnFailure: true };

/** Weighs every text once: a session sends each many times. @param {(message: any) => number} weigh */
function memoized(weigh) {
  /** @type {WeakMap<object, { content: unknown, tokens: number }>} */
  const known = new WeakMap();
  return (/** @type {any} */ message) => {
    const { content } = message;
    const before = known.get(message);
    if (before !== undefined && before.content === content) return before.tokens;
    const tokens = weigh(message);
    known.set(message, { content, tokens });
    return tokens;
  };
}

const counter = new TokenCounter();
/** Every token of a message. */
const tokensOf = memoized((message) => counter.countMessage(message));

/** @param {any} options @param {any} plan @param {any} price */
function bills(options, plan, price) {
  const view = new ContextView(options);
  const [ours, alone] = [new CacheBiller(price, tokensOf), new CacheBiller(price, tokensOf)];
  // The same in the view's own tokens: nothing is left to estimates.
  const [oursExact, aloneExact] = [new CacheBiller(price, weighed), new CacheBiller(price, weighed)];
  // Left alone but for what a provider would refuse.
  const mended = new ContextView({ ...options, outdatedBy: 'nothing' });
  let [worst, worstExact, worstByItsCount] = [0, 0, 0];
  play(plan, (stored, now) => {
    const [sent, whole] = [view.project(stored, { now }).messages, mended.project(stored, { now }).messages];
    for (const biller of [ours, oursExact]) biller.bill(sent, now);
    for (const biller of [alone, aloneExact]) biller.bill(whole, now);
    worst = Math.max(worst, ours.cost / alone.cost);
    worstExact = Math.max(worstExact, oursExact.cost / aloneExact.cost);
    const { cost, costLeftAlone } = view.ledger();
    worstByItsCount = Math.max(worstByItsCount, cost / costLeftAlone);
  });
  return { worst, worstExact, worstByItsCount };
}

/**
 * The view estimates long texts, so that the promise is exact in its own tokens alone. By every token a made-up session of 42 steps
 * came to 1.022 under OpenAI's list, where it was 1.009 in the view's.
 */
const MOST_BY_EVERY_TOKEN = 1.03;

/** One way only: of a conversation that is left for another the promise counts each path by itself, as `promise.test.mjs` does. */
const oneWay = steps(80).map((plan) => plan.filter(({ kind }) => kind !== 'rewind' && kind !== 'edit'));

for (const [name, price] of Object.entries(PRICES)) {
  describe(`R10.5 ${name}`, () => {
    test('never above 1.02 times left alone in its own tokens, and 1.03 by every token, with clones and repeats too', () => {
      fc.assert(
        fc.property(fc.oneof(turnsOnly(120), oneWay), (plan) => {
          const { worst, worstExact, worstByItsCount } = bills({ price: name }, plan, price);
          assert.ok(worstExact <= 1.02 + 1e-9, `in the view's tokens ${worstExact}`);
          assert.ok(worstByItsCount <= 1.02 + 1e-9, `by its own count ${worstByItsCount}`);
          assert.ok(worst <= MOST_BY_EVERY_TOKEN, `by every token ${worst}`);
        }),
        RUNS,
      );
    });
  });
}

test('R10.1 between two changes the messages begin as they did before, byte by byte and object by object', () => {
  fc.assert(
    fc.property(turnsOnly(80), fc.constantFrom('anthropic', 'openai', 'deepseek'), (plan, price) => {
      const view = new ContextView({ price });
      /** @type {any[]} */
      let last = [];
      let changes = 0;
      play(plan, (stored, now) => {
        const { messages } = view.project(stored, { now });
        const isSame = last.every((message, index) => message === messages[index]);
        if (view.ledger().changes === changes) assert.ok(isSame);
        changes = view.ledger().changes;
        last = messages;
      });
    }),
    RUNS,
  );
});

test('R10.1 what was replaced stays the same object', () => {
  fc.assert(
    fc.property(turnsOnly(80), (plan) => {
      const view = new ContextView({ price: 'anthropic' });
      /** @type {Map<number, any>} */
      const replaced = new Map();
      play(plan, (stored, now) => {
        const { messages, report } = view.project(stored, { now });
        const kept = stored.filter((message) => message !== undefined);
        for (const [index, copy] of replaced) assert.equal(messages[index], copy);
        if (messages.length !== kept.length) return;
        for (const index of report.indices) if (messages[index] !== stored[index]) replaced.set(index, messages[index]);
      });
    }),
    RUNS,
  );
});

test('R0.1 stored messages are never written to, and what comes out is accepted by a strict provider', () => {
  fc.assert(
    fc.property(steps(60), (plan) => {
      const view = new ContextView({ price: 'openai' });
      play(plan, (stored, now) => {
        const before = JSON.stringify(stored);
        const { messages } = view.project(stored, { now });
        assert.equal(JSON.stringify(stored), before);
        assert.deepEqual(problemsIn(messages, { pendingTurn: true }), []);
      });
    }),
    RUNS,
  );
});

/** So much the ledger may be off the bill over every token, of a session that cost more than so many tokens at the base price. */
const LEDGER_TOLERANCE = 0.07;
/** An image weighs the same, of whatever size. */
const LEDGER_TOLERANCE_WITH_IMAGES = 0.1;
const BILLED_TOKENS = 15_000;

/** Recorded messages are never edited: each is written out once. */
const writtenOnce = () => {
  /** @type {WeakMap<object, string>} */
  const known = new WeakMap();
  return (/** @type {any} */ message) => {
    const text = known.get(message) ?? JSON.stringify(message);
    known.set(message, text);
    return text;
  };
};

/** The longest of these takes some seconds by itself, and many times as long beside others. */
const PATIENCE_MS = 300_000;

testEachSession(
  'R10.5 at no request has a recorded session cost more than 1.02 times what it would left alone',
  ({ messages }) => {
    const bytesOf = writtenOnce();
    const mended = new ContextView({ outdatedBy: 'nothing' });
    const accounts = Object.entries(PRICES).map(([name, price]) => ({
      name,
      view: new ContextView({ price: /** @type {any} */ (name) }),
      ours: new CacheBiller(price, tokensOf, bytesOf),
      alone: new CacheBiller(price, tokensOf, bytesOf),
    }));
    /** @type {any[]} */
    const stored = [];
    let now = 0;
    for (const { usage: _, ...message } of messages) {
      if (message.role === 'assistant') {
        now = Math.max(now + 1000, stored.at(-1)?.timestamp ?? 0);
        const whole = mended.project(stored, { now }).messages;
        for (const { name, view, ours, alone } of accounts) {
          ours.bill(view.project(stored, { now }).messages, now);
          alone.bill(whole, now);
          assert.ok(ours.cost <= 1.02 * alone.cost, `${name}: ${ours.cost / alone.cost}`);
        }
      }
      stored.push(message);
    }
    const hasImages = stored.some(
      ({ content }) => Array.isArray(content) && content.some(({ type }) => /image/.test(type)),
    );
    const tolerance = hasImages ? LEDGER_TOLERANCE_WITH_IMAGES : LEDGER_TOLERANCE;
    for (const { name, view, ours, alone } of accounts) {
      if (alone.cost < BILLED_TOKENS) continue;
      const { cost, costLeftAlone } = view.ledger();
      for (const [what, noted, billed] of /** @type {[string, number, number][]} */ ([
        ['cost', cost, ours.cost],
        ['costLeftAlone', costLeftAlone, alone.cost],
      ])) {
        const off = Math.abs(noted / billed - 1);
        assert.ok(off <= tolerance, `${name}: ledger().${what} is ${(100 * off).toFixed(1)} % off the bill`);
      }
    }
  },
  { timeout: PATIENCE_MS },
);
