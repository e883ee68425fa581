// @ts-check
/** Usage reports of each form in fixtures/usage.json, which tests of the core and of session files read, too. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { TokenCalibration } from 'palimpsest';
import { processed, scripted, session, summary } from '../support/compression.mjs';

/**
 * @typedef {{ total: number, uncached: number, cacheRead: number, cacheWrite: number, output: number, reasoning: number }} Usage
 * @type {{ form: string, report: any, usage: Usage }[]}
 */
const forms = JSON.parse(readFileSync(new URL('../fixtures/usage.json', import.meta.url), 'utf8'));

test('R6.3 TokenCalibration reads the tokens of the whole prompt from every form of report', () => {
  for (const { form, report, usage } of forms) {
    const { promptTokens } = new TokenCalibration().observe({ usage: report, estimate: 900 });
    assert.equal(promptTokens, usage.total || null, form);
  }
});

test('R7.12 outcomeOf has the tokens of a request for a summary from every form of report', async () => {
  for (const { form, report, usage } of forms) {
    const model = scripted({ content: summary(), usage: report });
    const messages = session();
    const { manager } = await processed(messages, { model });
    const [used] = manager.outcomeOf(messages).summaryUsage;
    assert.equal(used.isEstimated, usage.total === 0 || usage.output === 0, form);
    if (usage.total > 0) assert.deepEqual([used.inputTokens, used.cachedTokens], [usage.total, usage.cacheRead], form);
    if (usage.output > 0) assert.equal(used.outputTokens, usage.output, form);
  }
});

test('R0.3 TokenCalibration ignores a throwing getter, and does not read a list of 2³² − 1 entries', () => {
  const trap = { prompt_tokens: 9 };
  Object.defineProperty(trap, 'cached_tokens', { get: () => assert.fail('read') });
  const endless = { inputTokens: 900, inputTokensDetails: new Array(2 ** 32 - 1) };
  for (const [usage, tokens] of /** @type {[any, number][]} */ ([
    [trap, 9],
    [endless, 900],
  ])) {
    assert.equal(new TokenCalibration().observe({ usage, estimate: 900 }).promptTokens, tokens);
  }
});
