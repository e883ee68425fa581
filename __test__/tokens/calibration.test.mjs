// @ts-check
/** TokenCalibration: how exact its predictions are, and which usage reports it ignores. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenCalibration } from 'palimpsest';
import { Conversation, PROVIDERS } from '../support/providers.mjs';

const COMPACT_AT = 120_000;
const SEEDS = [1, 2, 3, 4, 5];
/** The largest relative errors: mean between compactions, and each after one. */
const MAX_WHILE_GROWING = 0.005;
const MAX_AFTER_COMPACTION = 0.03;

/** @param {number} predicted @param {number} real */
const relativeError = (predicted, real) => Math.abs(predicted - real) / real;
const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Plays a session request by request like an application, and returns the relative error of each prediction.
 * @param {(typeof PROVIDERS)[keyof typeof PROVIDERS]} provider
 * @param {number} seed
 * @param {(turn: number, conversation: Conversation) => { usage?: unknown } | undefined} [disturb]
 */
function play(provider, seed, disturb) {
  const calibration = new TokenCalibration({ model: provider.model, maxContextTokens: 200_000 });
  const conversation = new Conversation(provider.kinds, seed);
  /** @type {number[]} */ const growing = [];
  /** @type {number[]} */ const compacted = [];
  let prefixUnchanged = true;
  for (let turn = 0; turn < 500; turn++) {
    conversation.turn();
    const disturbance = disturb?.(turn, conversation);
    const { estimate, real, mediaShare } = conversation;
    const { tokens, settled } = calibration.predict(estimate, { prefixUnchanged });
    if (settled) (prefixUnchanged ? growing : compacted).push(relativeError(tokens, real));
    const usage = /** @type {any} */ (disturbance && 'usage' in disturbance ? disturbance.usage : provider.usage(real));
    calibration.observe({ usage, estimate, mediaShare });
    prefixUnchanged = real < COMPACT_AT;
    if (!prefixUnchanged) conversation.compact(0.6);
  }
  return { growing, compacted, calibration };
}

/** @param {{ growing: number[], compacted: number[] }} errors @param {number} seed */
function assertAccurate({ growing, compacted }, seed) {
  assert.ok(mean(growing) <= MAX_WHILE_GROWING, `seed ${seed}: ${mean(growing)} while growing`);
  assert.ok(Math.max(...compacted) <= MAX_AFTER_COMPACTION, `seed ${seed}: ${Math.max(...compacted)} after one`);
}

/**
 * @param {TokenCalibration} calibration
 * @param {number} turns each adds 1,000 estimated and 1,050 real tokens to a hidden 14,000
 */
function train(calibration, turns) {
  for (let turn = 1; turn <= turns; turn++) {
    assert.equal(calibration.observe(request(turn)).outcome, 'learned');
  }
  return calibration;
}

const request = (/** @type {number} */ turn) => ({
  usage: { prompt_tokens: 14_000 + 1_050 * turn },
  estimate: 1_000 * turn,
});
const trained = (turns = 40) =>
  train(new TokenCalibration({ model: 'deepseek-chat', maxContextTokens: 200_000 }), turns);

describe('R6.3 calibration against simulated providers', () => {
  for (const [name, provider] of Object.entries(PROVIDERS)) {
    it(`${name}: predictions are at most 0.5 % off between compactions, and 3 % right after one`, () => {
      for (const seed of SEEDS) {
        const errors = play(provider, seed);
        assert.ok(errors.compacted.length >= 4, `${errors.compacted.length} compactions`);
        assertAccurate(errors, seed);
      }
    });

    it(`${name}: predictions are as exact if every seventh report is wrong`, () => {
      for (const seed of SEEDS) {
        let last = {};
        const errors = play(provider, seed, (turn, { real }) => {
          const right = provider.usage(real);
          const wrong = [provider.usage(0), provider.usage(2 * real), last, provider.usage(9e8), { total: 5 }, null];
          const usage = turn % 7 === 6 ? wrong[((turn / 7) % wrong.length) | 0] : right;
          if (usage === right) last = right;
          return { usage };
        });
        assertAccurate(errors, seed);
      }
    });

    it(`${name}: predictions are as exact if images cost more than estimated`, () => {
      for (const seed of SEEDS) {
        const errors = play(provider, seed, (turn, conversation) => {
          if (turn % 25 === 24) conversation.addImage(1_500, 1_700);
          return undefined;
        });
        assertAccurate(errors, seed);
      }
    });
  }
});

