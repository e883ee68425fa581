// @ts-check
/** Outputs, results and token counts, compared with simple reference implementations. */
import assert from 'node:assert/strict';
import * as palimpsest from 'palimpsest';
import { loadToolResultsReference } from '../../__test__/reference/load-tool-results.mjs';
import { mixedText } from '../../__test__/support/token-texts.mjs';
import { ENCODINGS, exactCount } from '../../__test__/support/tokenizers.mjs';
import { Random } from '../random.mjs';

const reference = await loadToolResultsReference();
const product = /** @type {any} */ (palimpsest);
const counters = ENCODINGS.map((encoding) => ({ encoding, counter: new palimpsest.TokenCounter({ encoding }) }));

/** White space of all kinds, line breaks, lone surrogates, escapes, text that looks like an error or like data. */
const UNITS = [
  ...['\n', '\n', '\r\n', ' ', '\t', '\v', '\u00a0', '\ufeff', '\u2028', '\u3000', '\u0085', '\u200b', '\0'],
  ...['\x1b[31m', '中', 'a', 'word', '0', '😀', '\ud83d', '\ude00', '"', '\\', '\\u0000', '{', '}', '[', ']'],
  ...[
    'error: no such file',
    'warning',
    'Traceback (most recent call last):',
    'data:image/png;base64,AAAA',
    '__proto__',
  ],
];
const KEYS = ['output', 'a', '__proto__', 'constructor', 'imageBase64', 'pdfImages', '', '0', '\ud800', 'audioData'];

/** @param {Random} random */
const text = (random, most = 40) => random.list(0, most, () => random.pick(UNITS)).join('');

const MAX_BYTES = 12_000;
const noise = new Random(1);
const BYTES = Buffer.from(Array.from({ length: 2 * MAX_BYTES }, () => noise.int(0, 255)));
const WORDS = Buffer.from('Every file that was read, 17 of them; and what a command said of it.\n'.repeat(400));

/** Text of encoders, on both sides of the limit, and text that only uses their alphabet, which must stay. @param {Random} random */
function letters(random) {
  const from = random.int(0, MAX_BYTES);
  const bytes = random.pick([BYTES, WORDS]).subarray(from, from + random.int(1, MAX_BYTES));
  const encoding = random.pick(/** @type {const} */ (['base64', 'base64', 'base64url', 'hex']));
  return random.chance(0.3) ? 'QUJD'.repeat(random.int(1, 4_000)) : bytes.toString(encoding);
}

/** @param {Random} random @param {number} depth @returns {any} */
function value(random, depth) {
  if (depth === 0 || random.chance(0.3)) {
    return random.pick([null, true, random.int(-5, 1e6), text(random, 6), letters(random), -0, 1e21]);
  }
  if (random.chance(0.3)) return random.list(0, 4, () => value(random, depth - 1));
  // Defined, not assigned, because a key may be `__proto__`.
  return Object.fromEntries(random.list(0, 5, () => [random.pick(KEYS), value(random, depth - 1)]));
}

/** @type {((random: Random) => void)[]} */
const CHECKS = [
  function trims(random) {
    const content = text(random);
    assert.equal(product.trimEmptyLines(content), reference.trimEmptyLines(content), 'trimEmptyLines');
  },
  function truncates(random) {
    const content = text(random);
    const limit = random.int(0, 80);
    assert.equal(product.truncateOutput(content, limit), reference.truncateOutput(content, limit), 'truncateOutput');
  },
  function keeps(random) {
    const content = text(random, 120);
    const limit = random.int(0, 200);
    const keep = random.pick(['head', 'tail', 'both', 'errors']);
    const kept = product.truncateOutput(content, { limit, keep });
    assert.ok(kept.length <= content.length, `truncateOutput ${keep} made a text longer`);
    const isCut = product.trimEmptyLines(content).length > limit;
    if (!isCut) assert.equal(kept, product.trimEmptyLines(content), `truncateOutput ${keep} cut what fits`);
    if (keep === 'errors' && isCut)
      assert.ok(kept.length <= Math.max(limit, 0), `truncateOutput errors above its limit`);
  },
  function sanitises(random) {
    const result = { toolCallId: 'c', ...value(random, 4) };
    const before = structuredClone(result);
    assert.deepStrictEqual(
      product.sanitizeToolResult(result),
      reference.sanitizeToolResult(result),
      'sanitizeToolResult',
    );
    assert.deepStrictEqual(result, before, 'sanitizeToolResult wrote to its argument');
  },
  function sanitisesJson(random) {
    const results = random.list(0, 3, () => ({ toolCallId: 'c', ...value(random, 3) }));
    const content = JSON.stringify(results, null, random.pick([0, 2]));
    const actual = product.sanitizeToolResultsJson(content);
    assert.deepStrictEqual(
      JSON.parse(actual),
      JSON.parse(reference.sanitizeToolResultsJson(content)),
      'sanitizeToolResultsJson',
    );
    const at = random.int(0, content.length);
    const damaged = random.pick([content.slice(0, at), content.slice(0, at) + random.pick(UNITS) + content.slice(at)]);
    if (!isJson(damaged)) assert.equal(product.sanitizeToolResultsJson(damaged), damaged, 'sanitizeToolResultsJson');
  },
  function counts(random) {
    const { encoding, counter } = random.pick(counters);
    const content = mixedText(() => random.next());
    const counted = exactCount(encoding, content);
    assert.equal(counter.count(content), counted, `TokenCounter.count ${encoding}`);
    const limit = random.int(0, counted + 2);
    assert.equal(counter.fits(content, limit), counted <= limit, `TokenCounter.fits ${encoding}`);
    const keep = random.pick(/** @type {const} */ (['head', 'tail', 'both']));
    const kept = counter.truncate(content, limit, { keep });
    if (counted <= limit) assert.equal(kept, content, 'TokenCounter.truncate cut what fits');
    assert.ok(counter.count(kept) <= limit, 'TokenCounter.truncate above its limit');
  },
];

/** @param {string} content */
function isJson(content) {
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}

/** @param {Random} random @param {(what: string) => void} count */
export function play(random, count) {
  const check = random.pick(CHECKS);
  count(check.name);
  check(random);
}
