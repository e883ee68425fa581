// @ts-check
/**
 * The card “What would have been cheaper?”: advice for the agent's user, then for its author, who can choose a policy
 * for what is removed from prompts; `leftAlone` removes nothing.
 * @import { PictureAdvice, SessionPicture } from '../picture.js'
 * @import { Card, Currency } from './card.js'
 * @import { Words } from './words.js'
 * @typedef {'leftAlone' | 'everyRequest' | 'batches20k' | 'batches30k' | 'clearAbove100k' | 'view'} Policy
 * @typedef {ReturnType<typeof alternativesOf>} Alternatives
 */
import { h } from '../base/dom.js';
import { fill, formatChange } from '../base/format.js';
import { legible } from '../base/safe-text.js';
import { cardOf, formatCountShort, formatMoney, formatRange, note, rowOf } from './card.js';

/** @type {readonly Exclude<Policy, 'leftAlone'>[]} */
const POLICIES = ['everyRequest', 'batches20k', 'batches30k', 'clearAbove100k', 'view'];
/** Smaller differences, as a share of the bill, are not shown. */ const MIN_SHOWN = 0.005;
/** If outdated results cost more than this share of the bill, no reason against removing them is shown. */ const MAX_NEGLIGIBLE = 0.02;

/** @param {Card} card */
export function adviceCard(card) {
  const { picture, words, money } = card;
  const { advice = [], bill = null } = picture;
  const paid = bill?.paid ?? 0;
  const helps = (/** @type {PictureAdvice} */ { saves }) => saves !== null && saves > MIN_SHOWN * paid;
  const helpful = advice.filter(helps);
  const reasons = advice.flatMap((one) => (helps(one) ? [] : reasonOf(card, one)));
  const alternatives = alternativesOf(picture);
  const { what, saves = null } = helpful[0] ?? {};
  let lead = policyLead(words, alternatives);
  if (what !== undefined && saves !== null && bill !== null)
    lead = words.adviceLead(words.adviceNames[what], money(saves), words.share(saves / paid));
  const rows = helpful.map((one) => adviceRow(card, one));
  const reasonRows = reasons.map((reason) => h('li', reason));
  const more = reasons.length > 0 && h('div.more', h('p', words.notWorth), h('ul.plain', reasonRows));
  return cardOf(words.cheaper, lead, rows.length > 0 && h('ul.advice', rows), more, policiesOf(card, alternatives));
}

/** What a piece of advice says and saves. @param {Card} card @param {PictureAdvice} one */
function adviceRow({ words, money, select }, { what, saves, cost, times, tokens, names, request }) {
  const figures = {
    cost: money(cost),
    saves: money(saves ?? 0),
    pauses: words.pauses(words.number(times)),
    tokens: formatCountShort(tokens, words),
    names: names.map(legible).join(words.separator),
    request: words.number((request?.[1] ?? 0) + 1),
  };
  const press = request === null ? undefined : () => select(...request);
  return rowOf({ what: fill(words.advice[what], figures), figure: `−${figures.saves}`, tone: 'good', press });
}

/** Why a piece of advice would not have helped. @param {Card} card @param {PictureAdvice} one @returns {string[]} */
function reasonOf({ picture, words, money }, { what, saves, cost, share }) {
  const { bill = null } = picture;
  if (bill === null || (what === 'outdated' && cost > MAX_NEGLIGIBLE * bill.paid)) return [];
  const name = words.adviceNames[what];
  if (what === 'outdated')
    return [words.outdatedReason(words.share(share), money(cost), words.share(cost / bill.paid))];
  if (saves !== null && saves < 0) return [words.dearerReason(name, money(-saves))];
  return [words.littleReason(name, money(saves ?? 0))];
}

