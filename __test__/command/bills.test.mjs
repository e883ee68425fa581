// @ts-check
/**
 * The tokens and dollars that `palimpsest simulate` reports for each recording, compared with plain sums over its raw file.
 * The prices below are written by hand, in dollars per million tokens.
 */
import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { describe, test } from 'node:test';
import { palimpsest, recordings, skipWithoutRecordings as skip } from '../support/command.mjs';
import { plainUsage } from '../support/plain-usage.mjs';

/** @typedef {import('../support/plain-usage.mjs').Usage} Usage */

/** Prices of models whose name contains the key; the first match counts: input, cache read, cache write (5 minutes), cache write (1 hour), output. */
const prices = Object.entries({
  'claude-opus-4-5': [5, 0.5, 6.25, 10, 25],
  'claude-opus-4-6': [5, 0.5, 6.25, 10, 25],
  'claude-haiku-4-5': [1, 0.1, 1.25, 2, 5],
  'claude-sonnet-4': [3, 0.3, 3.75, 6, 15],
  'claude-3-7-sonnet': [3, 0.3, 3.75, 6, 15],
  'claude-3-5-sonnet': [3, 0.3, 3.75, 6, 15],
  'gpt-4.1': [2, 0.5, 2, 2, 8],
  'gpt-5.5': [5, 0.5, 5, 5, 30],
  'gpt-5.6': [5, 0.5, 6.25, 6.25, 30],
  'kimi-k2.7-code': [0.95, 0.19, 0.95, 0.95, 4],
  'gemini-2.5-flash': [0.3, 0.03, 0.3, 0.3, 2.5],
  'gemini-3-flash': [0.5, 0.05, 0.5, 0.5, 3],
  'gemini-3.1-pro': [2, 0.2, 2, 2, 12],
});

/** Codex doesn't report cache writes: all input that wasn't read was written. Only with GPT 5.6 a write costs more than input. */
const codexRecording = /^codex\//;

/** @param {Usage} used @param {string} name @returns {{ prompts: number, output: number } | undefined} undefined if no price is known */
function dollars({ model, input, read, write, hourWrite, output, usd, outputUsd }, name) {
  if (usd !== undefined && outputUsd !== undefined) return { prompts: usd - outputUsd, output: outputUsd };
  const [, rates] = prices.find(([part]) => model.includes(part)) ?? [];
  // Only the sum is recorded, so `assertDollars` compares only `paid`. 0: the agent recorded no price.
  if (usd !== undefined && usd > 0) return { prompts: usd, output: 0 };
  if (rates === undefined) return undefined;
  const [inputRate = 0, readRate = 0, writeRate = 0, hourWriteRate = 0, outputRate = 0] = rates;
  const uncachedRate = codexRecording.test(name) ? writeRate : inputRate;
  const prompts = (input * uncachedRate + read * readRate + write * writeRate + hourWrite * hourWriteRate) / 1e6;
  return { prompts, output: (output * outputRate) / 1e6 };
}

/** @param {readonly Usage[]} requests @param {(request: Usage) => number} tokensOf */
const sum = (requests, tokensOf) => requests.reduce((total, request) => total + tokensOf(request), 0);

/** @param {any} bill @param {readonly Usage[]} plain @param {string} name */
function assertDollars({ waterfall, isRecorded }, plain, name) {
  const known = plain.map((used) => dollars(used, name));
  assert.equal(waterfall.currency, known.includes(undefined) ? 'units' : 'usd', 'the currency');
  const losses = waterfall.losses.reduce((/** @type {number} */ all, /** @type {any} */ { cost }) => all + cost, 0);
  const steps = waterfall.newInput + waterfall.reread + losses + waterfall.output;
  const isNear = (/** @type {number} */ a, /** @type {number} */ b, /** @type {string} */ what) =>
    assert.ok(Math.abs(a - b) < 0.005, `${what}: ${a} instead of ${b}`);
  isNear(steps, waterfall.paid, 'the steps');
  if (waterfall.currency === 'units') return;
  const [prompts, output] = /** @type {const} */ (['prompts', 'output']).map((what) =>
    known.reduce((all, one) => all + (one?.[what] ?? 0), 0),
  );
  isNear(waterfall.paid, (prompts ?? 0) + (output ?? 0), 'paid');
  if (isRecorded && !plain.every(({ outputUsd }) => outputUsd !== undefined)) return;
  isNear(waterfall.prompts, prompts ?? 0, 'prompts');
  isNear(waterfall.output, output ?? 0, 'output');
}

describe('R12.3 the bill of a recording', { skip }, () => {
  /** @type {{ path: string, sessions: any[] }[]} */
  const files = skip ? [] : JSON.parse(palimpsest(['simulate', '--json', recordings]).stdout).files;
  let compared = 0;
  for (const { path, sessions } of files) {
    const name = relative(recordings, path);
    const read = plainUsage[name.split('/')[0] ?? ''];
    // A file's sessions follow each other. Sessions whose usage is recorded only once, as a sum, are skipped.
    const isBilled = (/** @type {any} */ { bill }) => bill !== null && !bill.isOfSession;
    let rest = sessions.some(isBilled) ? (read?.(path) ?? []) : [];
    test(`${name}: each part of the bill equals a plain sum over the file, to the token and the cent`, () => {
      for (const { usage, bill } of sessions.filter(isBilled)) {
        const plain = rest.slice(0, usage.requests);
        rest = rest.slice(usage.requests);
        compared += 1;
        const { cacheWrite5m, cacheWrite1h, cacheWrite, ...otherUsage } = usage;
        assert.deepEqual(
          { ...otherUsage, written: cacheWrite5m + cacheWrite1h + cacheWrite },
          {
            requests: plain.length,
            prompt: sum(plain, (one) => one.input + one.read + one.write + one.hourWrite),
            input: sum(plain, (one) => one.input),
            cacheRead: sum(plain, (one) => one.read),
            output: sum(plain, (one) => one.output),
            written: sum(plain, (one) => one.write + one.hourWrite),
          },
        );
        assertDollars(bill, plain, name);
      }
      assert.deepEqual(rest, [], 'requests that belong to no session');
    });
  }
  test('at least 40 sessions with usage are compared', { skip }, () =>
    assert.ok(skip || compared >= 40, `${compared}`),
  );
});
