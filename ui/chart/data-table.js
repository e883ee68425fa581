// @ts-check
/**
 * The data as a table, by pages of requests: a browser takes half a second for a thousand rows of a dozen cells.
 * @import { RequestPicture, SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @import { Money, PolicyCost } from './costs.js'
 * @typedef {{ words: Words, picture: SessionPicture, thread: ThreadPicture, policies: PolicyCost[],
 *   money: Money | null, request: number }} TableData `request`: the selected one; -1 if there is none
 * @typedef {{ name: string, cell: (request: RequestPicture, index: number) => string }} Column `cell`: its text
 */
import { h } from '../base/dom.js';
import { formatTime } from '../base/format.js';
import { legible } from '../base/safe-text.js';
import { kindName } from '../picture/words.js';
import { signTexts } from './events.js';
import { stack } from './plot.js';

/** Requests on one page of the table. */ const PAGE_SIZE = 50;

export class DataTable {
  #toggleButton = h('button', { part: 'table-toggle', 'aria-expanded': 'false', onclick: () => this.#toggleOpen() });
  #body = h('div', { hidden: true });
  element = h('div.data', this.#toggleButton, this.#body);
  /** @type {TableData | null} */ #data = null;
  /** Index of the first request on the page. */ #pageStart = 0;

  /** @param {TableData} data */
  update(data) {
    this.#data = data;
    this.#show();
  }

  #toggleOpen() {
    this.#body.hidden = !this.#body.hidden;
    this.#pageStart = Math.floor(Math.max(0, this.#data?.request ?? 0) / PAGE_SIZE) * PAGE_SIZE;
    this.#show();
  }

  #show() {
    if (this.#data === null) return;
    const { words } = this.#data;
    const isOpen = !this.#body.hidden;
    this.#toggleButton.textContent = isOpen ? words.hideTable : words.showTable;
    this.#toggleButton.setAttribute('aria-expanded', String(isOpen));
    this.#body.replaceChildren(...(isOpen ? this.#renderPage(this.#data) : []));
  }

  /** @param {TableData} data */
  #renderPage(data) {
    const { words, thread } = data;
    const count = thread.requests.length;
    const lastPageStart = Math.floor(Math.max(0, count - 1) / PAGE_SIZE) * PAGE_SIZE;
    const start = Math.min(this.#pageStart, lastPageStart);
    const end = Math.min(count, start + PAGE_SIZE);
    const columns = columnsOf(data);
    const rows = thread.requests.slice(start, end).map((request, index) => {
      const [head = '', ...texts] = columns.map(({ cell }) => cell(request, start + index));
      return h('tr', h('th', { scope: 'row' }, head), ...texts.map((text) => h('td', text)));
    });
    const caption = words.tableCaption(words.number(start + 1), words.number(end), words.number(count));
    const head = h('thead', h('tr', ...columns.map(({ name }) => h('th', { scope: 'col' }, name))));
    const table = h('table', { part: 'table' }, h('caption', caption), head, h('tbody', ...rows));
    const scroll = h('div.table-scroll', { role: 'group', tabindex: 0, 'aria-label': caption }, table);
    if (count <= PAGE_SIZE) return [scroll];
    const turn = (/** @type {string} */ name, /** @type {number} */ pageStart) => {
      const disabled = pageStart < 0 || pageStart >= count;
      return h('button', { disabled, onclick: () => this.#turnTo(pageStart) }, name);
    };
    const turns = [turn(words.earlier, start - PAGE_SIZE), turn(words.later, start + PAGE_SIZE)];
    return [h('div.turns', ...turns), scroll];
  }

  /** Shows another page. @param {number} pageStart index of its first request */
  #turnTo(pageStart) {
    const isLater = pageStart > this.#pageStart;
    this.#pageStart = pageStart;
    this.#show();
    const buttons = [...this.#body.querySelectorAll('button')];
    // The pressed button was rendered again. If it is disabled now, the other one gets the focus.
    const pressed = buttons[isLater ? 1 : 0];
    (pressed?.disabled === false ? pressed : buttons.find((button) => !button.disabled))?.focus();
  }
}

/** @param {TableData} data @returns {Column[]} */
function columnsOf({ words, picture, thread, policies, money }) {
  const { language } = words;
  return [
    { name: words.request, cell: (_, index) => words.number(index + 1) },
    { name: words.time, cell: ({ timeMs }) => (timeMs === null ? null : formatTime(timeMs, language)?.text) ?? '–' },
    { name: words.model, cell: ({ model }) => legible(model ?? '–') },
    { name: words.prompt, cell: ({ tokens }) => words.number(tokens) },
    ...stack(thread.requests, picture.kinds.length).map(({ kind }) => ({
      name: kindName(words.kinds, picture.kinds[kind] ?? ''),
      cell: (/** @type {RequestPicture} */ { tokensByKind }) => words.number(tokensByKind[kind] ?? 0),
    })),
    { name: words.policies.view, cell: ({ tokensView }) => words.number(tokensView) },
    ...policies.map(({ policy, costs }) => ({
      name: `${words.costTitle}${words.colon}${words.policies[policy]}`,
      cell: (/** @type {RequestPicture} */ _, /** @type {number} */ index) =>
        money?.format(costs[index] ?? null) ?? '–',
    })),
    { name: words.marks, cell: (request) => signTexts(words, request).join(words.semicolon) },
  ];
}
