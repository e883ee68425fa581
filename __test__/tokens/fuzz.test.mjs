// @ts-check
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenCounter } from 'palimpsest';
import { oneOf, seeded } from '../../bench/promise/random.mjs';
import { mixedText, WORST_CASES } from '../support/token-texts.mjs';
import { BEYOND_GPT_TOKENIZER, ENCODINGS, exactCount, gptTokenizerCount } from '../support/tokenizers.mjs';

/** The campaign `texts` compares as long as it is let: js-tiktoken is slow. */
const COMPARISONS = 5_000;
const TRUNCATIONS = 10_000;
const MEGABYTE = 1_000_000;
/** Of the processor, and far above what is aimed at: a loaded machine is no defect, quadratic time is. */
const MOST_MS = 400;
/** Linear time gives 4, quadratic 16. */
const MOST_FOR_FOUR = 10;

/**
 * The least of several runs of each: other work on the machine only ever adds. In turns, so that it adds to both.
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
    it(`counts ${COMPARISONS} odd texts exactly`, () => {
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
      for (const text of ['\ud800', 'a\udfffb', '\ud83d\ud83d\ude00', ' \udc00']) {
        const wellFormed = Buffer.from(text, 'utf8').toString('utf8');
        assert.equal(counter.count(text), counter.count(wellFormed), JSON.stringify(text));
      }
    });

    for (const [what, make] of Object.entries(WORST_CASES)) {
      it(`1 MB of ${what} takes at most ${MOST_MS} ms, and four times as much no more than ${MOST_FOR_FOUR} times that`, (t) => {
        const texts = [1, 4].map((megabytes) => make(megabytes * MEGABYTE, seeded(1)));
        const [once = 0, fourfold = 0] = leastMs(texts.map((text) => () => counter.count(text)));
        t.diagnostic(`1 MB: ${once.toFixed(1)} ms; 4 MB: ${fourfold.toFixed(1)} ms`);
        assert.ok(once <= MOST_MS, `${once} ms`);
        // Below some milliseconds a ratio measures what else the machine does.
        assert.ok(fourfold <= MOST_FOR_FOUR * Math.max(once, 5), `${once} ms, four times as much ${fourfold} ms`);
      });
    }
  });
}

describe('R6.1 truncate', () => {
  it(`never exceeds its limit, in ${TRUNCATIONS} cases`, () => {
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
