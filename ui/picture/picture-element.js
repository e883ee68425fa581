// @ts-check
/**
 * Base class of the map and the chart: the picture, the selected thread and the selected request. It redraws everything,
 * or only what depends on the request.
 *
 * @import { SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from './words.js'
 */
import { h, setChildren } from '../base/dom.js';
import { PalimpsestElement } from '../base/element.js';
import { Choice } from './choice.js';
import { Inks } from './inks.js';
import { threadName } from './naming.js';
import { readPicture } from './read-picture.js';
import { RequestSlider } from './request-slider.js';
import { problemSentence, wordsOf } from './words.js';

export class PictureElement extends PalimpsestElement {
  static properties = ['picture', 'thread', 'request'];

  inks = new Inks(() => this.redraw());
  threads = new Choice((thread) => this.#chooseThread(thread));
  slider = new RequestSlider((request) => this.goTo(request));
  #picture = /** @type {unknown} */ (undefined);
  #checked = /** @type {ReturnType<typeof readPicture>} */ (readPicture(undefined));
  #thread = 0;
  /** Index of the selected request; null follows the newest one. @type {number | null} */
  #request = null;
  #isDrawn = false;
  /** Width of the drawing, CSS pixels. */
  #width = 0;
  /** @type {ResizeObserver | undefined} */
  #resizes;

  /** The result of `palimpsest view` or `contextPicture`. */
  get picture() {
    return /** @type {SessionPicture | null} */ (this.#picture ?? null);
  }

  set picture(value) {
    this.#picture = value;
    const wasNewest = this.#request !== null && this.#request >= this.requests.length - 1;
    this.#checked = readPicture(value);
    if (wasNewest) this.#request = null;
    this.pictureChanged();
    this.redraw();
  }

  /** Index in `picture.threads`. */
  get thread() {
    return Math.min(this.#thread, Math.max(0, (this.#checked.picture?.threads.length ?? 1) - 1));
  }

  set thread(index) {
    this.#thread = indexOrNull(index) ?? 0;
    this.redraw();
  }

  /** The newest request by default; -1 if there are none. */
  get request() {
    const last = this.requests.length - 1;
    return this.#request === null ? last : Math.min(this.#request, last);
  }

  set request(index) {
    this.#request = indexOrNull(index);
    this.requestUpdate();
  }

  /** The selected thread; null without a valid picture. @returns {ThreadPicture | null} */
  get shownThread() {
    return this.#checked.picture?.threads[this.thread] ?? null;
  }

  /** Requests of the selected thread. */
  get requests() {
    return this.shownThread?.requests ?? [];
  }

  /** The picture if it is valid. @returns {SessionPicture | null} */
  get shownPicture() {
    return this.#checked.picture;
  }

  /** A page with both a map and a chart can use one slider for both. */
  get #hasControls() {
    return this.getAttribute('controls') !== 'none';
  }

  /** @returns {Words} */
  get words() {
    return wordsOf(this.language);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#resizes = new ResizeObserver(() => {
      if (this.content().clientWidth !== this.#width) this.redraw();
    });
    this.#resizes.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#resizes?.disconnect();
  }

  languageChanged() {
    this.redraw();
  }

  attributeChangedCallback() {
    this.redraw();
  }

  /** Schedules a drawing of everything. For another request `requestUpdate` is enough. */
  redraw() {
    this.#isDrawn = false;
    this.requestUpdate();
  }

  /**
   * Selects a request for the user and sends the event, so that a page can update its other element.
   * @param {number} request
   */
  goTo(request) {
    const last = this.requests.length - 1;
    const selected = Math.max(0, Math.min(request, last));
    this.#request = selected === last ? null : selected;
    this.requestUpdate();
    this.emit('request-change', { thread: this.thread, request: selected });
  }

  /** @param {number} thread */
  #chooseThread(thread) {
    this.#thread = thread;
    this.#request = null;
    this.redraw();
    this.emit('request-change', { thread, request: this.request });
  }

  update() {
    const { picture, problem } = this.#checked;
    if (picture === null) return this.#showNotice(problemSentence(this.words, problem));
    const thread = /** @type {ThreadPicture} */ (this.shownThread);
    const { words } = this;
    this.threads.element.hidden = picture.threads.length < 2 || !this.#hasControls;
    this.slider.element.hidden = !this.#hasControls;
    const threadNames = picture.threads.map((one) => threadName(words, one));
    this.threads.update(words.thread, threadNames, this.thread);
    if (thread.requests.length === 0) return this.#showNotice(words.noRequests);
    if (!this.#isDrawn) {
      this.#isDrawn = true;
      setChildren(this.root, this.content(), this.inks.element);
      this.#width = this.content().clientWidth;
      this.inks.readColours();
      this.drawThread(thread, this.#width);
    }
    this.slider.update(words, this.language, thread, this.request);
    this.drawRequest(thread, this.request);
  }

  /** @param {string} sentence shown instead of a drawing */
  #showNotice(sentence) {
    this.#isDrawn = false;
    const hasThreads = (this.#checked.picture?.threads.length ?? 0) > 1 && this.#hasControls;
    const controls = hasThreads ? [h('div', { class: 'controls' }, this.threads.element)] : [];
    this.root.replaceChildren(...controls, h('p', { class: 'problem', part: 'problem', role: 'status' }, sentence));
  }

  /** Called after another picture was set. */
  pictureChanged() {}

  /** The drawing; the same node at each call. @returns {HTMLElement} */
  content() {
    return this;
  }

  /** Draws what is the same for all requests. @param {ThreadPicture} _thread @param {number} _width */
  drawThread(_thread, _width) {}

  /** Draws what depends on the selected request. @param {ThreadPicture} _thread @param {number} _request */
  drawRequest(_thread, _request) {}
}

/** @param {unknown} value @returns {number | null} */
function indexOrNull(value) {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
