// @ts-check
/**
 * `<context-map>`: the content of one request, cell by cell, in order. A place is a cell's index in the request.
 *
 * @import { Load } from './detail.js'
 * @import { Cell, ThreadPicture } from '../picture.js'
 * @import { Flow } from './flow.js'
 * @import { Shows, Sizes, Window } from '../picture/window.js'
 * @typedef {{ flow: Flow, limit: number | null }} Frame what all requests share: the layout, and the model's context
 *   window in tokens if it is drawn
 */
import { h } from '../base/dom.js';
import { formatCount, formatTokens } from '../base/format.js';
import { Choice } from '../picture/choice.js';
import { Classes } from '../picture/classes.js';
import { cellName } from '../picture/naming.js';
import { PictureElement } from '../picture/picture-element.js';
import { CLEARED, FIXED, REPLACED, SHORT, WHOLE, windowAt } from '../picture/window.js';
import { capacityOf } from './capacity.js';
import { Detail } from './detail.js';
import { flowOf } from './flow.js';
import { Legend } from './legend.js';
import { MAP_STYLES } from './styles.js';
import { summaryOf } from './summary.js';
import { Surface } from './surface.js';
import { ThreadCells } from './thread-cells.js';

/** @type {Sizes[]} */
const SIZES = ['sent', 'stored'];
/** @type {Shows[]} */
const SHOWS = ['sent', 'view'];

export class ContextMap extends PictureElement {
  static styles = MAP_STYLES;
  static properties = [...PictureElement.properties, 'contextWindow', 'shows', 'sizes', 'load'];
  static observedAttributes = ['context-window', 'controls', 'shows', 'sizes'];

