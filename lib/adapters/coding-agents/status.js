// @ts-check
'use strict';

/** The status line and the report of savings that the plug-ins of pi and opencode show. */

const { Prices } = require('../../cache/prices.js');

/** @typedef {InstanceType<typeof import('../../view/context-view.js').ContextView>} View */
/** @typedef {{ model: import('./price.js').Model | undefined }} Context `model`: the one in use */

const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`;

/** The share saved compared with the unmodified history; negative if requests cost more. @param {{ cost: number, costLeftAlone: number }} ledger */
const savedShare = ({ cost, costLeftAlone }) => (costLeftAlone > 0 ? 1 - cost / costLeftAlone : 0);

/** The amount in dollars; empty if the agent's catalog has no price. @param {number} tokens at the base price of input @param {Context} context */
function money(tokens, { model }) {
  const input = model?.cost?.input ?? 0;
  return input > 0 ? ` ($${((tokens * input) / 1e6).toFixed(2)})` : '';
}

/** One line; docs/agents.md shows it. @param {View} view @param {Context} context @param {unknown} price @param {number} now */
function statusText(view, context, price, now) {
  const ledger = view.ledger();
  const { totalTokens } = view.plan();
  const window = context.model?.contextWindow;
  const cachedUntil = new Date(now + new Prices(price).ttlMs).toTimeString().slice(0, 5);
  const share = window === undefined ? `${totalTokens} tokens` : `${percent(totalTokens / window)} of window`;
  return `palimpsest: ${share} · saved ${percent(savedShare(ledger))}${money(ledger.costLeftAlone - ledger.cost, context)} · cached until ${cachedUntil}`;
}

/** The status line, and three lines with figures. @param {View} view @param {Context} context @param {unknown} price @param {number} now */
function summaryText(view, context, price, now) {
  const ledger = view.ledger();
  const plan = view.plan();
  const pendingTokens = plan.pending.reduce((sum, { tokensSaved }) => sum + tokensSaved, 0);
  return [
    statusText(view, context, price, now),
    `removed: ${ledger.results} results, ${Math.round(ledger.tokensSaved)} tokens, in ${ledger.changes} changes of the prompt`,
    `pending: ${plan.pending.length} outdated results, ${Math.round(pendingTokens)} tokens; ${plan.isDue ? 'the next request removes them' : 'removing them now would cost more'}`,
    `cost: ${Math.round(ledger.cost)} tokens at the price of input; unmodified history: ${Math.round(ledger.costLeftAlone)}`,
  ].join('\n');
}

module.exports = { statusText, summaryText };
