// @ts-check
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenCalibration } from 'palimpsest';
import { Conversation, PROVIDERS } from '../support/providers.mjs';

const COMPACT_AT = 120_000;
const SEEDS = [1, 2, 3, 4, 5];
/** What R6.3 promises. */
const WHILE_GROWING = 0.005;
const AFTER_COMPACTION = 0.03;

/** @param {number} predicted @param {number} real */
const offBy = (predicted, real) => Math.abs(predicted - real) / real;
const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Plays a session request by request as a host would, and notes how far each prediction was off.
 * @param {(typeof PROVIDERS)[keyof typeof PROVIDERS]} provider
 * @param {number} seed
 * @param {(turn: number, conversation: Conversation) => { usage?: unknown } | undefined} [accident]
 */
function play(provider, seed, accident) {
  const calibration = new TokenCalibration({ model: provider.model, maxContextTokens: 200_000 });
  const conversation = new Conversation(provider.kinds, seed);
  /** @type {number[]} */ const growing = [];
  /** @type {number[]} */ const compacted = [];
  let prefixUnchanged = true;
  for (let turn = 0; turn < 500; turn++) {
    conversation.turn();
    const happened = accident?.(turn, conversation);
    const { estimate, real, mediaShare } = conversation;
    const { tokens, settled } = calibration.predict(estimate, { prefixUnchanged });
    if (settled) (prefixUnchanged ? growing : compacted).push(offBy(tokens, real));
    const usage = /** @type {any} */ (happened && 'usage' in happened ? happened.usage : provider.usage(real));
    calibration.observe({ usage, estimate, mediaShare });
    prefixUnchanged = real < COMPACT_AT;
    if (!prefixUnchanged) conversation.compact(0.6);
  }
  return { growing, compacted, calibration };
}

/**
 * @param {TokenCalibration} calibration
 * @param {number} turns each adds 1,000 estimated and 1,050 real tokens to a hidden 14,000
 */
function teach(calibration, turns) {
  for (let turn = 1; turn <= turns; turn++) {
    assert.equal(calibration.observe(request(turn)).outcome, 'learned');
  }
  return calibration;
}

const request = (/** @type {number} */ turn) => ({
  usage: { prompt_tokens: 14_000 + 1_050 * turn },
  estimate: 1_000 * turn,
});
const taught = (turns = 40) =>
  teach(new TokenCalibration({ model: 'deepseek-chat', maxContextTokens: 200_000 }), turns);

describe('R6.3 calibration against simulated providers', () => {
  for (const [name, provider] of Object.entries(PROVIDERS)) {
    it(`${name}: at most 0.5 % off between compactions and 3 % right after one`, () => {
      for (const seed of SEEDS) {
        const { growing, compacted } = play(provider, seed);
        assert.ok(compacted.length >= 4, `${compacted.length} compactions`);
        assert.ok(mean(growing) <= WHILE_GROWING, `seed ${seed}: ${mean(growing)} while growing`);
        assert.ok(Math.max(...compacted) <= AFTER_COMPACTION, `seed ${seed}: ${Math.max(...compacted)} after one`);
      }
    });

    it(`${name}: wrong figures now and then change neither`, () => {
      for (const seed of SEEDS) {
        let last = {};
        const { growing, compacted } = play(provider, seed, (turn, { real }) => {
          const right = provider.usage(real);
          const wrong = [provider.usage(0), provider.usage(2 * real), last, provider.usage(9e8), { total: 5 }, null];
          const usage = turn % 7 === 6 ? wrong[((turn / 7) % wrong.length) | 0] : right;
          if (usage === right) last = right;
          return { usage };
        });
        assert.ok(mean(growing) <= WHILE_GROWING, `seed ${seed}: ${mean(growing)} while growing`);
        assert.ok(Math.max(...compacted) <= AFTER_COMPACTION, `seed ${seed}: ${Math.max(...compacted)} after one`);
      }
    });

    it(`${name}: turns with images that cost more than their formula says`, () => {
      for (const seed of SEEDS) {
        const { growing, compacted } = play(provider, seed, (turn, conversation) => {
          if (turn % 25 === 24) conversation.addImage(1_500, 1_700);
          return undefined;
        });
        assert.ok(mean(growing) <= WHILE_GROWING, `seed ${seed}: ${mean(growing)} while growing`);
        assert.ok(Math.max(...compacted) <= AFTER_COMPACTION, `seed ${seed}: ${Math.max(...compacted)} after one`);
      }
    });
  }
});

