// @ts-check
/**
 * A table of sessions, sorted by a heading. On narrow screens rows are cards, without the elements' own roles.
 * @import { Listed } from '../source.js'
 * @import { Words } from '../words.js'
 * @import { Choices, Order } from './selection.js'
 */
import { h, replaceKeepingFocus, svg } from '../../base/dom.js';
import { formatShort, formatTime } from '../../base/format.js';
import { legible } from '../../base/safe-text.js';
import { formatMoney, formatSum } from '../card.js';
import { lastName, paidIn, sumOf } from './selection.js';

/** Number of rows shown at first; the user can load more or filter. */ const ROWS_PER_STEP = 100;
/** Columns that can be sorted by. @type {readonly Order[]} */
const SORTABLE = ['lastMs', 'requests', 'peakTokens', 'busts', 'paid'];

export class SessionTable {
  /** Number of rows that are shown; 0: the first step. */ shown = 0;
  #body = h('tbody', { role: 'rowgroup' });
  #foot = h('tfoot', { role: 'rowgroup' });
  #empty = h('p.empty');
  #more = h('button.more-rows', { onclick: () => this.#showMore() });

  /** @param {Words} words @param {Choices} choices modified in place @param {() => void} changed called after */
  constructor(words, choices, changed) {
    const { columns, courseHint, title } = words.home;
    this.words = words;
    this.choices = choices;
    this.changed = changed;
    const role = { scope: 'col', role: 'columnheader' };
    this.heads = SORTABLE.map((order) => {
      const onclick = () => {
        choices.isRising = choices.order === order && !choices.isRising;
        choices.order = order;
        changed();
      };
      const attributes = { ...role, class: order === 'lastMs' ? '' : 'number' };
      return h('th', attributes, h('button.sort', { onclick }, columns[order]));
    });
    const session = h('th.plain', role, columns.session);
    const course = h('th.plain', { ...role, title: courseHint }, columns.course);
    const head = h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, session, course, this.heads));
    this.table = h('table.sessions', { role: 'table', 'aria-label': title }, head, this.#body, this.#foot);
    this.element = h('div', this.table, this.#empty, this.#more);
  }

  /** @param {readonly Listed[]} sessions sorted @param {string} emptyText text to show if there are none */
  show(sessions, emptyText) {
    this.#empty.hidden = sessions.length > 0;
    this.#empty.textContent = emptyText;
    this.table.hidden = sessions.length === 0;
    for (const [index, order] of SORTABLE.entries()) {
      const sorted = this.choices.isRising ? 'ascending' : 'descending';
      this.heads[index]?.setAttribute('aria-sort', order === this.choices.order ? sorted : 'none');
    }
    const rows = sessions.slice(0, Math.max(this.shown, ROWS_PER_STEP)).map((session) => this.#row(session));
    replaceKeepingFocus(this.#body, rows);
    this.#foot.replaceChildren(this.#total(sessions));
    const rest = sessions.length - rows.length;
    this.#more.hidden = rest === 0;
    this.#more.textContent = this.words.home.showMore(this.words.number(Math.min(rest, ROWS_PER_STEP)));
  }

  #showMore() {
    const before = this.#body.childElementCount;
    this.shown = before + ROWS_PER_STEP;
    this.changed();
    this.#body.children[before]?.querySelector('a')?.focus();
  }

  /** @param {Listed} session */
  #row(session) {
    const { id, project, agentName, models, subAgents, lastMs, requests, peakTokens, busts, outline } = session;
    const { home, unknown, number, language } = this.words;
    const time = lastMs === null ? undefined : formatTime(lastMs, language);
    const agents = subAgents > 0 ? home.subAgents(number(subAgents)) : '';
    const about = [lastName(project), agentName, models.join(', '), agents].filter(Boolean).join(' · ');
    const name = legible(session.title ?? '') || lastName(session.path) || this.words.untitled;
    const link = h('a', { href: `#session=${id}`, 'data-key': id }, name);
    const figures = [
      this.#figure('lastMs', time === undefined ? unknown : h('time', { datetime: time.datetime }, time.text)),
      this.#figure('requests', number(requests)),
      this.#figure('peakTokens', peakTokens > 0 ? formatShort(peakTokens, language) : unknown),
      this.#figure('busts', busts === null ? unknown : number(busts)),
      this.#figure('paid', this.#paid(session)),
    ];
    const title = h('td.title', { role: 'cell' }, link, h('div.detail', legible(about)));
    return h('tr', { role: 'row' }, title, h('td.course', { role: 'cell' }, sparkline(outline)), figures);
  }

  /** @param {Order} order @param {Node | string} content */
  #figure(order, content) {
    const label = h('span.label', { 'aria-hidden': 'true' }, this.words.home.columns[order]);
    return h('td', { role: 'cell', class: order === 'lastMs' ? 'when' : 'number' }, label, h('span', content));
  }

  /** @param {Listed} session */
  #paid(session) {
    const { bill } = session;
    if (bill === null) return this.words.unknown;
    const money = (/** @type {number} */ amount) => formatMoney(amount, bill.currency, this.words);
    const paid = money(paidIn(session, this.choices));
    const isAll = this.choices.period === 'all' && this.choices.model === undefined;
    if (!isAll || bill.repeated === 0) return paid;
    return h('span', paid, h('div.detail', this.words.home.repeated(money(bill.repeated))));
  }

  /** @param {readonly Listed[]} sessions */
  #total(sessions) {
    const { home, unknown, number } = this.words;
    const sum = (/** @type {'requests' | 'busts'} */ figure) =>
      this.#figure(figure, number(sessions.reduce((total, { [figure]: one }) => total + (one ?? 0), 0)));
    const name = home.total(home.sessions(number(sessions.length)));
    const hasBills = sessions.some(({ bill }) => bill !== null);
    const paid = hasBills ? formatSum(sumOf(sessions, this.choices), this.words).join(' ') : unknown;
    const title = h('th.title', { scope: 'row', role: 'rowheader' }, name);
    const [course, when, peak] = ['course', 'when', 'number'].map((column) => h('td', { role: 'cell', class: column }));
    const figures = [when, sum('requests'), peak, sum('busts'), this.#figure('paid', paid)];
    return h('tr', { role: 'row' }, title, course, figures);
  }
}

/** Size of a sparkline, CSS pixels. */ const [WIDTH, HEIGHT, MARGIN] = [132, 28, 3];

/** Prompt sizes by request, a dot at each cache miss; null for a single request. @param {Listed['outline']} outline */
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
  const area = svg('path.area', { d: `M${MARGIN} ${baseline}L${line}L${WIDTH - MARGIN} ${baseline}Z` });
  const dots = points.map(([x, y], request) => outline[request]?.[1] && svg('circle.lost', { cx: x, cy: y, r: 2.4 }));
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, 'aria-hidden': 'true' };
  return svg('svg.sparkline', size, area, svg('path.line', { d: `M${line}` }), dots);
}
