// @ts-check
/**
 * Advice for the agent's user first, then for its author, each with what it would have saved. Advice that would not
 * have helped shows the reason.
 *
 * @import { PictureAdvice } from '../picture.js'
 * @import { Alternatives } from './answers.js'
 * @import { Card, Row } from './card.js'
 */
import { h } from '../base/dom.js';
import { formatChange, formatCount, formatShare } from '../base/format.js';
import { legible } from '../picture/naming.js';
import { alternatives } from './answers.js';
import { cardOf, note, rowOf } from './card.js';
import { formatCountShort, formatMoney, formatRange } from './figures.js';

/** Smaller differences, as a share of the bill, are not shown. */
const minShown = 0.005;
/** Minimum saving, as a share of the bill, for advice that needs an author's work. */
const minCleared = 0.02;

/** @param {Card} card */
export function adviceCard(card) {
  const { picture, words, language } = card;
  const { advice = [], bill = null } = picture;
  const base = bill?.paid ?? 0;
  const helps = (/** @type {PictureAdvice} */ { saves }) => saves !== null && saves > minShown * base;
  const good = advice.filter(helps);
  const others = advice.filter((one) => !helps(one));
  const rows = good.map((one) => rowOf(adviceRow(card, one)));
  const found = alternatives(picture);
  const [first] = good;
  const lead =
    first === undefined || bill === null
      ? policyLead(card, found)
      : words.adviceLead(
          words.adviceNames[first.what],
          formatMoney(first.saves ?? 0, bill.currency, words, language),
          formatShare((first.saves ?? 0) / base, language),
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
    policiesOf(card, found),
  );
}

/** @param {Card} card @param {PictureAdvice} one @returns {Row} */
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

/** @param {Card} card @param {PictureAdvice} one */
function reasonOf({ picture, words, language }, { what, saves, cost, share }) {
  const { bill = null } = picture;
  if (bill === null || (what === 'outdated' && cost > minCleared * bill.paid)) return null;
  const money = (/** @type {number} */ amount) => formatMoney(amount, bill.currency, words, language);
  if (what === 'outdated')
    return words.outdatedReason(formatShare(share, language), money(cost), formatShare(cost / bill.paid, language));
  return saves !== null && saves < 0
    ? words.dearerReason(words.adviceNames[what], money(-saves))
    : words.littleReason(words.adviceNames[what], money(saves ?? 0));
}

/** @param {Card} card @param {Alternatives} found */
function policiesOf({ picture, words, language }, { currency, paid, modelled, output, policies }) {
  const money = (/** @type {number} */ amount) => formatMoney(amount, currency, words, language);
  const base = paid ?? modelled;
  const most = Math.max(base, ...policies.map(({ cost }) => cost));
  const row = (/** @type {string} */ what, /** @type {number} */ cost, change = '', tone = '') =>
    rowOf({
      what,
      figure: change === '' ? money(cost) : `${money(cost)} · ${change}`,
      bar: [0, most > 0 ? cost / most : 0],
      tone,
    });
  const list = policies.map(({ policy, cost, low, high }) => {
    const tone = high < -minShown ? 'good' : low > minShown ? 'bad' : '';
    return row(words.policies[policy], cost, formatRange({ low, high }, language), tone);
  });
  const baseline = row(paid === null ? words.policies.leftAlone : words.paid, base);
  const error = paid !== null && paid > 0 ? formatChange(modelled / paid - 1, language) : null;
  const by = [
    output > 0 ? words.withOutput : words.promptsOnly,
    picture.models.length > 0 ? words.byModel : words.byUsual,
    error === null ? '' : words.modelOff(money(modelled), error),
  ];
  return h('details', {}, h('summary', {}, words.byAuthor), h('ul', {}, baseline, ...list), note(by.join(' ').trim()));
}

/** @param {Card} card @param {Alternatives} found */
function policyLead({ words, language }, { policies }) {
  const sure = policies.filter(({ high }) => high < -minShown).sort((a, b) => a.high - b.high)[0];
  if (sure !== undefined) return words.authorLead(words.policies[sure.policy], formatRange(sure, language));
  if (policies.some(({ low }) => low < -minShown)) return words.unsure;
  return policies.some(({ low }) => low > minShown) ? words.dearer : words.alike;
}
