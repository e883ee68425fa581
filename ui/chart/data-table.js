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
 *   `request`: index of the chosen request, -1 if none
 * @typedef {{ name: string, cell: (request: number) => string }} Column `cell`: the text for a request, by its index
 */
import { h } from '../base/dom.js';
import { formatCount, formatTime } from '../base/format.js';
import { legible } from '../picture/naming.js';
import { kindName } from '../picture/words.js';
import { marksOf } from './reading.js';
import { stack } from './series.js';

/** Requests on one page of the table. */
const PAGE = 50;

export class DataTable {
  #toggleButton = h('button', {
    type: 'button',
    part: 'table-toggle',
    'aria-expanded': 'false',
    onclick: () => this.#toggleOpen(),
  });
  #body = h('div', { hidden: true });
  element = h('div', { class: 'data' }, this.#toggleButton, this.#body);
  /** @type {TableData | null} */
  #data = null;
  /** Index of the first request on the page. */
  #first = 0;

  /** @param {TableData} data */
  update(data) {
    this.#data = data;
    this.#show();
  }

  get #isOpen() {
    return !this.#body.hidden;
  }

  #toggleOpen() {
    this.#body.hidden = !this.#body.hidden;
    this.#first = Math.floor(Math.max(0, this.#data?.request ?? 0) / PAGE) * PAGE;
    this.#show();
  }

  #show() {
    if (this.#data === null) return;
    const { words } = this.#data;
    this.#toggleButton.textContent = this.#isOpen ? words.hideTable : words.showTable;
    this.#toggleButton.setAttribute('aria-expanded', String(this.#isOpen));
    this.#body.replaceChildren(...(this.#isOpen ? this.#page(this.#data) : []));
  }

  /** @param {TableData} data */
  #page(data) {
    const { words, language, thread } = data;
    const count = thread.requests.length;
    const first = Math.min(this.#first, Math.max(0, count - 1));
    const end = Math.min(count, first + PAGE);
    const number = (/** @type {number} */ value) => formatCount(value, language);
    const columns = columnsOf(data);
    const rows = Array.from({ length: end - first }, (_, index) => rowOf(columns, first + index));
    const caption = words.tableCaption(number(first + 1), number(end), number(count));
    const table = h(
      'table',
      { part: 'table' },
      h('caption', {}, caption),
      h('thead', {}, h('tr', {}, ...columns.map(({ name }) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...rows),
    );
    const scroll = h('div', { class: 'table-scroll', role: 'group', tabindex: 0, 'aria-label': caption }, table);
    if (count <= PAGE) return [scroll];
    const turn = (/** @type {string} */ name, /** @type {number} */ target) => {
      const disabled = target < 0 || target >= count;
      return h('button', { type: 'button', disabled, onclick: () => this.#turnTo(target) }, name);
    };
    return [h('div', { class: 'turns' }, turn(words.earlier, first - PAGE), turn(words.later, first + PAGE)), scroll];
  }

  /** Shows another page. @param {number} target index of its first request */
  #turnTo(target) {
    const isLater = target > this.#first;
    this.#first = target;
    this.#show();
    const buttons = [...this.#body.querySelectorAll('button')];
    // The pressed button was rendered again. If it is disabled now, the other one gets the focus.
    const pressed = buttons[isLater ? 1 : 0];
    (pressed?.disabled === false ? pressed : buttons.find((button) => !button.disabled))?.focus();
  }
}

/** @param {Column[]} columns @param {number} request */
function rowOf(columns, request) {
  const [head = '', ...texts] = columns.map(({ cell }) => cell(request));
  return h('tr', {}, h('th', { scope: 'row' }, head), ...texts.map((text) => h('td', {}, text)));
}

/** @param {TableData} data @returns {Column[]} */
function columnsOf({ words, language, picture, thread, policies, money }) {
  const { requests } = thread;
  const number = (/** @type {number | null | undefined} */ value) =>
    value === null || value === undefined ? '–' : formatCount(value, language);
  return [
    { name: words.request, cell: (index) => number(index + 1) },
    { name: words.time, cell: (index) => timeOf(requests[index]?.timeMs ?? null, language) },
    { name: words.model, cell: (index) => legible(requests[index]?.model ?? '–') },
    { name: words.prompt, cell: (index) => number(requests[index]?.tokens) },
    ...stack(requests, picture.kinds.length).map(({ kind }) => ({
      name: kindName(words, picture.kinds[kind] ?? ''),
      cell: (/** @type {number} */ index) => number(requests[index]?.tokensByKind[kind] ?? 0),
    })),
    { name: words.asView, cell: (index) => number(requests[index]?.tokensView) },
    ...policies.map(({ policy, each }) => ({
      name: `${words.costTitle}${words.colon}${words.policies[policy]}`,
      cell: (/** @type {number} */ index) => money?.format(each[index] ?? null) ?? '–',
    })),
    {
      name: words.marks,
      cell: (index) => {
        const request = requests[index];
        return request === undefined ? '' : marksOf(words, language, request).join(words.semicolon);
      },
    },
  ];
}

/** @param {number | null} ms @param {Language} language */
function timeOf(ms, language) {
  return ms === null ? '–' : (formatTime(ms, language)?.text ?? '–');
}
