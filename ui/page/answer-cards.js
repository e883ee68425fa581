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
import { formatChange, formatCost } from './figures.js';

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
  const found = alternatives(picture);
  const usd = usdPerUnit(picture);
  const [cheapest] = found;
  if (cheapest === undefined) return cardOf(words.cheaper, words.unknown);
  const most = Math.max(...found.map(({ cost }) => cost));
  const list = found.map(({ policy, cost, change }) => {
    const bar = h('meter', { min: 0, max: 1, value: (most > 0 ? cost / most : 0).toFixed(3), 'aria-hidden': 'true' });
    const figure = formatCost(cost, usd, words, language);
    const changed = policy === 'leftAlone' ? '' : ` · ${formatChange(change, language)}`;
    const tone = change < -worthSaying ? 'good' : change > worthSaying ? 'bad' : '';
    return entry(words.policies[policy], figure + changed, bar, tone);
  });
  const lead =
    cheapest.change < -worthSaying
      ? words.cheaperLead(words.policies[cheapest.policy], formatShare(-cheapest.change, language))
      : found.some(({ change }) => change > worthSaying)
        ? words.dearer
        : words.alike;
  return cardOf(
    words.cheaper,
    lead,
    h('ul', {}, ...list),
    h('p', { class: 'more' }, picture.models.length > 0 ? words.byModel : words.byUsual),
  );
}
