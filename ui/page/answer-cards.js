// @ts-check
/**
 * Three cards that answer in ten seconds; the charts below say the rest.
 *
 * @import { Language } from '../base/language.js'
 * @import { SessionPicture } from '../picture.js'
 * @import { Words } from './words.js'
 * @typedef {{ picture: SessionPicture, words: Words, language: Language, select: (thread: number, request: number) => void }} Card
 */
import { h } from '../base/dom.js';
import { formatCount, formatDuration, formatShare, formatShort } from '../base/format.js';
import { alternatives, filling, jumps, usdPerUnit } from './answers.js';
import { formatChange, formatCost, formatRange } from './figures.js';

const mostJumps = 3;
/** What differs by less is as good as the same. */
const worthSaying = 0.005;

/** @param {Card} card */
export function answerCards(card) {
  return h('div', { class: 'answers' }, fillsCard(card), jumpsCard(card), cheaperCard(card));
}

/** @param {string} title @param {string} lead @param {...(Node | false)} more */
function cardOf(title, lead, ...more) {
  return h('section', { class: 'answer' }, h('h2', {}, title), h('p', { class: 'lead' }, lead), ...more);
}

/** @param {string} what @param {string} figure @param {Node | false} [below] @param {string} [tone] */
function entry(what, figure, below = false, tone = '') {
  const said = [h('span', { class: 'what' }, what), h('span', { class: `figure ${tone}` }, figure), below];
  return h('li', { class: 'entry' }, ...said);
}

/** Short where it is long. @param {number} tokens @param {Language} language */
function tokensIn(tokens, language) {
  return tokens < 10_000 ? formatCount(tokens, language) : formatShort(tokens, language);
}

/** @param {Card} card */
function fillsCard({ picture, words, language }) {
  const found = filling(picture, 0);
  if (found === null) return cardOf(words.fills, words.unknown);
  const { entries, tokens, outdated, request } = found;
  const nameOf = (/** @type {typeof entries[number]} */ { kind, tool }) => {
    if (tool === null) return words.kinds[kind];
    return kind === 'call' ? words.calls(tool) : words.tools(tool);
  };
  const share = (/** @type {number} */ part) => formatShare(part, language);
  const list = entries.map((each) => {
    const bar = h('meter', { min: 0, max: 1, value: each.share.toFixed(3), 'aria-hidden': 'true' });
    return entry(nameOf(each), `${tokensIn(each.tokens, language)} · ${share(each.share)}`, bar);
  });
  const first = /** @type {typeof entries[number]} */ (entries[0]);
  const lead = words.fillsLead(nameOf(first), share(first.share), formatCount(tokens, language));
  const rest =
    outdated > 0 ? words.outdated(formatCount(outdated, language), share(outdated / tokens)) : words.nothingOutdated;
  const more = h('p', { class: 'more' }, `${words.largest(formatCount(request + 1, language))} ${rest}`);
  return cardOf(words.fills, lead, h('ul', {}, ...list), more);
}

/** @param {Card} card */
function jumpsCard({ picture, words, language, select }) {
  const { paid, cost, jumps: found } = jumps(picture);
  if (paid === null) return cardOf(words.jumped, words.noUsage, h('p', { class: 'more' }, words.noUsageMore));
  if (found.length === 0) return cardOf(words.jumped, words.neverJumped);
  const usd = usdPerUnit(picture);
  const money = (/** @type {number} */ units) => formatCost(units, usd, words, language);
  const count = (/** @type {number} */ value) => formatCount(value, language);
  const list = found.slice(0, mostJumps).map((jump) => {
    const pause = jump.pauseMs === null ? null : formatDuration(jump.pauseMs, language);
    const why = /** @type {any} */ (words.causes)[jump.cause]?.(pause) ?? words.causes.unknown();
    const text = words.jump(count(jump.request + 1), why);
    const press = h(
      'button',
      { type: 'button', title: words.again(count(jump.tokens)), onclick: () => select(jump.thread, jump.request) },
      h('span', { class: 'what' }, text),
      h('span', { class: 'figure bad' }, money(jump.cost)),
    );
    return h('li', { class: 'entry' }, press);
  });
  const share = formatShare(paid > 0 ? Math.min(1, cost / paid) : 0, language);
  const rest = found.length - list.length;
  return cardOf(
    words.jumped,
    words.jumpedLead(count(found.length), money(cost), share),
    h('ul', {}, ...list),
    rest > 0 && h('p', { class: 'more' }, words.moreJumps(count(rest))),
  );
}

/** @param {Card} card */
function cheaperCard({ picture, words, language }) {
  const { paid, modelled, policies } = alternatives(picture);
  const usd = usdPerUnit(picture);
  const money = (/** @type {number} */ units) => formatCost(units, usd, words, language);
  const base = paid ?? modelled;
  const most = Math.max(base, ...policies.map(({ cost }) => cost));
  const row = (/** @type {string} */ name, /** @type {number} */ cost, change = '', tone = '') => {
    const bar = h('meter', { min: 0, max: 1, value: (most > 0 ? cost / most : 0).toFixed(3), 'aria-hidden': 'true' });
    return entry(name, change === '' ? money(cost) : `${money(cost)} · ${change}`, bar, tone);
  };
  const list = policies.map(({ policy, cost, low, high }) => {
    const tone = high < -worthSaying ? 'good' : low > worthSaying ? 'bad' : '';
    return row(words.policies[policy], cost, formatRange({ low, high }, language), tone);
  });
  const asItWas = row(paid === null ? words.policies.leftAlone : words.policies.paid, base);
  const by = picture.models.length > 0 ? words.byModel : words.byUsual;
  const error = paid !== null && paid > 0 ? formatChange(modelled / paid - 1, language) : null;
  return cardOf(
    words.cheaper,
    cheaperLead(policies, words, language),
    h('ul', {}, asItWas, ...list),
    h('p', { class: 'more' }, error === null ? by : `${by} ${words.modelOff(money(modelled), error)}`),
  );
}

/** @param {import('./answers.js').Alternative[]} policies @param {Words} words @param {Language} language */
function cheaperLead(policies, words, language) {
  const sure = policies.filter(({ high }) => high < -worthSaying).sort((a, b) => a.high - b.high)[0];
  if (sure !== undefined) return words.cheaperLead(words.policies[sure.policy], formatRange(sure, language));
  if (policies.some(({ low }) => low < -worthSaying)) return words.unsure;
  return policies.some(({ low }) => low > worthSaying) ? words.dearer : words.alike;
}
