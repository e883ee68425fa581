// @ts-check
/**
 * `<context-map>`: one request, cell by cell. A cell is a message or a part; its place is its index in the request.
 * @import { SessionPicture, ThreadPicture } from '../picture.js'
 * @import { RequestCells, Shows, Sizes } from '../picture/request-cells.js'
 * @import { Load, Sending } from './detail.js'
 * @import { Layout } from './layout.js'
 */
import { h, setAttributes } from '../base/dom.js';
import { Choice } from '../picture/controls.js';
import { PICTURE_STYLES, PictureElement } from '../picture/picture-element.js';
import { CLEARED, FIXED, REPLACED, requestCellsOf, WHOLE, WITH_REFERENCES } from '../picture/request-cells.js';
import { cellName, requestSummary, ThreadCells } from './cells.js';
import { DETAIL_STYLES, Detail } from './detail.js';
import { capacityOf, layoutOf } from './layout.js';
import { Legend } from './legend.js';
import { SURFACE_STYLES, Surface } from './surface.js';

/** @type {Sizes[]} */ const SIZES = ['sent', 'stored'];
/** @type {Shows[]} */ const SHOWS = ['sent', 'view'];

/** By state; other cells are sent as `stored`. @type {{ [state: number]: Sending }} */
const SENDING = { [CLEARED]: 'cleared', [WITH_REFERENCES]: 'references', [REPLACED]: 'placeholder' };

const MAP_STYLES = `
${PICTURE_STYLES}
${SURFACE_STYLES}
${DETAIL_STYLES}
.summary { margin: 4px 0 8px; }
.reading { min-height: 3em; margin: 4px 0 0; overflow-wrap: anywhere; }
.reading.hint { color: var(--_muted); }
`;

export class ContextMap extends PictureElement {
  static styles = MAP_STYLES;
  static properties = [...PictureElement.properties, 'contextWindow', 'shows', 'sizes', 'load'];
  static observedAttributes = ['context-window', 'controls', 'shows', 'sizes'];