describe('EDGE-CASES: what went wrong for others', () => {
  it('5 usage from before the compaction does not retrigger', () => {
    const calibration = taught(100);
    for (const estimate of [30_000, 30_500]) {
      assert.deepEqual(calibration.observe({ ...request(100), estimate }), {
        outcome: 'ignored',
        reason: 'stale',
        promptTokens: 119_000,
      });
      assert.ok(offBy(calibration.predict(estimate).tokens, 14_000 + 1.05 * estimate) < AFTER_COMPACTION);
    }
  });

  it('5 a failed compaction does not zero usage', () => {
    const calibration = taught();
    const before = calibration.predict(41_000);
    assert.equal(calibration.observe({ usage: { prompt_tokens: 0 }, estimate: 41_000 }).reason, 'zero');
    assert.deepEqual(calibration.predict(41_000), before);
  });

  it('6 doubled usage is ignored', () => {
    const calibration = taught();
    const before = calibration.export();
    const doubled = { usage: { prompt_tokens: 2 * (14_000 + 1_050 * 41) }, estimate: 41_000 };
    assert.equal(calibration.observe(doubled).reason, 'outlier');
    assert.deepEqual(calibration.export(), before);
  });

  it('6 usage above the window is ignored', () => {
    const calibration = taught();
    const { outcome, reason } = calibration.observe({ usage: { prompt_tokens: 200_001 }, estimate: 41_000 });
    assert.deepEqual([outcome, reason], ['ignored', 'impossible']);
  });

  it('7 usage of zero, or none, leaves the estimate in use', () => {
    const calibration = new TokenCalibration({ model: 'gpt-5' });
    for (const usage of [{ prompt_tokens: 0 }, { input_tokens: 0, output_tokens: 0 }, 0]) {
      assert.deepEqual(calibration.observe({ usage, estimate: 5_000 }), {
        outcome: 'ignored',
        reason: 'zero',
        promptTokens: null,
      });
    }
    for (const usage of [{}, null, undefined, { prompt_tokens: '900' }, { prompt_tokens: null }, []]) {
      assert.equal(calibration.observe({ usage, estimate: 5_000 }).reason, 'missing');
    }
    assert.equal(calibration.predict(5_000).tokens, 5_000);
  });

  it('8 two hundred tool calls in one turn: every request can be predicted from the last figure', () => {
    const calibration = taught(10);
    const { estimate, usage } = request(10);
    for (let call = 1; call <= 200; call++) {
      const { tokens } = calibration.predict(estimate + 100 * call);
      assert.ok(offBy(tokens, usage.prompt_tokens + 105 * call) < 0.01);
    }
  });

  it('13 the system prompt and tools that no message shows are counted', () => {
    const { overhead, slope } = taught(60).export();
    assert.ok(offBy(overhead, 14_000) < 0.03, `${overhead}`);
    assert.ok(offBy(slope, 1.05) < 0.01, `${slope}`);
  });

  it('negative, infinite and NaN usage is impossible, and a throwing getter is missing', () => {
    const calibration = taught();
    for (const value of [-5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.equal(calibration.observe({ usage: { prompt_tokens: value }, estimate: 1 }).reason, 'impossible');
    }
    const usage = {
      get prompt_tokens() {
        throw new Error('no');
      },
    };
    assert.equal(calibration.observe({ usage, estimate: 1 }).reason, 'missing');
  });

  it('usage that counts only what the cache did not hold is impossible', () => {
    assert.equal(taught().observe({ usage: { input_tokens: 900 }, estimate: 41_000 }).reason, 'impossible');
  });

  it('messages edited since they were sent are no sample, and the old anchor no longer holds', () => {
    const calibration = taught();
    const observation = { usage: { prompt_tokens: 40_000 }, estimate: 41_000, prefixUnchanged: false };
    assert.equal(calibration.observe(observation).reason, 'edited');
    assert.equal(calibration.export().anchor, null);
    assert.equal(calibration.export().samples, 40);
  });

  it('29 a prompt of images anchors and does not teach', () => {
    const calibration = taught();
    const { slope, overhead } = calibration.export();
    const tokens = 14_000 + 1_050 * 41 + 9_000;
    const seen = calibration.observe({ usage: tokens, estimate: 48_000, mediaShare: 0.15 });
    assert.deepEqual(seen, { outcome: 'anchored', reason: 'media', promptTokens: tokens });
    assert.deepEqual(
      { ...calibration.export(), anchor: null },
      { ...calibration.export(), slope, overhead, anchor: null },
    );
    assert.ok(offBy(calibration.predict(49_000).tokens, tokens + 1_050) < WHILE_GROWING);
  });
});

describe('usage in every provider’s own words', () => {
  /** @type {Record<string, object>} */
  const reports = {
    'OpenAI chat': { prompt_tokens: 900, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 512 } },
    'OpenAI responses': { input_tokens: 900, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5 },
    Anthropic: { input_tokens: 10, cache_read_input_tokens: 800, cache_creation_input_tokens: 90, output_tokens: 5 },
    DeepSeek: { prompt_tokens: 900, prompt_cache_hit_tokens: 640, prompt_cache_miss_tokens: 260 },
    Gemini: { promptTokenCount: 900, cachedContentTokenCount: 300, candidatesTokenCount: 5 },
    'the terminal agent, OpenAI': { prompt_tokens: 900, completion_tokens: 5, cached_tokens: 512 },
    'the terminal agent, Anthropic': {
      prompt_tokens: 10,
      completion_tokens: 5,
      cache_creation_input_tokens: 90,
      cache_read_input_tokens: 800,
    },
    'the agent server': { promptTokens: 900 },
  };
  for (const [provider, usage] of Object.entries(reports)) {
    it(provider, () => {
      assert.equal(new TokenCalibration().observe({ usage, estimate: 800 }).promptTokens, 900);
    });
  }
});

