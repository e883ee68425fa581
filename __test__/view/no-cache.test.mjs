// @ts-check
/** Providers without a cache: price `none`, and reports without cached tokens. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ContextView, prepareMessages, TokenCounter } from 'palimpsest';
import { CacheBiller, COST_LIMIT, PRICES } from '../support/cache-biller.mjs';
import { exchange, START } from '../support/histories.mjs';
import { play, steps } from '../support/view-sessions.mjs';

/** Usage reports of requests without cached tokens. */
const REPORTS = /** @type {[string, object][]} */ ([
  ['Anthropic', { input_tokens: 90_000, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }],
  ['OpenAI', { prompt_tokens: 90_000, prompt_tokens_details: { cached_tokens: 0 } }],
  ['OpenAI without details', { prompt_tokens: 90_000 }],
  ['DeepSeek', { prompt_tokens: 90_000, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 90_000 }],
  ['Gemini', { promptTokenCount: 90_000, cachedContentTokenCount: 0 }],
]);
const REQUESTS = 12;

/** A call and its old result. @param {number} turn @param {object} [usage] */
function turnOf(turn, usage) {
  const id = `call_${turn}`;
  const timestamp = START - 3_600_000;
  const [call, result] = exchange(id, 'bash', { command: 'ls' }, `out ${id} `.repeat(60), { timestamp });
  return [{ ...call, ...(usage && { usage }) }, result];
}

describe('R10.6 a provider without a cache', () => {
  for (const [provider, usage] of REPORTS) {
    for (const where of ['passed to `observe`', 'on assistant messages']) {
      test(`is known by its price: a report of ${provider} ${where} changes no removal`, () => {
        const sent = (/** @type {'deepseek' | 'none'} */ price, /** @type {boolean} */ isReported) => {
          const view = new ContextView({ price, outdatedBy: 'age' });
          /** @type {any[]} */
          const messages = [{ role: 'user', content: 'Go on. '.repeat(600), timestamp: START }];
          for (let turn = 0; turn < REQUESTS; turn++) {
            view.project(messages);
            if (isReported && where.startsWith('passed')) view.observe(usage);
            messages.push(...turnOf(turn, isReported && where.startsWith('on') ? usage : undefined));
          }
          const { report } = view.project(messages);
          return { changed: report.changed, reason: view.ledger().entries.at(-1)?.reason };
        };
        assert.deepEqual(sent('deepseek', true), sent('deepseek', false));
        assert.deepEqual(sent('none', true), { changed: REQUESTS - 5, reason: 'no-cache' }, 'all but the newest five');
      });
    }
  }
});

test('R10.6 without a cache and with reports of it, no request costs more than the unmodified history', () => {
  const counter = new TokenCounter();
  const tokensOf = (/** @type {any} */ message) => counter.countMessage(message);
  const [, usage] = /** @type {[string, object]} */ (REPORTS[3]);
  fc.assert(
    fc.property(steps(40), fc.constantFrom('anthropic', 'openai', 'deepseek', 'gemini'), (plan, price) => {
      const view = new ContextView({ price, outdatedBy: 'age' });
      const baseline = new ContextView({ price, outdatedBy: 'nothing' });
      const [billed, unmodified] = [new CacheBiller(PRICES.none, tokensOf), new CacheBiller(PRICES.none, tokensOf)];
      play(plan, (stored, now) => {
        billed.bill(view.project(stored, { now }).messages, now);
        unmodified.bill(baseline.project(stored, { now }).messages, now);
        for (const each of [view, baseline]) each.observe(usage);
        assert.ok(billed.cost <= unmodified.cost);
        const { cost, costLeftAlone } = view.ledger();
        assert.ok(cost <= COST_LIMIT * costLeftAlone);
      });
    }),
    { endOnFailure: true, numRuns: 30 },
  );
});

