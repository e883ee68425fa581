// @ts-check
/**
 * The scrolling list of an outline's rows: focus, keys, and which rows are shown as JSON.
 * @import { Outline, Row } from './outline.js'
 * @import { Action } from './rows.js'
 * @import { Search } from './search.js'
 * @import { Words } from './words.js'
 * @typedef {{ words: Words, headingLevel: string, activateLabel: string }} Labels `activateLabel`: of a button on each
 *   message; empty: no button
 * @typedef {{ labels: () => Labels, act: (action: Exclude<Action, 'json'>, row: Row) => void }} Handlers
 */
import { h, setAttributes } from '../base/dom.js';
import { VirtualList } from '../base/virtual-list.js';
import { renderEdge, renderMessage, renderPoint } from './rows.js';

/** Estimated heights of rows that were not shown yet, px. @type {{ [kind: string]: number }} */
const ESTIMATES = { message: 90, point: 220, end: 40 };
const STATE_ESTIMATE = 60;

/** @extends {VirtualList<Row>} */
export class RowList extends VirtualList {
  /** Keys of rows that are shown as JSON. @type {Set<string>} */ asJson = new Set();
  /** Key of the row that gets the focus when the list does. */ #focusedKey = '';

  /** @param {Outline} outline @param {Search} search @param {Handlers} handlers */
  constructor(outline, search, handlers) {
    const body = h('div.body', { role: 'feed' });
    super(h('div.scroller', { part: 'scroller' }, body), body);
    this.outline = outline;
    this.search = search;
    this.handlers = handlers;
    body.addEventListener('keydown', (event) => this.#onKey(event));
    // Only the focused row and its buttons are in the tab order.
    body.addEventListener('focusin', ({ target }) => {
      const row = this.#rowOf(/** @type {Element} */ (target));
      if (row === undefined) return;
      setTabIndex(this.elementOf(this.#focusedKey), -1);
      this.#focusedKey = row.key;
      setTabIndex(this.elementOf(row.key), 0);
    });
    body.addEventListener('dblclick', ({ target }) => {
      const row = this.#rowOf(/** @type {Element} */ (target));
      if (row !== undefined) this.handlers.act('activate', row);
    });
  }

  /** @param {Row} row */
  estimate({ kind }) {
    return ESTIMATES[kind] ?? STATE_ESTIMATE;
  }

  /** Updates the list after rows changed. @param {{ rendersAll?: boolean }} [options] */
  refresh(options) {
    const { rows } = this.outline;
    this.rows = rows;
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 4;
    if (!rows.some(({ key }) => key === this.#focusedKey)) this.#focusedKey = rows[0]?.key ?? '';
    super.refresh(options);
    // If the user is at the end, scroll to the new messages.
    if (isAtEnd && options?.rendersAll === false) this.scrollTo(rows.length - 1);
  }

  /** @param {string} key @param {'nearest' | 'start'} [block] @returns {HTMLElement | undefined} */
  scrollToRow(key, block) {
    const index = this.indexOf(key);
    if (index !== -1) this.scrollTo(index, block);
    return this.elementOf(key);
  }

  /** Scrolls to a row and focuses it. @param {string} key @param {'nearest' | 'start'} [block] */
  focus(key, block) {
    this.scrollToRow(key, block)?.focus({ preventScroll: true });
  }

  /** @param {Row} row */
  render(row) {
    const context = this.contextOf(row);
    const renderRow = row.kind === 'point' ? renderPoint : renderMessage;
    const element = row.index < 0 ? renderEdge(row, context) : renderRow(row, this.outline.contentsOf(row), context);
    element.style.setProperty('--_depth', String(row.depth));
    element.tabIndex = row.key === this.#focusedKey ? 0 : -1;
    return element;
  }

  /** What a row's appearance depends on, in addition to its message. @param {Row} row */
  contextOf(row) {
    const { pattern, selectedMatch } = this.search;
    return {
      ...this.handlers.labels(),
      pattern,
      /** The selected match if it is in this row. */
      selectedMatch: selectedMatch?.key === row.key ? selectedMatch : undefined,
      isOpen: this.outline.openKeys.has(row.key),
      isJson: this.asJson.has(row.key),
      prompt: this.outline.prompts.get(row.key),
      act: (/** @type {Action} */ action) => {
        if (action !== 'json') return this.handlers.act(action, row);
        if (!this.asJson.delete(row.key)) this.asJson.add(row.key);
        return this.renderAgain(row.key);
      },
    };
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const row = this.#rowOf(/** @type {Element} */ (event.target));
    const element = row && this.elementOf(row.key);
    // The buttons within a row handle their own keys.
    if (row === undefined || element === undefined || event.target !== element) return;
    const action = this.#actionOf(event, row, element);
    if (action === undefined) return;
    event.preventDefault();
    if (typeof action === 'object') return this.focus(action.key);
    this.handlers.act(action, row);
    if (action === 'toggle') this.focus(row.key);
  }

  /**
   * What a key does. Keys work as in a tree view: up and down move between rows, right opens a compression or enters
   * it, left closes it or leaves it.
   * @param {KeyboardEvent} event @param {Row} row with the focus @param {HTMLElement} element of the row
   * @returns {Row | 'toggle' | 'activate' | undefined} the row to focus; undefined if the browser handles the key
   */
  #actionOf({ key, altKey, ctrlKey, metaKey }, row, element) {
    if (altKey || ctrlKey || metaKey) return undefined;
    const { rows } = this;
    const current = rows.indexOf(row);
    const isPoint = row.kind === 'point';
    const toggleKey = this.outline.openKeys.has(row.key) ? 'ArrowLeft' : 'ArrowRight';
    const [box, view] = [element.getBoundingClientRect(), this.scroller.getBoundingClientRect()];
    // The key scrolls to the rest of the row.
    if (key === 'ArrowDown' && box.bottom > view.bottom + 1) return undefined;
    if (key === 'ArrowUp' && box.top < view.top - 1) return undefined;
    if (isPoint && ['Enter', ' ', toggleKey].includes(key)) return 'toggle';
    if (key === 'Enter') return row.index >= 0 ? 'activate' : undefined;
    const target = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      Home: 0,
      End: rows.length - 1,
      ArrowRight: isPoint ? current + 1 : -1,
      ArrowLeft: this.indexOf(row.parent),
    }[key];
    return target === undefined || target === current ? undefined : rows[target];
  }

  /** @param {Element} target @returns {Row | undefined} */
  #rowOf(target) {
    const key = /** @type {HTMLElement | null} */ (target.closest('.row'))?.dataset.key;
    return this.rows.find((row) => row.key === key);
  }
}

/** @param {HTMLElement | undefined} row @param {0 | -1} tabIndex for it and its buttons */
function setTabIndex(row, tabIndex) {
  if (row === undefined) return;
  row.tabIndex = tabIndex;
  for (const button of row.querySelectorAll('.actions button')) setAttributes(button, { tabindex: tabIndex });
}
