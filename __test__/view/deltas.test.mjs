// @ts-check
/** A view's state in pieces: a snapshot, and what each request adds to it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ContextView, expandHistory } from 'palimpsest';
import { START } from '../support/histories.mjs';
import { play, steps } from '../support/view-sessions.mjs';

const RUNS = { endOnFailure: true, numRuns: 30 };

/** In dearer conversations a ledger may be off by a hundredth. */
const LEAST_COST = 5_000;

/** What a store would have of a view: all that it exported. */
class Kept {
  snapshot = '';
  /** @type {string[]} */ deltas = [];

  /** @param {ContextView} view @param {boolean} [whole] */
  take(view, whole = false) {
    const told = view.exportDelta({ whole });
    if ('state' in told) [this.snapshot, this.deltas] = [told.state, []];
    else this.deltas.push(told.delta);
  }

  /** @param {any} [options] */
  view(options) {
    return ContextView.import(this.snapshot, options, this.deltas);
  }
}

/** Answers that were given already. @param {number} count @returns {any[]} */
const chat = (count) =>
  Array.from({ length: count }, (_, at) => ({
    role: at % 2 ? 'assistant' : 'user',
    content: `message ${at}: ${`said ${at} times. `.repeat(60)}`,
    ...(at % 2 && { usage: { prompt_tokens: 100 * at, completion_tokens: 9 } }),
    id: `m${at}`,
  }));

const COMPRESSED = { autoCompressionSummaryModel: 'small', autoCompressionKeepRecentCount: 4, maxContextTokens: 8_000 };
const SUMMARY = '目标: go on\n决定: none\n已完成: all of it\n未完成: nothing\n文件: a.ts\n失败: none';

const prices = fc.constantFrom('anthropic', 'openai-older', 'deepseek', 'none');
const rules = fc.constantFrom(/** @type {const} */ ('age'), /** @type {const} */ ('kind'));
const memory = fc.constantFrom(/** @type {const} */ ('object'), /** @type {const} */ ('messages'));
/** @param {number} total */
const usage = (total) => ({ prompt_tokens: total, prompt_tokens_details: { cached_tokens: Math.floor(total / 2) } });

test('R15.4 a snapshot with all deltas since is what export() gives, whatever the host does', () => {
  fc.assert(
    fc.property(steps(60), prices, memory, fc.boolean(), fc.nat(9), (plan, price, memory, isTimed, every) => {
      const view = new ContextView({ price, memory, outdatedBy: every % 2 ? 'age' : 'kind' });
      const kept = new Kept();
      let request = 0;
      const compare = (/** @type {any[]} */ stored, /** @type {number} */ now) => {
        view.project(stored, { now });
        if (request % 3 === 0) view.observe(usage(4_000 + request));
        if (request % 7 === 0) view.project(stored.slice(0, -1), { now, side: true });
        if (request % 11 === 0) view.export();
        if (request++ % (every + 1) === 0) kept.take(view, request % 20 === 0);
      };
      play(plan, compare, { isTimed });
      kept.take(view);
      assert.deepEqual(kept.view().export(), view.export());
    }),
    RUNS,
  );
});

const odds = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant(/** @type {const} */ ('grow')), by: fc.integer({ min: 1, max: 24 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom(/** @type {const} */ ('cut'), /** @type {const} */ ('edit')),
      by: fc.nat(40),
    }),
  },
);

test('R15.4 so it is where conversations are compressed, cut and edited', async () => {
  let summaries = 0;
  const llmClient = async () => {
    summaries++;
    return SUMMARY;
  };
  const options = { compression: { config: COMPRESSED, llmClient } };
  await fc.assert(
    fc.asyncProperty(
      fc.array(odds, { minLength: 4, maxLength: 14 }),
      fc.integer({ min: 1, max: 3 }),
      async (plan, every) => {
        const [view, kept] = [new ContextView(options), new Kept()];
        let stored = chat(2);
        let made = stored.length;
        for (const [at, { does, by }] of plan.entries()) {
          if (does === 'cut') stored = stored.slice(0, Math.max(2, stored.length - by));
          if (does === 'edit') stored = stored.with(by % stored.length, { role: 'user', content: `edited ${at}` });
          // By turns, so that the user has the word where the assistant had it.
          for (let more = 0; does === 'grow' && more < by; more++) stored = [...stored, ...chat(made++ + 1).slice(-1)];
          await view.prepare(stored, { now: START + at * 1_000 });
          if (at % every === 0) kept.take(view);
          if (at % 5 === 4) view.export();
        }
        kept.take(view);
        assert.deepEqual(kept.view(options).export(), view.export());
      },
    ),
    { ...RUNS, numRuns: 15 },
  );
  assert.ok(summaries > 0, 'something is compressed');
});

