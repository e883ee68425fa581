// @ts-check
/**
 * The scrolling list of an outline's rows: focus, keys, and which rows are shown as JSON.
 * @import { Outline, Row } from './outline.js'
 * @import { Action, RowContext } from './rows.js'
 * @import { Search } from './search.js'
 * @import { Words } from './words.js'
 * @typedef {{ words: () => Words, headingLevel: () => string, activateLabel: () => string }} Labels of prompts, and of
 *   a button on each message (empty: no button)
 * @typedef {Labels & { act: (action: Exclude<Action, 'json'>, row: Row) => void }} Handlers
 * @typedef {{ element: HTMLElement, scroller: HTMLElement, isOpen: boolean }} FocusedRow
 */
import { h, setAttributes } from '../base/dom.js';
import { VirtualList } from '../base/virtual-list.js';
import { renderEdge, renderMessage, renderPoint } from './rows.js';

/** Estimated heights of rows that were not shown yet, px. @type {{ [kind: string]: number }} */
const ESTIMATES = { message: 90, point: 220, end: 40 };
const STATE_ESTIMATE = 60;

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
    body.addEventListener('focusin', ({ target }) => this.#onFocus(/** @type {Element} */ (target)));
    body.addEventListener('dblclick', ({ target }) => {
      const row = this.#rowOf(/** @type {Element} */ (target));
      if (row !== undefined) this.handlers.act('activate', row);
    });
  }

  get count() {
    return this.outline.rows.length;
  }

  /** @param {number} index */
  keyOf(index) {
    return this.#row(index).key;
  }

  /** @param {number} index */
  estimate(index) {
    return ESTIMATES[this.#row(index).kind] ?? STATE_ESTIMATE;
  }

  /** @param {HTMLElement} element @param {number} index */
  indexChanged(element, index) {
    setAttributes(element, { 'aria-posinset': index + 1, 'aria-setsize': this.count });
  }

  /** Updates the list after rows changed. @param {{ rendersAll?: boolean }} [options] */
  refresh(options) {
    const { rows } = this.outline;
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 4;
    if (!rows.some(({ key }) => key === this.#focusedKey)) this.#focusedKey = rows[0]?.key ?? '';
    super.refresh(options);
    // If the user is at the end, scroll to the new messages.
    if (isAtEnd && options?.rendersAll === false) this.scrollTo(rows.length - 1);
  }

  /** @param {string} key @param {'nearest' | 'start'} [block] @returns {HTMLElement | undefined} */
  scrollToRow(key, block) {
    const index = this.outline.rows.findIndex((row) => row.key === key);
    if (index !== -1) this.scrollTo(index, block);
    return this.elementOf(key);
  }

  /**
   * Scrolls to a row and focuses it, or the element that the selector `within` finds in it.
   * @param {string} key @param {{ within?: string, block?: 'nearest' | 'start' }} [options]
   */
  focus(key, { within, block } = {}) {
    const element = this.scrollToRow(key, block);
    /** @type {HTMLElement | null | undefined} */
    const target = within === undefined ? element : element?.querySelector(within);
    target?.focus({ preventScroll: true });
  }

  /** @param {number} index @returns {Row} */
  #row(index) {
    return /** @type {Row} */ (this.outline.rows[index]);
  }

  /** @param {number} index */
  render(index) {
    const row = this.#row(index);
    const element = this.#elementFor(row, this.contextOf(row));
    element.style.setProperty('--_depth', String(row.depth));
    element.tabIndex = row.key === this.#focusedKey ? 0 : -1;
    return element;
  }

  /** What a row's appearance depends on, in addition to its message. @param {Row} row */
  contextOf(row) {
    const { pattern, selectedMatch } = this.search;
    return {
      words: this.handlers.words(),
      pattern,
      /** The selected match if it is in this row. */
      selectedMatch: selectedMatch?.key === row.key ? selectedMatch : undefined,
      isOpen: this.outline.openKeys.has(row.key),
      isJson: this.asJson.has(row.key),
      prompt: this.outline.prompts.get(row.key),
      headingLevel: this.handlers.headingLevel(),
      activateLabel: this.handlers.activateLabel(),
      act: (/** @type {Action} */ action) => this.#act(action, row),
    };
  }

  /** @param {Row} row @param {RowContext} context */
  #elementFor(row, context) {
    if (row.kind === 'message') return renderMessage(row, this.outline.contentsOf(row), context);
    if (row.kind === 'point') return renderPoint(row, this.outline.contentsOf(row), context);
    return renderEdge(row, context);
  }

  /** @param {Action} action @param {Row} row */
  #act(action, row) {
    if (action !== 'json') return this.handlers.act(action, row);
    if (!this.asJson.delete(row.key)) this.asJson.add(row.key);
    return this.renderAgain(row.key);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const row = this.#rowOf(/** @type {Element} */ (event.target));
    const element = row && this.elementOf(row.key);
    // The buttons within a row handle their own keys.
    if (row === undefined || element === undefined || event.target !== element) return;
    const isOpen = this.outline.openKeys.has(row.key);
    const action = actionOf(event, this.outline.rows, row, { element, scroller: this.scroller, isOpen });
    if (action === undefined) return;
    event.preventDefault();
    if (typeof action === 'number') this.focus(this.#row(action).key);
    else this.handlers.act(action, row);
    if (action === 'toggle') this.focus(row.key);
  }

  /** Only the focused row and its buttons are in the tab order. @param {Element} target */
  #onFocus(target) {
    const row = this.#rowOf(target);
    if (row === undefined) return;
    const previous = this.elementOf(this.#focusedKey);
    this.#focusedKey = row.key;
    const element = this.elementOf(row.key);
    if (previous !== element) setTabIndex(previous, -1);
    setTabIndex(element, 0);
  }

  /** @param {Element} target @returns {Row | undefined} */
  #rowOf(target) {
    const key = /** @type {HTMLElement | null} */ (target.closest('.row'))?.dataset.key;
    return key === undefined ? undefined : this.outline.rows.find((row) => row.key === key);
  }
}

