// @ts-check
/** Usage reports correct the ledger and decide nothing; positions of cache breakpoints. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContextView } from 'palimpsest';
import { START } from '../support/histories.mjs';
import { bashSession } from '../support/view-sessions.mjs';

const HOUR = 3_600_000;

describe('R10.6 usage reports', () => {
  const big = bashSession(40, 'b');
  for (const [provider, usage] of /** @type {[string, object][]} */ ([
    ['Anthropic', { input_tokens: 90_000, cache_read_input_tokens: 0, cache_creation_input_tokens: 10 }],
    ['OpenAI', { prompt_tokens: 90_000, prompt_tokens_details: { cached_tokens: 0 } }],
    ['OpenAI responses', { input_tokens: 90_000, input_tokens_details: { cached_tokens: 0 } }],
    ['DeepSeek', { prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 90_000 }],
    ['Gemini', { promptTokenCount: 90_000, cachedContentTokenCount: 0 }],
  ])) {
    test(`a report of ${provider} without cached tokens raises the cost in the ledger, and leaves the plan unchanged`, () => {
      const [view, unreported] = [0, 1].map(() => {
        const view = new ContextView({ outdatedBy: 'age', price: 'anthropic-1h', maxExtraCost: 0 });
        view.project(big.slice(0, -2), { now: START + 60_000 });
        view.project(big, { now: START + 14 * 60_000 });
        return view;
      });
      const plan = view?.plan({ now: START + 14 * 60_000 });
      view?.observe(usage);
      assert.ok(Number(view?.ledger().cost) > Number(unreported?.ledger().cost), 'the lost prefix is billed again');
      const { cost: _, costLeftAlone: __, ...decided } = /** @type {any} */ (view).plan({ now: START + 14 * 60_000 });
      assert.deepEqual({ ...plan, ...decided }, plan);
    });
  }

  test('a report on a stored assistant message counts like one passed to `observe`, and only once', () => {
    const [observing, reading] = [new ContextView({ price: 'openai' }), new ContextView({ price: 'openai' })];
    const usage = { prompt_tokens: 90_000, prompt_tokens_details: { cached_tokens: 0 } };
    const answered = [...big, { role: 'assistant', content: 'done', usage }];
    for (const view of [observing, reading]) {
      view.project(big.slice(0, -2), { now: START });
      view.project(big, { now: START + 1000 });
    }
    observing.observe(usage);
    for (const view of [observing, reading]) view.project(answered, { now: START + 2000 });
    assert.deepEqual(reading.ledger(), observing.ledger());
  });
});

describe('R10.8 breakpoints', () => {
  test('are at most four: after the system prompt, before pending results, and at the end', () => {
    const view = new ContextView({ outdatedBy: 'age', price: 'anthropic' });
    const messages = bashSession(30, 'marks');
    view.project(messages, { now: START + HOUR });
    const marks = view.breakpoints();
    assert.ok(marks.length <= 4);
    assert.equal(marks[0], 0);
    assert.equal(marks.at(-1), messages.length - 1);
    assert.deepEqual(new ContextView().breakpoints(), []);
  });
});
