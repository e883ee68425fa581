// @ts-check
/**
 * A feed that keeps only rows near the visible area in the document. Rows have keys: a row whose key stays is not
 * rendered again, and the scroll position stays stable while rows are added, removed or resized.
 */

import { setAttributes } from './dom.js';

/** Distance beyond the visible area within which rows stay in the document, px. */ const OVERSCAN_PX = 400;

/** @template {{ key: string }} Row */
export class VirtualList {
  /** Set before `refresh`. @type {readonly Row[]} */ rows = [];
  /** Measured heights in px, by key. @type {Map<string, number>} */ #heights = new Map();
  /** Rows in the document, by key. @type {Map<string, { element: HTMLElement, index: number }>} */ #shown = new Map();
  /** Start offset of each row in px, plus the total height. */ #offsets = new Float64Array(1);
  #resizes;

  /** @param {HTMLElement} scroller @param {HTMLElement} body has `position: relative` */
  constructor(scroller, body) {
    this.scroller = scroller;
    this.body = body;
    this.#resizes = new ResizeObserver(() => {
      if (this.#measureShown()) this.refresh();
      else this.#renderVisible();
    });
    this.#resizes.observe(scroller);
    let isScheduled = false;
    const onScroll = () => {
      if (isScheduled) return;
      isScheduled = true;
      requestAnimationFrame(() => {
        isScheduled = false;
        this.#renderVisible();
      });
    };
    scroller.addEventListener('scroll', onScroll, { passive: true });
  }

  /** Estimated height in px, used until the row is measured. @param {Row} _row */
  estimate(_row) {
    return 0;
  }

  /** @param {Row} _row @returns {HTMLElement} */
  render(_row) {
    throw new TypeError('expected a subclass with rows');
  }

  /** Updates the list after rows changed, or renders all again. @param {{ rendersAll?: boolean }} [options] */
  refresh({ rendersAll = false } = {}) {
    const anchor = this.#firstVisible();
    const focused = rendersAll ? this.#focusedKey() : undefined;
    if (rendersAll) for (const key of [...this.#shown.keys()]) this.#remove(key);
    this.#updateOffsets();
    const index = this.#shown.get(anchor.key)?.index ?? this.indexOf(anchor.key);
    const top = (this.#offsets[index] ?? 0) + anchor.above;
    const { scroller } = this;
    if (index !== -1 && scroller.scrollTop > 0 && Math.abs(scroller.scrollTop - top) > 1) scroller.scrollTop = top;
    this.#renderVisible();
    if (focused !== undefined) this.#shown.get(focused)?.element.focus({ preventScroll: true });
  }

  /** @param {string} key */
  renderAgain(key) {
    if (!this.#shown.has(key)) return;
    const hadFocus = this.#focusedKey() === key;
    this.#remove(key);
    this.#renderVisible();
    if (hadFocus) this.#shown.get(key)?.element.focus({ preventScroll: true });
  }

  /** The row's element; undefined if it is not in the document. @param {string} key */
  elementOf(key) {
    return this.#shown.get(key)?.element;
  }

  /** @param {number} index @param {'nearest' | 'start'} [block] */
  scrollTo(index, block = 'nearest') {
    const { scroller } = this;
    // Row heights are estimates until rows are shown; each attempt measures the rows in view.
    for (let attempt = 0; attempt < 4; attempt++) {
      const top = this.#offsets[index] ?? 0;
      const bottom = this.#offsets[index + 1] ?? top;
      const view = scroller.clientHeight;
      const before = scroller.scrollTop;
      if (block === 'start' || top < before || bottom - top > view) scroller.scrollTop = top;
      else if (bottom > before + view) scroller.scrollTop = bottom - view;
      this.#renderVisible();
      if (!this.#measureShown()) break;
      this.#updateOffsets();
    }
  }

  #focusedKey() {
    const active = /** @type {ShadowRoot} */ (this.body.getRootNode()).activeElement;
    for (const [key, { element }] of this.#shown) if (element.contains(active)) return key;
    return undefined;
  }

  /** @returns {boolean} true if a height differs from the known or estimated one */
  #measureShown() {
    let isChanged = false;
    for (const [key, { element }] of this.#shown) {
      const height = element.offsetHeight;
      if (height === 0 || this.#heights.get(key) === height) continue;
      this.#heights.set(key, height);
      isChanged = true;
    }
    return isChanged;
  }

  /** Computes the offset of each row and moves the rows in the document. O(rows). */
  #updateOffsets() {
    const { rows } = this;
    const offsets = new Float64Array(rows.length + 1);
    rows.forEach((row, index) => {
      offsets[index + 1] = (offsets[index] ?? 0) + (this.#heights.get(row.key) ?? this.estimate(row));
    });
    this.#offsets = offsets;
    this.body.style.height = `${offsets[rows.length]}px`;
    for (const [key, shown] of this.#shown) {
      if (rows[shown.index]?.key !== key) shown.index = this.indexOf(key);
      if (shown.index === -1) this.#remove(key);
      else this.#place(shown.element, shown.index);
    }
  }

  /** @param {HTMLElement} element @param {number} index of its row */
  #place(element, index) {
    element.style.top = `${this.#offsets[index]}px`;
    setAttributes(element, { 'aria-posinset': index + 1, 'aria-setsize': this.rows.length });
  }

  /** Index of a row, or -1. @param {string} key */
  indexOf(key) {
    return this.rows.findIndex((row) => row.key === key);
  }

  /** The first visible row; `above`: px of it that are scrolled out. */
  #firstVisible() {
    const top = this.scroller.scrollTop;
    let first = { key: '', above: 0, top: Number.POSITIVE_INFINITY };
    for (const [key, { element, index }] of this.#shown) {
      const start = this.#offsets[index] ?? 0;
      if (start + element.offsetHeight > top && start < first.top) first = { key, above: top - start, top: start };
    }
    return first;
  }

  /** Inserts and removes rows for the visible area. The focused row stays in the document, wherever it is. */
  #renderVisible() {
    const { scroller, rows } = this;
    const { scrollTop, clientHeight } = scroller;
    const from = this.#rowAt(scrollTop - OVERSCAN_PX);
    const end = Math.min(rows.length, this.#rowAt(scrollTop + clientHeight + OVERSCAN_PX) + 1);
    const active = /** @type {ShadowRoot} */ (this.body.getRootNode()).activeElement;
    for (const [key, { element, index }] of this.#shown) {
      if ((index < from || index >= end) && !element.contains(active)) this.#remove(key);
    }
    for (const [index, row] of rows.slice(from, end).entries()) {
      if (!this.#shown.has(row.key)) this.#insert(row, from + index);
    }
  }

  /** Index of the row at an offset. @param {number} offset px @returns {number} */
  #rowAt(offset) {
    let [low, high] = [0, this.#offsets.length - 2];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (/** @type {number} */ (this.#offsets[middle]) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Inserts in index order, because document order is the focus order. @param {Row} row @param {number} index */
  #insert(row, index) {
    const element = this.render(row);
    element.dataset.key = row.key;
    this.#place(element, index);
    const following = [...this.#shown.values()].filter((shown) => shown.index > index);
    const [next] = following.sort((a, b) => a.index - b.index);
    this.body.insertBefore(element, next?.element ?? null);
    this.#shown.set(row.key, { element, index });
    this.#resizes.observe(element);
  }

  /** @param {string} key */
  #remove(key) {
    const shown = this.#shown.get(key);
    if (shown === undefined) return;
    this.#resizes.unobserve(shown.element);
    this.#shown.delete(key);
    shown.element.remove();
  }
}
