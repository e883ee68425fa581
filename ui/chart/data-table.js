// @ts-check
/**
 * The chart's data as a table, for screen readers and for copying. It shows one page of requests: a browser takes half
 * a second for a thousand rows of a dozen cells.
 *
 * @import { Language } from '../base/language.js'
 * @import { SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @import { Money } from './money.js'
 * @import { PolicyCost } from './series.js'
 * @typedef {{ words: Words, language: Language, picture: SessionPicture, thread: ThreadPicture, policies: PolicyCost[], money: Money | null, request: number }} TableData
 * @typedef {{ name: string, of: (place: number) => string }} Column
 */
import { h } from '../base/dom.js';
import { formatCount, formatTime } from '../base/format.js';
import { legible } from '../picture/naming.js';
import { kindName } from '../picture/words.js';
import { marksOf } from './reading.js';
import { stack } from './series.js';

const PAGE = 50;

export class DataTable {
  #toggle = h('button', {
    type: 'button',
    part: 'table-toggle',
    'aria-expanded': 'false',
    onclick: () => this.#flip(),
  });
  #body = h('div', { hidden: true });
  element = h('div', { class: 'data' }, this.#toggle, this.#body);
  /** @type {TableData | null} */
  #data = null;
  #from = 0;

  /** @param {TableData} data */
  update(data) {
    this.#data = data;
    this.#show();
  }

  get #isOpen() {
    return !this.#body.hidden;
  }

  #flip() {
    this.#body.hidden = !this.#body.hidden;
    this.#from = Math.floor(Math.max(0, this.#data?.request ?? 0) / PAGE) * PAGE;
    this.#show();
  }

  #show() {
    if (this.#data === null) return;
    const { words } = this.#data;
    this.#toggle.textContent = this.#isOpen ? words.hideTable : words.showTable;
    this.#toggle.setAttribute('aria-expanded', String(this.#isOpen));
    this.#body.replaceChildren(...(this.#isOpen ? this.#page(this.#data) : []));
  }

  /** @param {TableData} data */
  #page(data) {
    const { words, language, thread } = data;
    const count = thread.requests.length;
    const from = Math.min(this.#from, Math.max(0, count - 1));
    const to = Math.min(count, from + PAGE);
    const number = (/** @type {number} */ value) => formatCount(value, language);
    const columns = columnsOf(data);
    const rows = Array.from({ length: to - from }, (_, place) => rowOf(columns, from + place));
    const caption = words.tableCaption(number(from + 1), number(to), number(count));
    const table = h(
      'table',
      { part: 'table' },
      h('caption', {}, caption),
      h('thead', {}, h('tr', {}, ...columns.map(({ name }) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...rows),
    );
    const scroll = h('div', { class: 'table-scroll', role: 'group', tabindex: 0, 'aria-label': caption }, table);
    if (count <= PAGE) return [scroll];
    const turn = (/** @type {string} */ name, /** @type {number} */ target) =>
      h('button', { type: 'button', disabled: target < 0 || target >= count, onclick: () => this.#turn(target) }, name);
    return [h('div', { class: 'turns' }, turn(words.earlier, from - PAGE), turn(words.later, from + PAGE)), scroll];
  }

  /** @param {number} target */
  #turn(target) {
    const isLater = target > this.#from;
    this.#from = target;
    this.#show();
    const buttons = [...this.#body.querySelectorAll('button')];
    // The pressed button was rendered again. If it is disabled now, the other one gets the focus.
    const pressed = buttons[isLater ? 1 : 0];
    (pressed?.disabled === false ? pressed : buttons.find((button) => !button.disabled))?.focus();
  }
}

/** @param {Column[]} columns @param {number} place */
function rowOf(columns, place) {
  return h(
    'tr',
    {},
    ...columns.map(({ of }, at) => (at === 0 ? h('th', { scope: 'row' }, of(place)) : h('td', {}, of(place)))),
  );
}

/** @param {TableData} data @returns {Column[]} */
function columnsOf({ words, language, picture, thread, policies, money }) {
  const { requests } = thread;
  const number = (/** @type {number | null | undefined} */ value) =>
    value === null || value === undefined ? '–' : formatCount(value, language);
  return [
    { name: words.request, of: (place) => number(place + 1) },
    { name: words.time, of: (place) => timeOf(requests[place]?.timeMs ?? null, language) },
    { name: words.model, of: (place) => legible(requests[place]?.model ?? '–') },
    { name: words.prompt, of: (place) => number(requests[place]?.tokens) },
    ...stack(requests, picture.kinds.length).map(({ kind }) => ({
      name: kindName(words, picture.kinds[kind] ?? ''),
      of: (/** @type {number} */ place) => number(requests[place]?.tokensByKind[kind] ?? 0),
    })),
    { name: words.asView, of: (place) => number(requests[place]?.tokensView) },
    ...policies.map(({ policy, each }) => ({
      name: `${words.costTitle}${words.colon}${words.policies[policy]}`,
      of: (/** @type {number} */ place) => money?.format(each[place] ?? null) ?? '–',
    })),
    {
      name: words.marks,
      of: (place) => {
        const request = requests[place];
        return request === undefined ? '' : marksOf(words, language, request).join(words.semicolon);
      },
    },
  ];
}

/** @param {number | null} ms @param {Language} language */
function timeOf(ms, language) {
  return ms === null ? '–' : (formatTime(ms, language)?.text ?? '–');
}