test("R10.7 with price 'none' a view counts no tokens until `ledger()` is called, and then has the same bill", (t) => {
  const native = createRequire(import.meta.url)('../../lib/native.js');
  const counted = t.mock.method(native.TokenModel.prototype, 'countEach');
  const options = /** @type {const} */ ({ price: 'none', placeholderLanguage: 'en' });
  const [withLedger, withoutLedger] = [new ContextView(options), new ContextView(options)];
  /** @type {any[]} */
  const messages = [{ role: 'user', content: 'Go on.' }];
  const bills = { withLedger: /** @type {unknown} */ (null), withoutLedger: /** @type {unknown} */ (null) };
  for (let turn = 0; turn < REQUESTS; turn++) {
    const [call, result] = turnOf(turn);
    // Every third call is interrupted.
    messages.push(call, turn % 3 === 1 ? { role: 'user', content: 'Stop.' } : result);
    const now = START + turn * 1000;
    const before = counted.mock.callCount();
    const sent = withoutLedger.project(messages, { now }).messages;
    assert.equal(counted.mock.callCount(), before, 'without `ledger()` no tokens are counted');
    assert.deepEqual(sent, withLedger.project(messages, { now }).messages);
    bills.withLedger = withLedger.ledger();
    if (turn === REQUESTS - 1) bills.withoutLedger = withoutLedger.ledger();
  }
  assert.ok(counted.mock.callCount() > 0);
  assert.deepEqual(bills.withoutLedger, bills.withLedger);
});

test("R10.4 with price 'none' a view sends at each request what prepareMessages returns for the same messages", () => {
  const options = { terminal: false, fileReads: false, textSearch: false };
  const rules = [
    { name: 'old', tools: ['Bash', 'Read', 'Grep'], maxAgeMs: 600_000, keepRecent: 3, placeholder: '[old]' },
    {
      name: 'read',
      tools: ['Read'],
      groupBy: /** @type {const} */ ('path'),
      pathKeys: ['file_path'],
      placeholder: '[x]',
    },
  ];
  fc.assert(
    fc.property(steps(60), (plan) => {
      const view = new ContextView({
        price: 'none',
        outdatedBy: 'nothing',
        orphans: 'remove',
        rules,
      });
      /** @type {any[]} */
      let sent = [];
      play(plan, (stored, now) => {
        ({ messages: sent } = view.project(stored, { now }));
        const expected = prepareMessages(stored, { now, unknownAge: 'keep', ...options, rules }).messages;
        assert.deepEqual(sent, expected);
      });
    }),
    { endOnFailure: true, numRuns: 40 },
  );
});

test("R10.12 with price 'none' a call of `ledger()` changes nothing that is sent", () => {
  const [withLedger, withoutLedger] = [0, 1].map(
    () =>
      new ContextView({ price: 'none', outdatedBy: 'age', terminal: { keepRecent: 0, maxAgeMs: 0, placeholder: '-' } }),
  );
  const call = (/** @type {string} */ id) => ({ id, function: { name: 'bash', arguments: '{"command":"ls"}' } });
  // The content `gone` and the placeholder `-` are one token each.
  const round = (/** @type {number} */ at) => [
    { role: 'assistant', content: '', tool_calls: [call(`c${at}`)], timestamp: at * 1_000 },
    { role: 'tool', tool_call_id: `c${at}`, content: 'gone', timestamp: at * 1_000 + 500 },
    { role: 'assistant', content: 'so', timestamp: at * 1_000 + 700 },
  ];
  const now = 1e9;
  const first = [{ role: 'user', content: 'go', timestamp: 1 }, ...round(1)];
  for (const view of [withLedger, withoutLedger]) view?.project(first, { now });
  withLedger?.ledger();
  const longer = [...first, ...round(2)];
  assert.deepEqual(withLedger?.project(longer, { now }).messages, withoutLedger?.project(longer, { now }).messages);
  assert.equal(withoutLedger?.project(longer, { now }).messages[2]?.content, '-');
});
