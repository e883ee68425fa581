// @ts-check
/** TokenCounter counts recorded texts like the official tokenizers. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { TokenCounter } from 'palimpsest';
import { BEYOND_GPT_TOKENIZER, ENCODINGS, exactCount, gptTokenizerCount } from '../support/tokenizers.mjs';

/** @typedef {{ name: string, text: string, repeat: number, tokens: number }} Vector */

/** The other tokenizers take seconds for a longer word. */
const LONGEST_FOR_OTHERS = 2_000;

/** @param {string} encoding @returns {Vector[]} */
function vectorsOf(encoding) {
  return JSON.parse(readFileSync(new URL(`../golden/${encoding}.json`, import.meta.url), 'utf8')).vectors;
}

/** @param {readonly Vector[]} vectors @param {(text: string) => number} count */
function assertCounts(vectors, count) {
  const wrong = vectors.flatMap(({ name, text, repeat, tokens }) => {
    const counted = count(text.repeat(repeat));
    return counted === tokens ? [] : [{ name, text, repeat, tokens, counted }];
  });
  assert.deepEqual(wrong, []);
}

for (const encoding of ENCODINGS) {
  const vectors = vectorsOf(encoding);
  describe(`R6.1 ${encoding}`, () => {
    for (const kind of new Set(vectors.map(({ name }) => name.replace(/[:\d].*/, '').trim()))) {
      const chosen = vectors.filter(({ name }) => name.startsWith(kind));
      it(`counts ${chosen.length} texts like the official tokenizer: ${kind}`, () => {
        const counter = new TokenCounter({ encoding });
        assertCounts(chosen, (text) => counter.count(text));
      });
    }

    it('has the same counts in js-tiktoken and gpt-tokenizer, with which the fuzz test compares', () => {
      const short = vectors.filter(({ text, repeat }) => text.length * repeat <= LONGEST_FOR_OTHERS);
      assertCounts(short, (text) => exactCount(encoding, text));
      const shared = short.filter(({ text }) => !BEYOND_GPT_TOKENIZER.test(text));
      assert.ok(shared.length > 700);
      assertCounts(shared, (text) => gptTokenizerCount(encoding, text));
    });
  });
}