test('R15.2 a new process for each request sends the bytes of one that lives, with requests beside and reports', () => {
  fc.assert(
    fc.property(steps(50), prices, memory, fc.boolean(), rules, (plan, price, memory, isTimed, outdatedBy) => {
      const options = { price, memory, outdatedBy };
      const [one, kept] = [new ContextView(options), new Kept()];
      kept.take(new ContextView(options));
      let request = 0;
      const bytes = (/** @type {ContextView} */ view, /** @type {any[]} */ stored, /** @type {any} */ asked) =>
        JSON.stringify(view.project(structuredClone(stored), asked).messages);
      const compare = (/** @type {any[]} */ stored, /** @type {number} */ now) => {
        request++;
        const asked = [{ messages: stored, now, side: false }];
        if (request % 5 === 0) asked.push({ messages: stored, now, side: true });
        const earlier = stored.slice(0, -1 - (request % 5));
        if (request % 6 === 0) asked.push({ messages: earlier, now, side: false });
        if (request % 8 === 0) asked.push({ messages: [{ role: 'user', content: 'A title?' }], now, side: true });
        for (const { messages, ...how } of asked) {
          const view = kept.view();
          assert.equal(bytes(view, messages, how), bytes(one, messages, how), `request ${request}`);
          kept.take(view);
        }
        const [told, lived] = [kept.view().ledger(), one.ledger()];
        assert.deepEqual([told.requests, told.entries.length], [lived.requests, lived.entries.length]);
        // A later process doesn't know what an interrupted call was answered ahead of a rewind, nor how roughly a title was weighed: some
        // fifty tokens each.
        const most = lived.cost < LEAST_COST ? 100 : 0.01 * lived.cost;
        assert.ok(Math.abs(told.cost - lived.cost) <= most, `${told.cost}, ${lived.cost}`);
      };
      play(plan, compare, { isTimed });
    }),
    RUNS,
  );
});

test('R15.4 at 5,000 messages what a request adds is less than a kilobyte, nineteen times in twenty', () => {
  const view = new ContextView({ price: 'anthropic' });
  const stored = /** @type {any[]} */ ([{ role: 'system', content: 'Be careful. '.repeat(500) }]);
  const sizes = [];
  for (let turn = 0; turn < 2_500; turn++) {
    const call = { name: turn % 3 ? 'bash' : 'read', arguments: JSON.stringify({ command: `make ${turn}` }) };
    stored.push(
      { role: 'assistant', content: 'Next.', tool_calls: [{ id: `c${turn}`, type: 'function', function: call }] },
      { role: 'tool', tool_call_id: `c${turn}`, content: `result ${turn} ${'line '.repeat(200)}` },
    );
    if (turn % 50 !== 0 && turn < 2_300) continue;
    view.project(stored, { now: START + turn * 20_000 });
    const told = view.exportDelta();
    if (turn > 2_300) sizes.push(/** @type {any} */ (told).delta.length);
  }
  sizes.sort((a, b) => a - b);
  const [median, p95] = [0.5, 0.95].map((share) => sizes[Math.floor(sizes.length * share)] ?? Number.NaN);
  assert.ok(p95 < 1_000, `median ${median}, 95th percentile ${p95}`);
});

test('R15.4 an export holds none of the host’s messages, and a new process has them in its summaries all the same', async () => {
  let calls = 0;
  const llmClient = async () => {
    calls++;
    return SUMMARY;
  };
  const options = { compression: { config: COMPRESSED, llmClient } };
  const [one, kept] = [new ContextView(options), new Kept()];
  kept.take(new ContextView(options));
  const all = [{ role: 'system', content: 'You are careful.' }, ...chat(160)];
  for (let length = 30; length <= all.length; length += 10) {
    const stored = all.slice(0, length);
    const asked = { now: START + length * 1_000 };
    const expected = await one.prepare(structuredClone(stored), asked);
    const before = calls;
    const view = kept.view(options);
    const prepared = await view.prepare(structuredClone(stored), asked);
    const isNew = calls > before;
    kept.take(view);
    if (isNew) assert.equal(prepared.compression.did, expected.compression.did);
    else assert.deepEqual(prepared.messages.length, expected.messages.length);
    assert.deepEqual(expandHistory(prepared.history), stored);
    const text = [kept.snapshot, ...kept.deltas, JSON.stringify(view.export())].join();
    assert.ok(!text.includes('said 3 times'), 'an original is in the export');
    assert.deepEqual(kept.view(options).export(), view.export());
  }
  assert.ok(calls >= 4, `${calls} summaries`);
});