  #showsChoice = new Choice((index) => {
    this.shows = SHOWS[index] ?? 'sent';
  });
  #sizesChoice = new Choice((index) => {
    this.sizes = SIZES[index] ?? 'sent';
  });
  #summary = h('p', { class: 'summary', part: 'summary', role: 'status' });
  #reading = h('p', { class: 'reading hint', part: 'reading' });
  #help = h('p', { class: 'visually-hidden', id: 'help' });
  #legend = new Legend((classIndex) => this.#toggleAlone(classIndex));
  #detail = new Detail(() => this.#onDetailClosed());
  #surface = new Surface(
    {
      nameOf: (place) => this.#nameOf(place),
      describe: (place) => this.#describe(place),
      activate: (place) => this.#activate(place),
    },
    this.inks,
  );
  #content = h(
    'div',
    { part: 'base' },
    h('div', { class: 'controls' }, this.threads.element, this.#showsChoice.element, this.#sizesChoice.element),
    this.slider.element,
    this.#summary,
    this.#surface.element,
    this.#reading,
    this.#detail.element,
    this.#legend.element,
    this.#help,
  );
  /** @type {number | null} */
  #contextWindow = null;
  /** @type {Load | null} */
  #load = null;
  /** Index of the class that is shown alone, if any. @type {number | null} */
  #alone = null;
  /** @type {Classes | null} */
  #classes = null;
  /** @type {ThreadCells | null} */
  #cells = null;
  /** @type {Window | null} */
  #window = null;
  /** @type {Frame | null} */
  #frame = null;
  /** The open cell's thread, its index there, and its message. @type {{ thread: number, cell: number, message: number } | null} */
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

  /** Loads the content of an opened cell. */
  get load() {
    return this.#load;
  }

  set load(load) {
    this.#load = typeof load === 'function' ? load : null;
  }

  pictureChanged() {
    const picture = this.shownPicture;
    this.#classes = picture === null ? null : new Classes(picture);
    this.#cells = null;
  }

  content() {
    return this.#content;
  }

  /** @param {ThreadPicture} thread @param {number} width */
  drawThread(thread, width) {
    const { words } = this;
    const classes = /** @type {Classes} */ (this.#classes);
    if (this.#cells?.thread !== thread) this.#cells = new ThreadCells(thread, classes, words);
    else this.#cells.words = words;
    const { capacity, limit } = capacityOf(
      thread,
      { sizes: this.sizes, shows: this.shows },
      this.#contextWindowOf(thread),
    );
    this.#frame = { flow: flowOf(Math.max(1, width), capacity), limit };
    this.#showsChoice.element.hidden = this.shownPicture?.agent === 'live';
    this.#showsChoice.update(words.shows, [words.asItWas, words.withView], SHOWS.indexOf(this.shows));
    this.#sizesChoice.update(words.cellSizes, [words.asSent, words.asStored], SIZES.indexOf(this.sizes));
    this.#help.textContent = words.mapHelp;
    const windowEnd = limit === null ? null : formatTokens(limit, this.language);
    this.#legend.build(words, classes.list, this.inks, { limit: windowEnd, shows: this.shows });
  }

  /** The application's value overrides the picture's. @param {ThreadPicture} thread */
  #contextWindowOf(thread) {
    return this.contextWindow ?? thread.contextWindow ?? null;
  }

  /** @param {ThreadPicture} thread @param {number} request */
  drawRequest(thread, request) {
    const cells = /** @type {ThreadCells} */ (this.#cells);
    const { flow, limit } = /** @type {Frame} */ (this.#frame);
    const window = windowAt(thread, request, this.sizes, this.shows);
    this.#window = window;
    this.#summary.textContent = summaryOf(this.words, this.language, window, this.#contextWindowOf(thread), this.shows);
    this.#legend.update(this.language, cells.tokensByClass(window), this.#alone);
    const { list } = this.#surface;
    list.setAttribute('aria-label', this.words.mapLabel(formatCount(request + 1, this.language)));
    list.setAttribute('aria-describedby', this.#help.id);
    const cellIn = (/** @type {number} */ place) => window.cells[place] ?? FIXED;
    this.#surface.draw({
      flow,
      window,
      limit,
      slotOf: (place) => cells.slotOf(cellIn(place)),
      labelOf: (place) => cells.labelOf(cellIn(place)),
      isDimmed: (place) => this.#alone !== null && cells.classIndexOf(cellIn(place)) !== this.#alone,
    });
    this.#keepOpened(thread, window);
  }

  /** Keeps the message open while the selected request changes and the session grows. @param {ThreadPicture} thread @param {Window} window */
  #keepOpened(thread, window) {
    const opened = this.#opened;
    if (opened === null) return;
    if (opened.thread !== this.thread || thread.cells[opened.cell]?.message !== opened.message) {
      this.#opened = null;
      this.#surface.markOpened(null);
      this.#detail.hide();
      return;
    }
    const place = window.cells.indexOf(opened.cell);
    this.#surface.markOpened(place < 0 ? null : place);
    if (place < 0) return this.#detail.update({ title: this.#cells?.labelOf(opened.cell) ?? '', sending: 'nothing' });
    this.#detail.update({ title: this.#nameOf(place), sending: sendingOf(window.states[place]) });
  }

  /**
   * A cell and how it is sent; null for the system prompt and tools.
   * @param {number} place @returns {{ cell: Cell | null, state: number, isCached: boolean }}
   */
  #cellAt(place) {
    const window = this.#window;
    const cell = this.shownThread?.cells[window?.cells[place] ?? FIXED] ?? null;
    return { cell, state: window?.states[place] ?? WHOLE, isCached: place < (window?.cachedCount ?? 0) };
  }

  /** What is said of a cell. @param {number} place */
  #nameOf(place) {
    const { cell, state, isCached } = this.#cellAt(place);
    const { words, language, shownPicture } = this;
    if (cell !== null && shownPicture !== null)
      return cellName(words, language, shownPicture, { cell, state, isCached });
    const tokens = words.tokens(formatCount(this.shownThread?.fixedTokens ?? 0, language));
    return [words.fixedLabel, tokens, ...(isCached ? [words.isCached] : [])].join(words.join);
  }

  /** Shows the pointed or focused cell's name; null: the hint. @param {number | null} place */
  #describe(place) {
    const text = place === null ? this.words.readingHint : this.#nameOf(place);
    this.#reading.classList.toggle('hint', place === null);
    if (this.#reading.textContent !== text) this.#reading.textContent = text;
  }

  /** Opens the panel of a cell, unless a listener prevents it. @param {number} place */
  #activate(place) {
    const { cell, state } = this.#cellAt(place);
    if (cell === null) return;
    const { message, part } = cell;
    const { thread, request } = this;
    const detail = { message, part: part ?? null, thread, request };
    if (!this.emit('cell-activate', detail, { cancelable: true })) return;
    this.#opened = { thread, cell: this.#window?.cells[place] ?? FIXED, message };
    this.#surface.markOpened(place);
    const { words, language } = this;
    void this.#detail.open({
      words,
      language,
      cell,
      sending: sendingOf(state),
      title: this.#nameOf(place),
      load: this.#load,
    });
  }

  /** Opens a cell of the selected request. @param {number} cell index in the thread's cells */
  openCell(cell) {
    const place = this.#window?.cells.indexOf(cell) ?? -1;
    if (place < 0) return;
    this.#surface.moveTo(place);
    this.#activate(place);
  }

  #onDetailClosed() {
    this.#opened = null;
    this.#surface.markOpened(null);
    this.#surface.list.focus();
    this.emit('cell-close');
  }

  /** Shows one class alone; a second press shows all again. @param {number} classIndex */
  #toggleAlone(classIndex) {
    this.#alone = this.#alone === classIndex ? null : classIndex;
    this.requestUpdate();
  }
}

/** @param {number | undefined} state @returns {import('./detail.js').Sending} */
function sendingOf(state) {
  if (state === CLEARED) return 'cleared';
  if (state === SHORT) return 'references';
  return state === REPLACED ? 'placeholder' : 'stored';
}

/** @param {unknown} value @returns {number | null} */
function positiveOrNull(value) {
  return typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY ? value : null;
}
