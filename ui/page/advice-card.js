// @ts-check
/**
 * The card “What would have been cheaper?”: advice for the agent's user first, then for its author, each with what it
 * would have saved. Advice that would not have helped shows the reason. The author can choose a policy, which decides
 * what is removed from prompts; `leftAlone` removes nothing.
 *
 * @import { PictureAdvice, SessionPicture } from '../picture.js'
 * @import { Card, Row } from './card.js'
 * @import { Currency } from './figures.js'
 * @typedef {'leftAlone' | 'everyRequest' | 'batches20k' | 'batches30k' | 'clearAbove100k' | 'view'} Policy
 * @typedef {{ policy: Policy, cost: number, low: number, high: number }} Alternative `low` and `high`: the range of the
 *   change, as shares
 * @typedef {object} Alternatives amounts in `currency`
 * @property {Currency} currency
 * @property {number | null} paid null if no usage was recorded
 * @property {number} modelled cost of unmodified history under the cache model
 * @property {number} output
 * @property {Alternative[]} policies cheapest first
 */
import { h } from '../base/dom.js';
import { formatChange, formatCount, formatShare } from '../base/format.js';
import { legible } from '../picture/naming.js';
import { cardOf, note, rowOf } from './card.js';
import { formatCountShort, formatMoney, formatRange } from './figures.js';

/** @type {readonly Exclude<Policy, 'leftAlone'>[]} */
const POLICIES = ['everyRequest', 'batches20k', 'batches30k', 'clearAbove100k', 'view'];
/** Smaller differences, as a share of the bill, are not shown. */
const MIN_SHOWN = 0.005;
/** If outdated results cost more than this share of the bill, no reason against removing them is shown. */
const MAX_NEGLIGIBLE = 0.02;

/** @param {Card} card */
export function adviceCard(card) {
  const { picture, words, language } = card;
  const { advice = [], bill = null } = picture;
  const paid = bill?.paid ?? 0;
  const helps = (/** @type {PictureAdvice} */ { saves }) => saves !== null && saves > MIN_SHOWN * paid;
  const helpful = advice.filter(helps);
  const others = advice.filter((one) => !helps(one));
  const rows = helpful.map((one) => rowOf(adviceRow(card, one)));
  const alternatives = alternativesOf(picture);
  const [first] = helpful;
  const lead =
    first === undefined || bill === null
      ? policyLead(card, alternatives)
      : words.adviceLead(
          words.adviceNames[first.what],
          formatMoney(first.saves ?? 0, bill.currency, words, language),
          formatShare((first.saves ?? 0) / paid, language),
        );
  const reasons = others.map((one) => reasonOf(card, one)).filter((reason) => reason !== null);
  return cardOf(
    words.cheaper,
    lead,
    rows.length > 0 && h('ul', { class: 'advice' }, ...rows),
    reasons.length > 0 &&
      h(
        'div',
        { class: 'more' },
        h('p', {}, words.notWorth),
        h('ul', { class: 'plain' }, ...reasons.map((reason) => h('li', {}, reason))),
      ),
    policiesOf(card, alternatives),
  );
}

/** What a piece of advice says and saves. @param {Card} card @param {PictureAdvice} one @returns {Row} */
function adviceRow({ picture, words, language, select }, { what, saves, cost, times, tokens, names, request }) {
  const { bill = null } = picture;
  const money = (/** @type {number} */ amount) => formatMoney(amount, bill?.currency ?? 'units', words, language);
  const figures = {
    cost: money(cost),
    saves: money(saves ?? 0),
    times: formatCount(times, language),
    tokens: formatCountShort(tokens, language),
    names: names.map(legible).join(words.separator),
    request: formatCount((request?.[1] ?? 0) + 1, language),
  };
  const press = request === null ? undefined : () => select(...request);
  return { what: words.advice[what](figures), figure: `−${figures.saves}`, tone: 'good', press };
}

/** Why a piece of advice would not have helped; null: nothing to say. @param {Card} card @param {PictureAdvice} one */
function reasonOf({ picture, words, language }, { what, saves, cost, share }) {
  const { bill = null } = picture;
  if (bill === null || (what === 'outdated' && cost > MAX_NEGLIGIBLE * bill.paid)) return null;
  const money = (/** @type {number} */ amount) => formatMoney(amount, bill.currency, words, language);
  if (what === 'outdated')
    return words.outdatedReason(formatShare(share, language), money(cost), formatShare(cost / bill.paid, language));
  return saves !== null && saves < 0
    ? words.dearerReason(words.adviceNames[what], money(-saves))
    : words.littleReason(words.adviceNames[what], money(saves ?? 0));
}

