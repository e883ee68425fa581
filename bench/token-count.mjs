// @ts-check
/**
 * Runs one tokenizer in its own process: `token-count.mjs <name> <file of texts by set> <characters>` prints its
 * figures as JSON. It first counts `characters` of other text, so that neither compilation nor start-up is measured; 0
 * measures a cold start.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [name = '', file = '', warmUp] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const warmUpCharacters = Number(warmUp);

/** Count special tokens as plain text; some of these tokenizers throw otherwise. @type {Record<string, () => (text: string) => number>} */
const TOKENIZERS = {
  product: () => {
    const { TokenCounter } = require('palimpsest');
    const counter = new TokenCounter({ encoding: 'o200k_base' });
    return (text) => counter.count(text);
  },
  'gpt-tokenizer': () => {
    // In a variable, because its types need the browser's and the compiler would resolve them.
    const path = 'gpt-tokenizer/encoding/o200k_base';
    const { countTokens } = require(String(path));
    const options = { disallowedSpecial: new Set() };
    return (text) => countTokens(text, options);
  },
  'ai-tokenizer': () => {
    const { Tokenizer } = require('ai-tokenizer');
    const tokenizer = new Tokenizer(require('ai-tokenizer/encoding/o200k_base'));
    return (text) => tokenizer.encode(text, [], []).length;
  },
  'js-tiktoken': () => {
    const { Tiktoken } = require('js-tiktoken/lite');
    const tokenizer = new Tiktoken(require('js-tiktoken/ranks/o200k_base'));
    return (text) => tokenizer.encode(text, [], []).length;
  },
  tokenx: () => require('tokenx').estimateTokenCount,
};

/** @param {() => number} work @returns {[ms: number, result: number]} */
function timed(work) {
  const before = performance.now();
  const result = work();
  return [performance.now() - before, result];
}

/** @type {Record<string, string[]>} */
const sets = JSON.parse(readFileSync(file, 'utf8'));
globalThis.gc?.();
const rssBefore = process.memoryUsage().rss;
/** @type {(text: string) => number} */
let count = () => 0;
const [loadMs] = timed(() => {
  count = /** @type {() => typeof count} */ (TOKENIZERS[name])();
  return 0;
});
const total = (/** @type {readonly string[]} */ texts) => texts.reduce((sum, text) => sum + count(text), 0);

if (warmUpCharacters > 0) {
  // Warm up with words that no set contains, so that a tokenizer's cache doesn't help later.
  for (let start = 0; start < warmUpCharacters; start += 1_000) {
    count(Array.from({ length: 125 }, (_, word) => `x${((start + word) * 2_654_435_761).toString(36)}`).join(' '));
  }
}
/** @type {Record<string, { firstMs: number, hotMs: number, tokens: number }>} */
const results = {};
for (const [set, texts] of Object.entries(sets)) {
  const [firstMs, tokens] = timed(() => total(texts));
  const [hotMs] = warmUpCharacters > 0 ? timed(() => total(texts)) : [0];
  results[set] = { firstMs, hotMs, tokens };
}
const megabytes = (process.memoryUsage().rss - rssBefore) / 1e6;
process.stdout.write(JSON.stringify({ loadMs, megabytes, sets: results }));