describe('TokenCalibration', () => {
  it('gives a margin until three figures were learned', () => {
    const calibration = new TokenCalibration({ model: 'claude-opus-4-7' });
    const before = calibration.predict(50_000);
    assert.equal(before.settled, false);
    assert.ok(before.margin > 14_000, `${before.margin}`);
    teach(calibration, 3);
    assert.deepEqual({ ...calibration.predict(4_000), tokens: 0 }, { tokens: 0, margin: 0, settled: true });
  });

  it('starts from the family’s ratio when estimates are plain o200k tokens', () => {
    const predict = (/** @type {string} */ model) =>
      new TokenCalibration({ model, estimatedIn: 'o200k_base' }).predict(10_000).tokens;
    assert.deepEqual(
      ['gpt-5', 'gemini-3-pro', 'claude-opus-4-6', 'something'].map(predict),
      [10_000, 11_471, 12_265, 11_625],
    );
  });

  it('goes on after a restart', () => {
    const calibration = new TokenCalibration({
      provider: 'deepseek',
      model: 'deepseek-chat',
      maxContextTokens: 131_072,
    });
    teach(calibration, 30);
    const state = JSON.parse(JSON.stringify(calibration.export()));
    const restored = TokenCalibration.import(state);
    assert.deepEqual(restored.export(), state);
    assert.deepEqual(restored.predict(31_000), calibration.predict(31_000));
    assert.deepEqual(restored.observe(request(31)), calibration.observe(request(31)));
    assert.deepEqual(restored.export(), calibration.export());
    const untaught = new TokenCalibration().export();
    assert.deepEqual(TokenCalibration.import(JSON.parse(JSON.stringify(untaught))).export(), untaught);
  });

  it('refuses what export did not give', () => {
    const state = taught().export();
    const broken = [
      { ...state, version: 2 },
      { ...state, slope: 7 },
      { ...state, overhead: '5' },
      { ...state, covariance: [1, 2] },
      { ...state, covariance: undefined },
      { ...state, samples: -1 },
      { ...state, anchor: {} },
      { ...state, anchor: undefined },
      { ...state, anchor: { estimate: 1, tokens: Number.NaN } },
    ];
    for (const wrong of broken) {
      assert.throws(() => TokenCalibration.import(/** @type {any} */ (wrong)), {
        name: 'RangeError',
        code: 'ERR_OUT_OF_RANGE',
      });
    }
    for (const wrong of [null, undefined, 'x', { ...state, model: 5 }]) {
      assert.throws(() => TokenCalibration.import(/** @type {any} */ (wrong)), {
        name: 'TypeError',
        code: 'ERR_INVALID_ARG_TYPE',
      });
    }
  });

  it('R0.3 refuses wrong arguments by name', () => {
    const calibration = new TokenCalibration();
    /** @type {[() => unknown, string, RegExp][]} */
    const wrong = [
      [() => new TokenCalibration(/** @type {any} */ ('gpt-5')), 'TypeError', /^options: expected an object/],
      [() => new TokenCalibration(/** @type {any} */ ({ model: 5 })), 'TypeError', /^options\.model: /],
      [() => new TokenCalibration({ maxContextTokens: 0 }), 'RangeError', /^options\.maxContextTokens: /],
      [() => new TokenCalibration(/** @type {any} */ ({ estimatedIn: 'chars' })), 'RangeError', /'chars'/],
      [() => calibration.observe(/** @type {any} */ (undefined)), 'TypeError', /^observation: /],
      [() => calibration.observe({ usage: 5, estimate: -1 }), 'RangeError', /^observation\.estimate: .*-1$/],
      [() => calibration.observe({ usage: 5, estimate: 1, mediaShare: 2 }), 'RangeError', /^observation\.mediaShare: /],
      [
        () => calibration.observe(/** @type {any} */ ({ usage: 'x', estimate: 1 })),
        'TypeError',
        /^observation\.usage: /,
      ],
      [() => calibration.predict(Number.NaN), 'RangeError', /^estimate: .*NaN$/],
      [() => calibration.predict(/** @type {any} */ ('5')), 'TypeError', /^estimate: /],
      [() => calibration.predict(5, /** @type {any} */ ({ prefixUnchanged: 1 })), 'TypeError', /prefixUnchanged/],
    ];
    for (const [call, name, message] of wrong) assert.throws(call, { name, message });
  });
});