/** The policies for the agent's author, with their costs. @param {Card} card @param {Alternatives} alternatives */
function policiesOf({ picture, words }, { currency, paid, modelled, output, policies }) {
  const money = (/** @type {number} */ amount) => formatMoney(amount, currency, words);
  const base = paid ?? modelled;
  const highest = Math.max(base, ...policies.map(({ cost }) => cost));
  const row = (/** @type {string} */ what, /** @type {number} */ cost, change = '', tone = '') =>
    rowOf({ what, figure: `${money(cost)}${change}`, bar: [0, highest > 0 ? cost / highest : 0], tone });
  const rows = policies.map(({ policy, cost, low, high }) => {
    const rising = low > MIN_SHOWN ? 'bad' : '';
    const change = ` · ${formatRange({ low, high }, words.language)}`;
    return row(words.policies[policy], cost, change, high < -MIN_SHOWN ? 'good' : rising);
  });
  const baseline = row(paid === null ? words.policies.leftAlone : words.paid, base);
  const basis = [output > 0 ? words.withOutput : words.promptsOnly];
  basis.push(picture.models.length > 0 ? words.byModel : words.byUsual);
  if (paid !== null && paid > 0)
    basis.push(words.modelOff(money(modelled), formatChange(modelled / paid - 1, words.language)));
  return h('details', h('summary', words.byAuthor), h('ul', baseline, ...rows), note(basis.join(' ')));
}

/** The card's first sentence if no advice helps its user. @param {Words} words @param {Alternatives} alternatives */
function policyLead(words, { policies }) {
  const certain = policies.filter(({ high }) => high < -MIN_SHOWN).sort((a, b) => a.high - b.high)[0];
  if (certain !== undefined)
    return words.authorLead(words.policies[certain.policy], formatRange(certain, words.language));
  if (policies.some(({ low }) => low < -MIN_SHOWN)) return words.unsure;
  return policies.some(({ low }) => low > MIN_SHOWN) ? words.dearer : words.alike;
}

/**
 * Costs of all policies under the cache model, over requests of known cost. `low` and `high` are the change in cost
 * computed in two ways: relative to what was paid, and relative to the model's cost of unmodified history. Their
 * difference shows the model's error. `paid` is null if no usage was recorded; the cheapest policy is first.
 * @param {SessionPicture} picture
 */
export function alternativesOf(picture) {
  const costs = picture.threads.flatMap((thread) => thread.costs.slice(0, 1).map(({ policies }) => policies));
  const isPaid = costs.some(({ paid }) => paid?.some((cost) => cost !== null));
  const usd = usdPerUnit(picture);
  /** @type {Currency} */ const currency = usd === null ? 'units' : 'usd';
  // Dollars recorded by the agent can't be added to units.
  const output = picture.bill?.currency === currency ? picture.bill.output : 0;
  const total = (/** @type {(number | null)[]} */ amounts) =>
    (usd ?? 1) * amounts.reduce((/** @type {number} */ sum, amount) => sum + (amount ?? 0), 0) + output;
  const costOf = (/** @type {Policy} */ policy) => {
    const each = costs.map(({ [policy]: series, paid }) =>
      (series ?? []).filter((_, request) => !isPaid || typeof paid?.[request] === 'number'),
    );
    return total(each.flat());
  };
  const paid = isPaid ? total(costs.flatMap((policies) => policies.paid ?? [])) : null;
  const modelled = costOf('leftAlone');
  const base = paid ?? modelled;
  const known = POLICIES.filter((policy) => costs.every((costsByPolicy) => costsByPolicy[policy] !== undefined));
  const policies = known.map((policy) => {
    const cost = costOf(policy);
    const changes = base > 0 ? [cost / base - 1, (cost - modelled) / base] : [0, 0];
    return { policy, cost, low: Math.min(...changes), high: Math.max(...changes) };
  });
  return { currency, paid, modelled, output, policies: policies.sort((a, b) => a.cost - b.cost) };
}

/** Dollars of a unit, one uncached input token; null if a model's price is unknown. @param {SessionPicture} picture */
export function usdPerUnit({ threads }) {
  const perMillion = threads[0]?.costs[0]?.usdPerMillion ?? null;
  return perMillion === null ? null : perMillion / 1e6;
}