/** @param {HTMLElement | undefined} row @param {0 | -1} tabIndex for it and its buttons */
function setTabIndex(row, tabIndex) {
  if (row === undefined) return;
  row.tabIndex = tabIndex;
  for (const button of row.querySelectorAll('.actions button')) setAttributes(button, { tabindex: tabIndex });
}

/**
 * What a key does. Keys work as in a tree view: up and down move between rows, right opens a compression or enters it,
 * left closes it or leaves it.
 * @param {KeyboardEvent} event @param {readonly Row[]} rows @param {Row} row with the focus @param {FocusedRow} focused
 * @returns {number | 'toggle' | 'activate' | undefined} index of a row; undefined if the browser handles the key
 */
function actionOf({ key, altKey, ctrlKey, metaKey }, rows, row, { element, scroller, isOpen }) {
  if (altKey || ctrlKey || metaKey) return undefined;
  const current = rows.indexOf(row);
  const isPoint = row.kind === 'point';
  const [box, view] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const [isCutAbove, isCutBelow] = [box.top < view.top - 1, box.bottom > view.bottom + 1];
  // The key scrolls to the rest of the row.
  if ((key === 'ArrowDown' && isCutBelow) || (key === 'ArrowUp' && isCutAbove)) return undefined;
  if (isPoint && (key === 'Enter' || key === ' ' || key === (isOpen ? 'ArrowLeft' : 'ArrowRight'))) return 'toggle';
  if (key === 'Enter') return row.index >= 0 ? 'activate' : undefined;
  const target = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    Home: 0,
    End: rows.length - 1,
    ArrowRight: isPoint ? current + 1 : -1,
    ArrowLeft: rows.findIndex((other) => other.key === row.parent),
  }[key];
  return target === undefined || target === current || rows[target] === undefined ? undefined : target;
}
