// @ts-check
/**
 * What recordings cost by plain sums over their lines, written once more for each format: the same, to the cent, as the command and
 * the page say. Prices stand here by hand, in dollars for a million tokens.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { palimpsest } from '../support/command.mjs';

const recordings = fileURLToPath(new URL('../../../shared/recordings', import.meta.url));
const skip = !existsSync(recordings) && !process.env.CI ? 'no recordings beside the repository' : false;

/** @typedef {{ prompts: number, output: number }} Sum in dollars */

/** By the beginning of a model's name: input, cache read, cache write for 5 minutes and for an hour, output. */
const claude = Object.entries({
  'claude-opus-4-5': [5, 0.5, 6.25, 10, 25],
  'claude-opus-4-6': [5, 0.5, 6.25, 10, 25],
  'claude-haiku-4-5': [1, 0.1, 1.25, 2, 5],
  'claude-sonnet-4-2025': [3, 0.3, 3.75, 6, 15],
});

/** pi once wrote two records on one line. @param {string} text @returns {any[]} */
const linesOf = (text) =>
  text
    .replaceAll('}{"type"', '}\n{"type"')
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));

/** Lines with one `message.id` are one answer, and the last has all of its usage. @param {string} text @returns {Sum} */
function claudeCode(text) {
  const answers = new Map();
  for (const line of linesOf(text)) {
    const record = line.type === 'progress' ? line.data?.message : line;
    const { id, model, usage } = record?.message ?? {};
    if (record?.type === 'assistant' && usage && model !== '<synthetic>') answers.set(id, { model, usage });
  }
  const sum = { prompts: 0, output: 0 };
  for (const { model, usage } of answers.values()) {
    const [input, read, short, long, output] = claude.find(([name]) => model.startsWith(name))?.[1] ?? [];
    const { ephemeral_5m_input_tokens: five, ephemeral_1h_input_tokens: hour } = usage.cache_creation ?? {};
    sum.prompts += ((usage.input_tokens ?? 0) * input + (usage.cache_read_input_tokens ?? 0) * read) / 1e6;
    sum.prompts += ((five ?? usage.cache_creation_input_tokens ?? 0) * short + (hour ?? 0) * long) / 1e6;
    sum.output += ((usage.output_tokens ?? 0) * output) / 1e6;
  }
  return sum;
}

/** @param {string} text @param {[input: number, read: number, output: number]} prices @returns {Sum} */
function codex(text, [input, read, output]) {
  const sum = { prompts: 0, output: 0 };
  let known = -1;
  for (const { payload } of linesOf(text)) {
    if (payload?.type !== 'token_count' || !payload.info) continue;
    const { total_token_usage: all, last_token_usage: last } = payload.info;
    // The same count is told again when limits change.
    if (all.total_tokens === known) continue;
    known = all.total_tokens;
    sum.prompts += ((last.input_tokens - last.cached_input_tokens) * input + last.cached_input_tokens * read) / 1e6;
    sum.output += (last.output_tokens * output) / 1e6;
  }
  return sum;
}

/** What pi itself wrote down. @param {string} text @returns {Sum} */
function pi(text) {
  const sum = { prompts: 0, output: 0 };
  for (const { message } of linesOf(text)) {
    const cost = message?.role === 'assistant' ? message.usage?.cost : undefined;
    if (cost === undefined) continue;
    sum.output += cost.output;
    sum.prompts += cost.total - cost.output;
  }
  return sum;
}

/** @type {[folder: string, account: (text: string, name: string) => Sum, only?: RegExp][]} */
const formats = [
  ['claude-code', claudeCode],
  // What isn't read is written at 1.25 times the price of input by GPT 5.6, and for nothing more by GPT 5.5.
  ['codex', (text, name) => codex(text, name.startsWith('fnox') ? [5, 0.5, 30] : [6.25, 0.5, 30]), /fnox|hk|mise/],
  ['pi', pi, /session/],
];

describe('the bill of a recording', { skip }, () => {
  for (const [folder, account, only = /./] of skip ? [] : formats) {
    for (const name of readdirSync(join(recordings, folder)).filter((file) => only.test(file))) {
      test(`${folder}/${name} is what a plain sum over its lines is, to the cent, in each part`, () => {
        const path = join(recordings, folder, name);
        const expected = account(readFileSync(path, 'utf8'), name);
        const { stdout } = palimpsest(['sessions', '--json', path]);
        const { bill } = JSON.parse(stdout).files[0].sessions[0];
        const { waterfall } = bill;
        assert.equal(waterfall.currency, 'usd');
        const isNear = (/** @type {number} */ a, /** @type {number} */ b, /** @type {string} */ what) =>
          assert.ok(Math.abs(a - b) < 0.005, `${what}: ${a} instead of ${b}`);
        isNear(waterfall.prompts, expected.prompts, 'prompts');
        isNear(waterfall.output, expected.output, 'output');
        isNear(waterfall.paid, expected.prompts + expected.output, 'paid');
        const losses = waterfall.losses.reduce(
          (/** @type {number} */ sum, /** @type {any} */ { cost }) => sum + cost,
          0,
        );
        isNear(waterfall.newInput + waterfall.reread + losses + waterfall.output, waterfall.paid, 'the steps');
      });
    }
  }
});