describe('R6.3 TokenCalibration.observe', () => {
  it('EDGE 5 ignores usage from before a compaction as stale', () => {
    const calibration = trained(100);
    for (const estimate of [30_000, 30_500]) {
      assert.deepEqual(calibration.observe({ ...request(100), estimate }), {
        outcome: 'ignored',
        reason: 'stale',
        promptTokens: 119_000,
      });
      assert.ok(relativeError(calibration.predict(estimate).tokens, 14_000 + 1.05 * estimate) < MAX_AFTER_COMPACTION);
    }
  });

  it('EDGE 7 ignores usage of zero, and keeps the learned prediction', () => {
    const calibration = trained();
    const before = calibration.predict(41_000);
    assert.equal(calibration.observe({ usage: { prompt_tokens: 0 }, estimate: 41_000 }).reason, 'zero');
    assert.deepEqual(calibration.predict(41_000), before);
  });

  it('EDGE 6 ignores doubled usage as an outlier', () => {
    const calibration = trained();
    const before = calibration.export();
    const doubled = { usage: { prompt_tokens: 2 * (14_000 + 1_050 * 41) }, estimate: 41_000 };
    assert.equal(calibration.observe(doubled).reason, 'outlier');
    assert.deepEqual(calibration.export(), before);
  });

  it('EDGE 6 ignores usage above the context window as impossible', () => {
    const calibration = trained();
    const { outcome, reason } = calibration.observe({ usage: { prompt_tokens: 200_001 }, estimate: 41_000 });
    assert.deepEqual([outcome, reason], ['ignored', 'impossible']);
  });

  it('EDGE 7 predicts the estimate as long as usage is zero or missing', () => {
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

  it('EDGE 8 allows predictions for 200 tool calls in one turn from the last report', () => {
    const calibration = trained(10);
    const { estimate, usage } = request(10);
    for (let call = 1; call <= 200; call++) {
      const { tokens } = calibration.predict(estimate + 100 * call);
      assert.ok(relativeError(tokens, usage.prompt_tokens + 105 * call) < 0.01);
    }
  });

  it('EDGE 13 learns the tokens of a system prompt and tools that are in no message', () => {
    const { overhead, slope } = trained(60).export();
    assert.ok(relativeError(overhead, 14_000) < 0.03, `${overhead}`);
    assert.ok(relativeError(slope, 1.05) < 0.01, `${slope}`);
  });

  it('ignores negative, infinite and NaN usage as impossible, and a throwing getter as missing', () => {
    const calibration = trained();
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

  it('ignores usage that counts only uncached tokens as impossible', () => {
    assert.equal(trained().observe({ usage: { input_tokens: 900 }, estimate: 41_000 }).reason, 'impossible');
  });

  it('learns nothing from edited messages, and removes its anchor', () => {
    const calibration = trained();
    const observation = { usage: { prompt_tokens: 40_000 }, estimate: 41_000, prefixUnchanged: false };
    assert.equal(calibration.observe(observation).reason, 'edited');
    assert.equal(calibration.export().anchor, null);
    assert.equal(calibration.export().samples, 40);
  });

  it('uses a prompt with images as anchor, and learns nothing from it', () => {
    const calibration = trained();
    const { slope, overhead } = calibration.export();
    const tokens = 14_000 + 1_050 * 41 + 9_000;
    const observed = calibration.observe({ usage: tokens, estimate: 48_000, mediaShare: 0.15 });
    assert.deepEqual(observed, { outcome: 'anchored', reason: 'media', promptTokens: tokens });
    assert.deepEqual(
      { ...calibration.export(), anchor: null },
      { ...calibration.export(), slope, overhead, anchor: null },
    );
    assert.ok(relativeError(calibration.predict(49_000).tokens, tokens + 1_050) < MAX_WHILE_GROWING);
  });
});

describe('TokenCalibration', () => {
  it('predicts with a margin until it has learned from three reports', () => {
    const calibration = new TokenCalibration({ model: 'claude-opus-4-7' });
    const before = calibration.predict(50_000);
    assert.equal(before.settled, false);
    assert.ok(before.margin > 14_000, `${before.margin}`);
    train(calibration, 3);
    assert.deepEqual({ ...calibration.predict(4_000), tokens: 0 }, { tokens: 0, margin: 0, settled: true });
  });

  it('starts with the ratio of the model’s family if `estimatedIn` is o200k_base', () => {
    const predict = (/** @type {string} */ model) =>
      new TokenCalibration({ model, estimatedIn: 'o200k_base' }).predict(10_000).tokens;
    assert.deepEqual(
      ['gpt-5', 'gemini-3-pro', 'claude-opus-4-6', 'something'].map(predict),
      [10_000, 11_471, 12_265, 11_625],
    );
  });

  it('continues from an exported state as if it had not been interrupted', () => {
    const calibration = new TokenCalibration({
      provider: 'deepseek',
      model: 'deepseek-chat',
      maxContextTokens: 131_072,
    });
    train(calibration, 30);
    const state = JSON.parse(JSON.stringify(calibration.export()));
    const restored = TokenCalibration.import(state);
    assert.deepEqual(restored.export(), state);
    assert.deepEqual(restored.predict(31_000), calibration.predict(31_000));
    assert.deepEqual(restored.observe(request(31)), calibration.observe(request(31)));
    assert.deepEqual(restored.export(), calibration.export());
    const untrained = new TokenCalibration().export();
    assert.deepEqual(TokenCalibration.import(JSON.parse(JSON.stringify(untrained))).export(), untrained);
  });

  it('throws in `import` for a state that `export` cannot return', () => {
    const state = trained().export();
    const broken = [
      { ...state, version: 2 },
      { ...state, slope: 7 },
      { ...state, overhead: '5' },
      { ...state, covariance: [1, 2] },
      { ...state, covariance: new Array(2 ** 32 - 1) },
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

  it('R0.3 throws for a wrong argument and names it', () => {
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
