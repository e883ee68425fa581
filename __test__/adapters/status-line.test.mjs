// @ts-check
/** The status line of the plug-ins for pi and opencode, with the figures that docs/agents.md shows. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, beforeEach, mock, test } from 'node:test';

const { ViewedSession } = createRequire(import.meta.url)('../../lib/adapters/coding-agents/session.js');
const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');

const ledger = { cost: 928_889, costLeftAlone: 1_055_556, results: 3, tokensSaved: 9_000, changes: 1 };
const view = {
  ledger: () => ledger,
  plan: () => ({ totalTokens: 82_000, pending: [{ tokensSaved: 700 }, { tokensSaved: 300 }], isDue: false }),
};
const model = { contextWindow: 200_000, cost: { input: 3 } };
const session = Object.defineProperty(new ViewedSession('key', {}, null, []), 'view', { value: view });

beforeEach(() => mock.timers.enable({ apis: ['Date'], now: new Date(2026, 0, 1, 14, 59) }));
afterEach(() => mock.timers.reset());

test('the status line is the one in docs/agents.md', () => {
  const [line = ''] = page.match(/^palimpsest: .* of window .*$/m) ?? [];
  assert.equal(session.statusText(model, 'anthropic'), line);
});

test('without a window and a price, the status line has tokens and no dollars', () => {
  const line = session.statusText(undefined, 'anthropic');
  assert.equal(line, 'palimpsest: 82000 tokens · saved 12 % · cached until 15:04');
});

test('/palimpsest adds what is removed, what is pending and why, and both costs', () => {
  const [, ...lines] = session.summaryText(model, 'anthropic').split('\n');
  assert.deepEqual(lines, [
    'removed: 3 results, 9000 tokens, in 1 changes of the prompt',
    'pending: 2 outdated results, 1000 tokens; removing them now would cost more',
    'cost: 928889 tokens at the price of input; unmodified history: 1055556',
  ]);
});
