// @ts-check
/**
 * A table of sessions; pressing a column heading sorts by it. On narrow screens CSS shows each row as a card.
 *
 * @import { Language } from '../../base/language.js'
 * @import { Listed } from '../source.js'
 * @import { Words } from '../words.js'
 * @import { Choices, Order } from './selection.js'
 */
import { h, replaceKeepingFocus, svg } from '../../base/dom.js';
import { formatCount, formatShort, formatTime } from '../../base/format.js';
import { legible } from '../../picture/naming.js';
import { formatMoney, formatSum } from '../figures.js';
import { lastName, paidIn, sumOf } from './selection.js';

/** Number of rows shown at first; the user can load more or filter. */
const ROWS_PER_STEP = 100;
/** Columns that can be sorted by. @type {readonly Order[]} */
const SORTABLE = ['lastMs', 'requests', 'peakTokens', 'busts', 'paid'];

export class SessionTable {
  element;
  /** Number of rows that are shown; 0: the first step. */
  shown = 0;
  #words;
  #language;
  #choices;
  #changed;
  #heads;
  #body = h('tbody', { role: 'rowgroup' });
  #foot = h('tfoot', { role: 'rowgroup' });
  #empty = h('p', { class: 'empty' });
  #more = h('button', { type: 'button', class: 'more-rows', onclick: () => this.#showMore() });
  #table;
  /** @type {readonly Listed[]} */
  #sessions = [];

