// @ts-check
/**
 * The home page: sums by period, project and model, and all sessions. Rendering it again keeps the user's choices and
 * the focus.
 *
 * @import { Language } from '../../base/language.js'
 * @import { Listing } from '../source.js'
 * @import { Words } from '../words.js'
 * @import { Choices } from './selection.js'
 */
import { h, replaceKeepingFocus } from '../../base/dom.js';
import { formatCount, formatShare } from '../../base/format.js';
import { note, rowOf } from '../card.js';
import { formatSum } from '../figures.js';
import { filesNote } from '../files-note.js';
import { groupsOf, inOrder, PERIODS, selected, sumOf } from './selection.js';
import { SessionTable } from './session-table.js';

/** Projects or models shown at first. */
const MAX_GROUPS = 5;

export class Home {
  element = h('article', { class: 'home' });
  #words;
  #language;
  #choices;
  /** @type {Listing | null} */
  #listing = null;
  #readingStatus = h('p', { class: 'reading' });
  #progress = h('progress', { max: 1 });
  #progressText = h('span', {});
  #periods = h('div', { class: 'periods', role: 'group' });
  #groups = h('div', { class: 'answers' });
  #filter;
  #table;
  #files = h('div', {});

  /** @param {Words} words @param {Language} language @param {Choices} choices modified in place */
  constructor(words, language, choices) {
    const { home } = words;
    this.#words = words;
    this.#language = language;
    this.#choices = choices;
    this.#table = new SessionTable(words, language, choices, () => this.#update());
    this.#filter = h('input', {
      type: 'search',
      class: 'filter',
      'aria-label': home.filter,
      placeholder: home.filterHint,
      value: choices.text,
      oninput: () => this.#choose({ text: this.#filter.value }),
    });
    this.#progress.setAttribute('aria-label', words.loading);
    this.#readingStatus.append(this.#progress, ' ', this.#progressText);
    this.#periods.setAttribute('aria-label', words.paid);
    this.element.append(
      h('h1', { tabindex: -1 }, home.title),
      this.#readingStatus,
      this.#periods,
      this.#groups,
      h('div', { class: 'filters' }, this.#filter),
      this.#table.element,
      note(home.basis),
      this.#files,
    );
  }

  /** Shows the sessions as they are now. @param {Listing} listing */
  show(listing) {
    this.#listing = listing;
    this.#update();
  }

  /** @param {Partial<Choices>} change */
  #choose(change) {
    Object.assign(this.#choices, change);
    this.#table.shown = 0;
    this.#update();
  }

  #update() {
    const listing = this.#listing;
    if (listing === null) return;
    const { sessions, begins, reading } = listing;
    const found = selected(sessions, this.#choices, begins);
    const { nothing, none } = this.#words.home;
    const periods = PERIODS.map((period) => this.#periodButton(listing, period));
    const groups = [this.#group(listing, 'project'), this.#group(listing, 'model')];
    this.#showReading(reading, sessions.length);
    replaceKeepingFocus(this.#periods, periods);
    const shownGroups = groups.filter((group) => group !== null);
    replaceKeepingFocus(this.#groups, shownGroups);
    this.#table.show(inOrder(found, this.#choices), sessions.length > 0 ? nothing : none);
    const wereOpen = this.#files.querySelector('details')?.open ?? false;
    replaceKeepingFocus(this.#files, filesNote(listing, this.#words, this.#language));
    for (const details of this.#files.querySelectorAll('details')) details.open = wereOpen;
  }

  /** @param {Listing['reading']} reading @param {number} count */
  #showReading(reading, count) {
    this.#readingStatus.hidden = reading === null;
    if (reading === null) return;
    const share = reading.all > 0 ? reading.done / reading.all : 0;
    this.#progress.value = share;
    this.#progressText.textContent = this.#words.home.reading(
      formatShare(share, this.#language),
      this.#sessionCount(count),
    );
  }

  /** @param {number} count */
  #sessionCount(count) {
    return this.#words.home.sessions(formatCount(count, this.#language));
  }

  /** @param {Listing} listing @param {Choices['period']} period */
  #periodButton({ sessions, begins }, period) {
    const choices = { ...this.#choices, period };
    const found = selected(sessions, choices, begins);
    const [sum, unpriced] = formatSum(sumOf(found, choices), this.#words, this.#language);
    return h(
      'button',
      {
        type: 'button',
        class: 'period',
        'data-key': period,
        'aria-pressed': this.#choices.period === period ? 'true' : 'false',
        onclick: () => this.#choose({ period }),
      },
      h('span', { class: 'name' }, this.#words.home.periods[period]),
      h('span', { class: 'sum' }, sum),
      unpriced !== undefined && h('span', { class: 'count' }, unpriced),
      h('span', { class: 'count' }, this.#sessionCount(found.length)),
    );
  }

  /**
   * Sums by project or by model. They ignore the user's choice of a project or model itself. A press selects a row, a
   * second press clears it.
   * @param {Listing} listing @param {'project' | 'model'} by
   */
  #group({ sessions, begins }, by) {
    const { home } = this.#words;
    const without = { ...this.#choices, [by]: undefined };
    const groups = groupsOf(selected(sessions, without, begins), without, by);
    if (groups.length === 0) return null;
    const chosen = this.#choices[by];
    const largest = groups[0]?.sum.usd ?? 0;
    const rows = groups.map(({ key, sum, sessions: count }) => {
      const name = key ? String(key) : by === 'project' ? home.noProject : home.noModel;
      const figure = `${formatSum(sum, this.#words, this.#language).join(' ')} · ${this.#sessionCount(count)}`;
      const isChosen = chosen === key;
      const press = () => this.#choose({ [by]: isChosen ? undefined : key });
      const row = rowOf({ what: name, figure, bar: [0, largest > 0 ? sum.usd / largest : 0], press });
      const button = row.querySelector('button');
      button?.setAttribute('aria-pressed', String(isChosen));
      button?.setAttribute('data-key', `${by} ${key}`);
      return { row, isChosen };
    });
    const first = rows.filter(({ isChosen }, index) => index < MAX_GROUPS || isChosen).map(({ row }) => row);
    const rest = rows.filter(({ isChosen }, index) => index >= MAX_GROUPS && !isChosen).map(({ row }) => row);
    const wasOpen = this.#groups.querySelector(`details[data-by="${by}"]`)?.hasAttribute('open') ?? false;
    const more = h(
      'details',
      { 'data-by': by, open: wasOpen },
      h('summary', { 'data-key': `more ${by}` }, home.more(formatCount(rest.length, this.#language))),
      h('ul', {}, rest),
    );
    return h(
      'section',
      { class: 'answer group' },
      h('h2', {}, by === 'project' ? home.byProject : home.byModel),
      h('ul', {}, first),
      rest.length > 0 && more,
    );
  }
}