  #showsChoice = new Choice((index) => this.setAttribute('shows', SHOWS[index] ?? 'sent'));
  #sizesChoice = new Choice((index) => this.setAttribute('sizes', SIZES[index] ?? 'sent'));
  #summary = h('p.summary', { part: 'summary', role: 'status' });
  #description = h('p.reading.hint', { part: 'reading' });
  #help = h('p.visually-hidden', { id: 'help' });
  #legend = new Legend((classIndex) => {
    // A second press shows all classes again.
    this.#isolatedClass = this.#isolatedClass === classIndex ? null : classIndex;
    this.requestUpdate();
  });
  #detail = new Detail(() => {
    this.#opened = null;
    this.#surface.markOpened(null);
    this.#surface.list.focus();
    this.emit('cell-close');
  });
  #surface = new Surface({
    inks: this.inks,
    nameOf: (place) => this.#nameOf(place),
    describe: (place) => {
      const text = place === null ? this.words.readingHint : this.#nameOf(place);
      this.#description.classList.toggle('hint', place === null);
      if (this.#description.textContent !== text) this.#description.textContent = text;
    },
    activate: (place) => this.#activate(place),
  });
  content = h(
    'div',
    { part: 'base' },
    h('div.controls', this.threadChoice.element, this.#showsChoice.element, this.#sizesChoice.element),
    this.slider.element,
    this.#summary,
    this.#surface.element,
    this.#description,
    this.#detail.element,
    this.#legend.element,
    this.#help,
  );
  /** @type {number | null} */ #contextWindow = null;
  /** @type {Load | null} */ #load = null;
  /** Index of the class that is shown alone, if any. @type {number | null} */ #isolatedClass = null;
  /** @type {ThreadCells | null} */ #threadCells = null;
  /** Cells of the selected request. @type {RequestCells | null} */ #requestCells = null;
  /** @type {Layout | null} */ #layout = null;
  /** The open cell and its message. @type {{ thread: number, cell: number, message: number } | null} */
  #opened = null;

  /** Null if the model's context window isn't known. */
  get contextWindow() {
    return this.#contextWindow ?? positiveOrNull(Number(this.getAttribute('context-window')));
  }

  set contextWindow(tokens) {
    this.#contextWindow = positiveOrNull(tokens);
    this.redraw();
  }

  /** What the agent sent, or what `ContextView` sends. A live view's picture has only the latter. @returns {Shows} */
  get shows() {
    return this.getAttribute('shows') === 'view' || this.shownPicture?.agent === 'live' ? 'view' : 'sent';
  }

  set shows(shows) {
    this.setAttribute('shows', shows === 'view' ? 'view' : 'sent');
  }

  /** Size cells by what is sent or by what is stored. @returns {Sizes} */
  get sizes() {
    return this.getAttribute('sizes') === 'stored' ? 'stored' : 'sent';
  }

  set sizes(sizes) {
    this.setAttribute('sizes', sizes === 'stored' ? 'stored' : 'sent');
  }

  get load() {
    return this.#load;
  }

  set load(load) {
    this.#load = typeof load === 'function' ? load : null;
  }

  /** @param {ThreadPicture} thread @param {number} width */
  drawThread(thread, width) {
    const { words, sizes, shows } = this;
    const picture = /** @type {SessionPicture} */ (this.shownPicture);
    this.#threadCells = new ThreadCells(picture, thread, words);
    const layout = layoutOf(Math.max(1, width), capacityOf(thread, { sizes, shows }, this.#contextWindowOf(thread)));
    this.#layout = layout;
    this.#showsChoice.element.hidden = picture.agent === 'live';
    this.#showsChoice.update(words.shows, [words.asItWas, words.withView], SHOWS.indexOf(shows));
    this.#sizesChoice.update(words.cellSizes, [words.asSent, words.asStored], SIZES.indexOf(sizes));
    this.#help.textContent = words.mapHelp;
    const limit = layout.limit === null ? null : words.shortNumber(layout.limit);
    this.#legend.build(words, this.#threadCells.classes, this.inks, { limit, shows });
  }

  /** The application's value overrides the picture's. @param {ThreadPicture} thread */
  #contextWindowOf(thread) {
    return this.contextWindow ?? thread.contextWindow ?? null;
  }

  /** @param {ThreadPicture} thread @param {number} request */
  drawRequest(thread, request) {
    const { words, shows } = this;
    const threadCells = /** @type {ThreadCells} */ (this.#threadCells);
    const requestCells = requestCellsOf(thread, request, this.sizes, shows);
    this.#requestCells = requestCells;
    this.#summary.textContent = requestSummary(words, requestCells, this.#contextWindowOf(thread), shows);
    this.#legend.update(words, threadCells.tokensByClass(requestCells), this.#isolatedClass);
    const label = words.mapLabel(words.number(request + 1));
    setAttributes(this.#surface.list, { 'aria-label': label, 'aria-describedby': this.#help.id });
    const indexOf = (/** @type {number} */ place) => requestCells.indexes[place] ?? FIXED;
    const isolated = this.#isolatedClass;
    this.#surface.draw({
      layout: /** @type {Layout} */ (this.#layout),
      requestCells,
      slotOf: (place) => threadCells.slotOf(indexOf(place)),
      labelOf: (place) => threadCells.labelOf(indexOf(place)),
      isDimmed: (place) => isolated !== null && threadCells.classIndexOf(indexOf(place)) !== isolated,
    });
    this.#keepOpened(thread, requestCells);
  }

  /** Keeps a message open when requests change. @param {ThreadPicture} thread @param {RequestCells} requestCells */
  #keepOpened(thread, { indexes, states }) {
    const opened = this.#opened;
    if (opened === null) return;
    if (opened.thread !== this.thread || thread.cells[opened.cell]?.message !== opened.message) {
      this.#opened = null;
      this.#surface.markOpened(null);
      this.#detail.hide();
      return;
    }
    const place = indexes.indexOf(opened.cell);
    const isSent = place >= 0;
    this.#surface.markOpened(isSent ? place : null);
    const title = isSent ? this.#nameOf(place) : (this.#threadCells?.labelOf(opened.cell) ?? '');
    this.#detail.update({ title, sending: isSent ? (SENDING[states[place] ?? WHOLE] ?? 'stored') : 'nothing' });
  }

  /** A cell and how it is sent; null for the system prompt and tools. @param {number} place */
  #cellAt(place) {
    const requestCells = this.#requestCells;
    const cell = this.shownThread?.cells[requestCells?.indexes[place] ?? FIXED] ?? null;
    return { cell, state: requestCells?.states[place] ?? WHOLE, isCached: place < (requestCells?.cachedCount ?? 0) };
  }

  /** Name of a cell, or of the system prompt and tools. @param {number} place */
  #nameOf(place) {
    const { cell, state, isCached } = this.#cellAt(place);
    const { words, shownPicture } = this;
    if (cell !== null && shownPicture !== null) return cellName(words, shownPicture, { cell, state, isCached });
    const tokens = words.tokens(words.number(this.shownThread?.fixedTokens ?? 0));
    return [words.fixedLabel, tokens, ...(isCached ? [words.isCached] : [])].join(words.join);
  }

  /** Opens the panel of a cell, unless a listener prevents it. @param {number} place */
  #activate(place) {
    const { cell, state } = this.#cellAt(place);
    if (cell === null) return;
    const { message, part } = cell;
    const { thread, request, words } = this;
    const detail = { message, part: part ?? null, thread, request };
    if (!this.emit('cell-activate', detail, { cancelable: true })) return;
    this.#opened = { thread, cell: this.#requestCells?.indexes[place] ?? FIXED, message };
    this.#surface.markOpened(place);
    const title = this.#nameOf(place);
    void this.#detail.open({ words, cell, sending: SENDING[state] ?? 'stored', title, load: this.#load });
  }

  /** Opens a cell of the selected request. @param {number} cell index in the thread's cells */
  openCell(cell) {
    const place = this.#requestCells?.indexes.indexOf(cell) ?? -1;
    if (place < 0) return;
    this.#surface.moveTo(place);
    this.#activate(place);
  }
}

/** @param {unknown} value @returns {number | null} */
function positiveOrNull(value) {
  return typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY ? value : null;
}