  /**
   * @param {Words} words @param {Language} language @param {Choices} choices modified in place
   * @param {() => void} changed called after each modification
   */
  constructor(words, language, choices, changed) {
    const { columns, courseHint, title } = words.home;
    this.#words = words;
    this.#language = language;
    this.#choices = choices;
    this.#changed = changed;
    this.#heads = SORTABLE.map((order) => {
      const button = h('button', { type: 'button', class: 'sort', onclick: () => this.#sort(order) }, columns[order]);
      return h('th', { scope: 'col', role: 'columnheader', class: order === 'lastMs' ? '' : 'number' }, button);
    });
    const plain = (/** @type {string} */ name, /** @type {string | undefined} */ hint = undefined) =>
      h('th', { scope: 'col', role: 'columnheader', title: hint, class: 'plain' }, name);
    const heads = [plain(columns.session), plain(columns.course, courseHint), ...this.#heads];
    this.#table = h(
      'table',
      { role: 'table', class: 'sessions', 'aria-label': title },
      h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, heads)),
      this.#body,
      this.#foot,
    );
    this.element = h('div', {}, this.#table, this.#empty, this.#more);
  }

  /** @param {readonly Listed[]} sessions sorted @param {string} emptyText text to show if there are none */
  show(sessions, emptyText) {
    this.#sessions = sessions;
    this.#empty.hidden = sessions.length > 0;
    this.#empty.textContent = emptyText;
    this.#table.hidden = sessions.length === 0;
    for (const [index, order] of SORTABLE.entries()) {
      const sorted = this.#choices.isRising ? 'ascending' : 'descending';
      this.#heads[index]?.setAttribute('aria-sort', order === this.#choices.order ? sorted : 'none');
    }
    const shown = sessions.slice(0, Math.max(this.shown, ROWS_PER_STEP));
    replaceKeepingFocus(
      this.#body,
      shown.map((session) => this.#row(session)),
    );
    this.#foot.replaceChildren(this.#total());
    const rest = sessions.length - shown.length;
    this.#more.hidden = rest === 0;
    this.#more.textContent = this.#words.home.showMore(this.#count(Math.min(rest, ROWS_PER_STEP)));
  }

  #showMore() {
    const before = this.#body.childElementCount;
    this.shown = before + ROWS_PER_STEP;
    this.#changed();
    this.#body.children[before]?.querySelector('a')?.focus();
  }

  /** @param {Order} order */
  #sort(order) {
    this.#choices.isRising = this.#choices.order === order && !this.#choices.isRising;
    this.#choices.order = order;
    this.#changed();
  }

  /** @param {number} count */
  #count(count) {
    return formatCount(count, this.#language);
  }

  /** @param {Listed} session */
  #row(session) {
    const { id, project, agentName, models, subAgents, lastMs, requests, peakTokens, busts, outline } = session;
    const { home, unknown } = this.#words;
    const time = lastMs === null ? undefined : formatTime(lastMs, this.#language);
    const about = [
      lastName(project),
      agentName,
      models.join(', '),
      subAgents > 0 ? home.subAgents(this.#count(subAgents)) : '',
    ];
    const link = h('a', { href: `#session=${id}`, 'data-key': id }, firstWords(session, this.#words));
    const cells = [
      time === undefined ? unknown : h('time', { datetime: time.datetime }, time.text),
      this.#count(requests),
      peakTokens > 0 ? formatShort(peakTokens, this.#language) : unknown,
      busts === null ? unknown : this.#count(busts),
      this.#paid(session),
    ];
    return h(
      'tr',
      { role: 'row' },
      h(
        'td',
        { role: 'cell', class: 'title' },
        link,
        h('div', { class: 'detail' }, legible(about.filter(Boolean).join(' · '))),
      ),
      h('td', { role: 'cell', class: 'course' }, sparkline(outline)),
      cells.map((cell, index) => this.#figure(SORTABLE[index], cell)),
    );
  }

  /** @param {Order | undefined} order @param {...(Node | string)} content */
  #figure(order = 'paid', ...content) {
    const label = h('span', { class: 'label', 'aria-hidden': 'true' }, this.#words.home.columns[order]);
    return h('td', { role: 'cell', class: order === 'lastMs' ? 'when' : 'number' }, label, h('span', {}, ...content));
  }

  /** @param {Listed} session */
  #paid(session) {
    const { bill } = session;
    if (bill === null) return this.#words.unknown;
    const money = (/** @type {number} */ amount) => formatMoney(amount, bill.currency, this.#words, this.#language);
    const paid = money(paidIn(session, this.#choices));
    const isAll = this.#choices.period === 'all' && this.#choices.model === undefined;
    if (!isAll || bill.repeated === 0) return paid;
    return h('span', {}, paid, h('div', { class: 'detail' }, this.#words.home.repeated(money(bill.repeated))));
  }

  #total() {
    const { home, unknown } = this.#words;
    const sum = (/** @type {(session: Listed) => number | null} */ figure) =>
      this.#count(this.#sessions.reduce((total, session) => total + (figure(session) ?? 0), 0));
    const name = home.total(home.sessions(this.#count(this.#sessions.length)));
    const hasBills = this.#sessions.some(({ bill }) => bill !== null);
    const paid = hasBills ? formatSum(sumOf(this.#sessions, this.#choices), this.#words, this.#language) : [unknown];
    return h(
      'tr',
      { role: 'row' },
      h('th', { scope: 'row', role: 'rowheader', class: 'title' }, name),
      h('td', { role: 'cell', class: 'course' }),
      h('td', { role: 'cell', class: 'when' }),
      this.#figure(
        'requests',
        sum(({ requests }) => requests),
      ),
      h('td', { role: 'cell', class: 'number' }),
      this.#figure(
        'busts',
        sum(({ busts }) => busts),
      ),
      this.#figure('paid', paid.join(' ')),
    );
  }
}

/** The first prompt, or the file name. @param {Listed} session @param {Words} words */
function firstWords({ title, path }, words) {
  return (title === null ? '' : legible(title)) || lastName(path) || words.untitled;
}

/** Size of a sparkline, CSS pixels. */
const [WIDTH, HEIGHT, MARGIN] = [132, 28, 3];

/**
 * A line of prompt sizes by request, with a dot at each cache miss.
 * @param {readonly [tokens: number, isLost: boolean][]} outline @returns {SVGElement | null} null for a single request
 */
function sparkline(outline) {
  const largest = Math.max(...outline.map(([tokens]) => tokens));
  if (outline.length < 2 || largest <= 0) return null;
  const step = (WIDTH - 2 * MARGIN) / (outline.length - 1);
  const points = outline.map(([tokens], request) => [
    (MARGIN + request * step).toFixed(1),
    (HEIGHT - MARGIN - (tokens / largest) * (HEIGHT - 2 * MARGIN)).toFixed(1),
  ]);
  const line = points.map((point) => point.join(' ')).join('L');
  const baseline = HEIGHT - MARGIN;
  return svg(
    'svg',
    { class: 'sparkline', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, 'aria-hidden': 'true' },
    svg('path', { class: 'area', d: `M${MARGIN} ${baseline}L${line}L${WIDTH - MARGIN} ${baseline}Z` }),
    svg('path', { class: 'line', d: `M${line}` }),
    points.map(([x, y], request) => outline[request]?.[1] && svg('circle', { class: 'lost', cx: x, cy: y, r: 2.4 })),
  );
}
