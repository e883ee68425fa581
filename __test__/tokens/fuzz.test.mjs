// @ts-check
/** Counts of random texts compared with other tokenizers, and processor time of long texts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenCounter } from 'palimpsest';
import { oneOf, seeded } from '../../bench/promise/random.mjs';
import { mixedText, WORST_CASES } from '../support/token-texts.mjs';
import { BEYOND_GPT_TOKENIZER, ENCODINGS, exactCount, gptTokenizerCount } from '../support/tokenizers.mjs';

/** js-tiktoken is slow; the fuzzing campaign `texts` compares more. */
const COMPARISONS = 5_000;
const TRUNCATIONS = 10_000;
const MEGABYTE = 1_000_000;
/** Processor time, far above the usual: a loaded machine must not fail the test, quadratic time must. */
const MAX_MS = 400;
/** Ratio of the times for 4 MB and 1 MB: linear time gives 4, quadratic 16. */
const MAX_RATIO = 10;

/**
 * The shortest processor time of each function. Runs alternate, because other work on the machine adds time to both.
 * @param {(() => unknown)[]} works
 */
function leastMs(works, rounds = 3) {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    works.forEach((work, index) => {
      const start = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(start);
      least[index] = Math.min(least[index] ?? 0, (user + system) / 1000);
    });
  }
  return least;
}

for (const encoding of ENCODINGS) {
  const counter = new TokenCounter({ encoding });

  describe(`R6.1 ${encoding}`, () => {
    it(`counts ${COMPARISONS} random texts like js-tiktoken and gpt-tokenizer`, () => {
      const random = seeded(20_261_121);
      for (let count = 0; count < COMPARISONS; count++) {
        const text = mixedText(random);
        const counted = counter.count(text);
        const expected = exactCount(encoding, text);
        assert.equal(counted, expected, JSON.stringify(text));
        if (BEYOND_GPT_TOKENIZER.test(text)) continue;
        assert.equal(counted, gptTokenizerCount(encoding, text), JSON.stringify(text));
      }
    });

    it('counts a lone surrogate as U+FFFD', () => {
      for (const text of ['\ud800', 'a\udfffb', '\ud83d\ud83d\ude00', ' \udc00', `${'x'.repeat(15)}\ud83d`]) {
        const wellFormed = Buffer.from(text, 'utf8').toString('utf8');
        assert.equal(counter.count(text), counter.count(wellFormed), JSON.stringify(text));
      }
    });

    for (const [content, make] of Object.entries(WORST_CASES)) {
      it(`counts 1 MB of ${content} in at most ${MAX_MS} ms, and 4 MB in at most ${MAX_RATIO} times as long`, (t) => {
        const texts = [1, 4].map((megabytes) => make(megabytes * MEGABYTE, seeded(1)));
        const [short = 0, long = 0] = leastMs(texts.map((text) => () => counter.count(text)));
        t.diagnostic(`1 MB: ${short.toFixed(1)} ms; 4 MB: ${long.toFixed(1)} ms`);
        assert.ok(short <= MAX_MS, `${short} ms`);
        // A ratio of fewer milliseconds measures other work on the machine.
        assert.ok(long <= MAX_RATIO * Math.max(short, 5), `1 MB: ${short} ms; 4 MB: ${long} ms`);
      });
    }
  });
}

describe('TokenCounter.truncate', () => {
  it(`stays within its limit for ${TRUNCATIONS} random texts, and keeps texts within it`, () => {
    const random = seeded(6);
    const counters = ENCODINGS.map((encoding) => new TokenCounter({ encoding }));
    for (let count = 0; count < TRUNCATIONS; count++) {
      const counter = oneOf(random, counters);
      const text = Array.from({ length: 1 + Math.floor(random() * 4) }, () => mixedText(random)).join('\n');
      const whole = counter.count(text);
      const limit = Math.floor(random() * (whole + 2));
      const keep = oneOf(random, /** @type {const} */ (['head', 'tail', 'both']));
      const kept = counter.truncate(text, limit, { keep });
      const tokens = counter.count(kept);
      assert.ok(tokens <= limit, `${tokens} > ${limit}, ${keep}: ${JSON.stringify(text)}`);
      if (whole <= limit) assert.equal(kept, text);
    }
  });
});
