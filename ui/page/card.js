// @ts-check
/**
 * What cards share. A card answers one question about a session with a heading, a sentence and rows of figures. A unit
 * is the price of one uncached input token.
 * @import { Attributes } from '../base/dom.js'
 * @import { Language } from '../base/element.js'
 * @import { BillPicture, SessionPicture } from '../picture.js'
 * @import { Words } from './words.js'
 * @typedef {'usd' | 'units'} Currency
 * @typedef {BillPicture['losses'][number]['requests']} Requests those that lost the cache
 * @typedef {{ cause: string, cost: number, requests: Requests }} Loss cache misses with the same cause, in words
 * @typedef {[start: number, end: number]} Bar as shares of the bill, or of the card's width
 * @typedef {{ what: string, figure: string, bar: Bar, requests?: Requests | undefined }} BillPart `requests`: of a loss
 * @typedef {(thread: number, request: number, cell?: number | null) => void} Select shows a request in chart and map
 * @typedef {{ picture: SessionPicture, words: Words, money: (amount: number) => string, select: Select }} Card what a
 *   card is built from; `money`: formats amounts in the bill's currency
 * @typedef {{ what: string, figure: string, bar?: Bar, tone?: string, press?: () => void, button?: Attributes }} Row
 *   `tone`: `good` or `bad`; `press` makes the row a button of one line, with the attributes `button` such as a title
 */
import { h } from '../base/dom.js';
import { formatChange, formatShort, formatUsd } from '../base/format.js';

/** Counts below this are shown with all digits. */ const MIN_SHORTENED = 10_000;

/** @param {number} amount @param {Currency} currency @param {Words} words */
export function formatMoney(amount, currency, words) {
  return currency === 'usd' ? formatUsd(amount, words.language) : words.units(formatShort(amount, words.language));
}

/** Formats amounts in the currency of a picture's bill. @param {SessionPicture} picture @param {Words} words */
export function moneyOf({ bill }, words) {
  return (/** @type {number} */ amount) => formatMoney(amount, bill?.currency ?? 'units', words);
}

/** In dollars, in units without a price, or both. @param {{ usd: number, units: number }} sum @param {Words} words */
export function formatSum({ usd, units }, words) {
  const inDollars = formatMoney(usd, 'usd', words);
  if (units === 0) return [inDollars];
  const inUnits = formatMoney(units, 'units', words);
  return usd === 0 ? [inUnits] : [inDollars, words.home.also(inUnits)];
}

/** The bill's cache misses by cause. @param {BillPicture} bill @param {Words} words @returns {Loss[]} */
export function lossesOf({ losses }, words) {
  return losses.map(({ cause, surprise = null, cost, requests }) => {
    const surpriseName = surprise === null ? undefined : words.surprises[surprise];
    return { cause: surpriseName ?? words.causes[cause], cost, requests };
  });
}

/** Add up to the bill. @param {BillPicture} bill @param {Loss[]} losses @param {Words} words @returns {BillPart[]} */
export function billParts(bill, losses, words) {
  const lost = losses.map(({ cause, cost, requests }) => {
    return { what: words.loss(cause, words.number(requests.length)), amount: cost, requests };
  });
  let end = 0;
  return [
    { what: words.newInput, amount: bill.newInput },
    { what: bill.hasCache ? words.reread : words.resent, amount: bill.reread },
    ...lost,
    { what: words.output, amount: bill.output },
  ].map(({ amount, ...part }) => {
    const share = bill.paid > 0 ? amount / bill.paid : 0;
    const start = end;
    end += share;
    const figure = `${formatMoney(amount, bill.currency, words)} · ${words.share(share)}`;
    return { ...part, figure, bar: [start, end] };
  });
}

/** Says where the bill's figures come from. @param {SessionPicture} picture @param {Words} words */
export function basisOf({ bill = null, isRecorded = false, pricesDate = '' }, words) {
  if (bill === null) return '';
  if (isRecorded) return words.asRecorded;
  return bill.currency === 'usd' ? words.atListPrices(pricesDate) : words.noPrice;
}

/** `843`, `12.3K`. @param {number} tokens @param {Words} words */
export function formatCountShort(tokens, words) {
  return tokens < MIN_SHORTENED ? words.number(Math.round(tokens)) : formatShort(tokens, words.language);
}

/** Both ends if they differ. @param {{ low: number, high: number }} change @param {Language} language */
export function formatRange({ low, high }, language) {
  const [from, to] = [formatChange(low, language), formatChange(high, language)];
  return from === to ? from : `${from} … ${to}`;
}

/** @param {string} title the question @param {string} lead the answer @param {...(Node | false | null)} more */
export function cardOf(title, lead, ...more) {
  return h('section.answer', h('h2', title), h('p.lead', lead), ...more);
}

/** A paragraph in small type. @param {string} text */
export function note(text) {
  return h('p.more', text);
}

/** @param {Row} row @param {...Node} below shown below the row */
export function rowOf({ what, figure, bar, tone = '', press, button }, ...below) {
  const parts = [h('span.what', what), h('span', { class: `figure ${tone}` }, figure)];
  const line = press === undefined ? parts : [h('button', { ...button, onclick: press }, ...parts)];
  if (bar === undefined) return h('li.entry', ...line, ...below);
  const [from, to] = bar;
  const filled = h('span', { class: `filled ${tone}` });
  filled.style.marginInlineStart = `${Math.max(0, Math.min(100, from * 100))}%`;
  filled.style.width = `${Math.max(0.4, Math.min(100, (to - from) * 100))}%`;
  return h('li.entry', ...line, h('span.bar-track', { 'aria-hidden': 'true' }, filled), ...below);
}
