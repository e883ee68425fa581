// @ts-check
/**
 * Sums by period, project and model, and all sessions. Rendering again keeps the choices and the focus.
 * @import { Listing } from '../source.js'
 * @import { Words } from '../words.js'
 * @import { Choices } from './selection.js'
 */
import { h, replaceKeepingFocus } from '../../base/dom.js';
import { formatSum, note, rowOf } from '../card.js';
import { filesNote } from '../files-note.js';
import { groupsOf, inOrder, PERIODS, selected, sumOf } from './selection.js';
import { SessionTable } from './session-table.js';

/** Projects or models shown at first. */ const MAX_GROUPS = 5;

export class Home {
  /** @type {Listing | null} */ #listing = null;
  #progressText = h('span');
  #groups = h('div.answers');
  #files = h('div');

  /** @param {Words} words @param {Choices} choices modified in place */
  constructor(words, choices) {
    const { home } = words;
    this.words = words;
    this.choices = choices;
    this.progress = h('progress', { max: 1, 'aria-label': words.loading });
    this.readingStatus = h('p.reading', this.progress, ' ', this.#progressText);
    this.periods = h('div.periods', { role: 'group', 'aria-label': words.paid });
    const labels = { 'aria-label': home.filter, placeholder: home.filterHint };
    const oninput = () => this.#choose({ text: filter.value });
    const filter = h('input.filter', { type: 'search', ...labels, value: choices.text, oninput });
    this.table = new SessionTable(words, choices, () => this.#update());
    const heading = h('h1', { tabindex: -1 }, home.title);
    const sums = [this.readingStatus, this.periods, this.#groups];
    const list = [h('div.filters', filter), this.table.element, note(home.basis), this.#files];
    this.element = h('article.home', heading, sums, list);
  }

  /** Shows the sessions as they are now. @param {Listing} listing */
  show(listing) {
    this.#listing = listing;
    this.#update();
  }

  /** @param {Partial<Choices>} change */
  #choose(change) {
    Object.assign(this.choices, change);
    this.table.shown = 0;
    this.#update();
  }

  #update() {
    const listing = this.#listing;
    if (listing === null) return;
    const { sessions, begins, reading } = listing;
    const { home } = this.words;
    const periods = PERIODS.map((period) => this.#periodButton(listing, period));
    const groups = [...this.#group(listing, 'project'), ...this.#group(listing, 'model')];
    const found = inOrder(selected(sessions, this.choices, begins), this.choices);
    this.readingStatus.hidden = reading === null;
    if (reading !== null) {
      const share = reading.all > 0 ? reading.done / reading.all : 0;
      this.progress.value = share;
      this.#progressText.textContent = home.reading(this.words.share(share), this.#sessionCount(sessions.length));
    }
    replaceKeepingFocus(this.periods, periods);
    replaceKeepingFocus(this.#groups, groups);
    this.table.show(found, sessions.length > 0 ? home.nothing : home.none);
    const wereOpen = this.#files.querySelector('details')?.open ?? false;
    replaceKeepingFocus(this.#files, filesNote(listing, this.words));
    for (const details of this.#files.querySelectorAll('details')) details.open = wereOpen;
  }

  /** @param {number} count */
  #sessionCount(count) {
    return this.words.home.sessions(this.words.number(count));
  }

  /** @param {Listing} listing @param {Choices['period']} period */
  #periodButton({ sessions, begins }, period) {
    const choices = { ...this.choices, period };
    const found = selected(sessions, choices, begins);
    const [sum, unpriced] = formatSum(sumOf(found, choices), this.words);
    const isPressed = String(this.choices.period === period);
    const attributes = { 'data-key': period, 'aria-pressed': isPressed, onclick: () => this.#choose({ period }) };
    const counts = [unpriced, this.#sessionCount(found.length)].filter((text) => text !== undefined);
    const figures = [h('span.sum', sum), ...counts.map((text) => h('span.count', text))];
    return h('button.period', attributes, h('span.name', this.words.home.periods[period]), figures);
  }

  /** Sums; a press chooses one or clears the choice. @param {Listing} listing @param {'project' | 'model'} by */
  #group({ sessions, begins }, by) {
    const { home, number } = this.words;
    const without = { ...this.choices, [by]: undefined };
    const groups = groupsOf(selected(sessions, without, begins), without, by);
    if (groups.length === 0) return [];
    const [title, unnamed] = by === 'project' ? [home.byProject, home.noProject] : [home.byModel, home.noModel];
    const largest = groups[0]?.sum.usd ?? 0;
    /** @type {[first: Element[], rest: Element[]]} */ const [first, rest] = [[], []];
    for (const [index, { key, sum, sessions: count }] of groups.entries()) {
      const figure = `${formatSum(sum, this.words).join(' ')} · ${this.#sessionCount(count)}`;
      const isChosen = this.choices[by] === key;
      const press = () => this.#choose({ [by]: isChosen ? undefined : key });
      const button = { 'aria-pressed': String(isChosen), 'data-key': `${by} ${key}` };
      const share = largest > 0 ? sum.usd / largest : 0;
      const row = rowOf({ what: key ? String(key) : unnamed, figure, bar: [0, share], press, button });
      (index < MAX_GROUPS || isChosen ? first : rest).push(row);
    }
    const open = this.#groups.querySelector(`details[data-by="${by}"]`)?.hasAttribute('open') ?? false;
    const summary = h('summary', { 'data-key': `more ${by}` }, home.more(number(rest.length)));
    const more = rest.length > 0 && h('details', { 'data-by': by, open }, summary, h('ul', rest));
    return [h('section.answer.group', h('h2', title), h('ul', first), more)];
  }
}