/** The policies for the agent's author, with their costs. @param {Card} card @param {Alternatives} alternatives */
function policiesOf({ picture, words, language }, { currency, paid, modelled, output, policies }) {
  const money = (/** @type {number} */ amount) => formatMoney(amount, currency, words, language);
  const base = paid ?? modelled;
  const highest = Math.max(base, ...policies.map(({ cost }) => cost));
  const row = (/** @type {string} */ what, /** @type {number} */ cost, change = '', tone = '') =>
    rowOf({
      what,
      figure: change === '' ? money(cost) : `${money(cost)} · ${change}`,
      bar: [0, highest > 0 ? cost / highest : 0],
      tone,
    });
  const list = policies.map(({ policy, cost, low, high }) => {
    const tone = high < -MIN_SHOWN ? 'good' : low > MIN_SHOWN ? 'bad' : '';
    return row(words.policies[policy], cost, formatRange({ low, high }, language), tone);
  });
  const baseline = row(paid === null ? words.policies.leftAlone : words.paid, base);
  const error = paid !== null && paid > 0 ? formatChange(modelled / paid - 1, language) : null;
  const basis = [
    output > 0 ? words.withOutput : words.promptsOnly,
    picture.models.length > 0 ? words.byModel : words.byUsual,
    error === null ? '' : words.modelOff(money(modelled), error),
  ];
  return h(
    'details',
    {},
    h('summary', {}, words.byAuthor),
    h('ul', {}, baseline, ...list),
    note(basis.join(' ').trim()),
  );
}

/** The card's first sentence if no advice helps its user. @param {Card} card @param {Alternatives} alternatives */
function policyLead({ words, language }, { policies }) {
  const certain = policies.filter(({ high }) => high < -MIN_SHOWN).sort((a, b) => a.high - b.high)[0];
  if (certain !== undefined) return words.authorLead(words.policies[certain.policy], formatRange(certain, language));
  if (policies.some(({ low }) => low < -MIN_SHOWN)) return words.unsure;
  return policies.some(({ low }) => low > MIN_SHOWN) ? words.dearer : words.alike;
}

/**
 * Costs of all policies under the cache model, over requests of known cost. `low` and `high` are the change in cost
 * computed in two ways: relative to what was paid, and relative to the model's cost of unmodified history. Their
 * difference shows the model's error.
 * @param {SessionPicture} picture @returns {Alternatives}
 */
export function alternativesOf(picture) {
  const costs = picture.threads.flatMap((thread) => thread.costs.slice(0, 1).map(({ policies }) => policies));
  const isPaid = costs.some(({ paid }) => paid?.some((cost) => cost !== null));
  const usd = usdPerUnit(picture);
  const currency = usd === null ? 'units' : 'usd';
  const perUnit = usd ?? 1;
  const total = (/** @type {Policy} */ policy) =>
    perUnit *
    sum(
      costs.flatMap(({ [policy]: each, paid }) =>
        (each ?? []).filter((_, request) => !isPaid || typeof paid?.[request] === 'number'),
      ),
    );
  const { bill = null } = picture;
  // Dollars recorded by the agent can't be added to units.
  const output = bill !== null && bill.currency === currency ? bill.output : 0;
  const paidPrompts = sum(costs.flatMap((policies) => (policies.paid ?? []).map((cost) => cost ?? 0)));
  const paid = isPaid ? perUnit * paidPrompts + output : null;
  const modelled = total('leftAlone') + output;
  const base = paid ?? modelled;
  const policies = POLICIES.filter((policy) => costs.every((costsByPolicy) => costsByPolicy[policy] !== undefined)).map(
    (policy) => {
      const cost = total(policy) + output;
      const changes = base > 0 ? [cost / base - 1, (cost - modelled) / base] : [0, 0];
      return { policy, cost, low: Math.min(...changes), high: Math.max(...changes) };
    },
  );
  return { currency, paid, modelled, output, policies: policies.sort((a, b) => a.cost - b.cost) };
}

/**
 * Dollars of one unit, the price of an uncached input token; null if a model's price is unknown.
 * @param {SessionPicture} picture @returns {number | null}
 */
export function usdPerUnit({ threads }) {
  const perMillion = threads[0]?.costs[0]?.usdPerMillion ?? null;
  return perMillion === null ? null : perMillion / 1e6;
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
