// @ts-check
/**
 * Base class of the map and the chart. It redraws everything, or only what depends on the selected request.
 *
 * @import { SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from './words.js'
 */
import { h, setChildren } from '../base/dom.js';
import { PalimpsestElement } from '../base/element.js';
import { Choice } from './choice.js';
import { Inks } from './inks.js';
import { threadName } from './naming.js';
import { readPicture } from './read.js';
import { RequestSlider } from './request-slider.js';
import { problemSentence, wordsOf } from './words.js';

export class PictureElement extends PalimpsestElement {
  static properties = ['picture', 'thread', 'request'];

  inks = new Inks(() => this.redraw());
  threads = new Choice((place) => this.#chooseThread(place));
  slider = new RequestSlider((request) => this.goTo(request));
  #picture = /** @type {unknown} */ (undefined);
  #read = /** @type {ReturnType<typeof readPicture>} */ (readPicture(undefined));
  #thread = 0;
  /** Null follows the newest request. @type {number | null} */
  #request = null;
  #isDrawn = false;
  #width = 0;
  /** @type {ResizeObserver | undefined} */
  #resizes;

  /** The result of `palimpsest view` or `contextPicture`. */
  get picture() {
    return /** @type {SessionPicture | null} */ (this.#picture ?? null);
  }

  set picture(value) {
    this.#picture = value;
    const wasLast = this.#request !== null && this.#request >= this.requests.length - 1;
    this.#read = readPicture(value);
    if (wasLast) this.#request = null;
    this.pictureChanged();
    this.redraw();
  }

  /** Index in `picture.threads`. */
  get thread() {
    return Math.min(this.#thread, Math.max(0, (this.#read.picture?.threads.length ?? 1) - 1));
  }

  set thread(place) {
    this.#thread = wholeNumber(place) ?? 0;
    this.redraw();
  }

  /** The newest request by default; -1 if there are none. */
  get request() {
    const last = this.requests.length - 1;
    return this.#request === null ? last : Math.min(this.#request, last);
  }

  set request(place) {
    this.#request = wholeNumber(place);
    this.requestUpdate();
  }

  /** @returns {ThreadPicture | null} */
  get shownThread() {
    return this.#read.picture?.threads[this.thread] ?? null;
  }

  get requests() {
    return this.shownThread?.requests ?? [];
  }

  /** @returns {SessionPicture | null} */
  get shownPicture() {
    return this.#read.picture;
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

  /** Selecting another request needs only `step`, not this. */
  redraw() {
    this.#isDrawn = false;
    this.requestUpdate();
  }

  /** For the user's selections; sends the event, so that a page can update its other element. @param {number} request */
  goTo(request) {
    const last = this.requests.length - 1;
    const place = Math.max(0, Math.min(request, last));
    this.#request = place === last ? null : place;
    this.requestUpdate();
    this.emit('request-change', { thread: this.thread, request: place });
  }

  /** @param {number} place */
  #chooseThread(place) {
    this.#thread = place;
    this.#request = null;
    this.redraw();
    this.emit('request-change', { thread: place, request: this.request });
  }

  update() {
    const { picture, problem } = this.#read;
    if (picture === null) return this.#showNotice(problemSentence(this.words, problem));
    const thread = /** @type {ThreadPicture} */ (this.shownThread);
    const { words } = this;
    this.threads.element.hidden = picture.threads.length < 2 || !this.#hasControls;
    this.slider.element.hidden = !this.#hasControls;
    this.threads.update(
      words.thread,
      picture.threads.map((one) => threadName(words, one)),
      this.thread,
    );
    if (thread.requests.length === 0) return this.#showNotice(words.noRequests);
    if (!this.#isDrawn) {
      this.#isDrawn = true;
      setChildren(this.root, this.content(), this.inks.element);
      this.#width = this.content().clientWidth;
      this.inks.read();
      this.draw(thread, this.#width);
    }
    this.slider.update(words, this.language, thread, this.request);
    this.step(thread, this.request);
  }

  /** @param {string} sentence shown instead of a drawing */
  #showNotice(sentence) {
    this.#isDrawn = false;
    const hasThreads = (this.#read.picture?.threads.length ?? 0) > 1 && this.#hasControls;
    const controls = hasThreads ? [h('div', { class: 'controls' }, this.threads.element)] : [];
    this.root.replaceChildren(...controls, h('p', { class: 'problem', part: 'problem', role: 'status' }, sentence));
  }

  /** Hook for subclasses. */
  pictureChanged() {}

  /** Must return the same node at each call. @returns {HTMLElement} */
  content() {
    return this;
  }

  /** Draws what is the same for all requests. @param {ThreadPicture} _thread @param {number} _width */
  draw(_thread, _width) {}

  /** Draws what depends on the selected request. @param {ThreadPicture} _thread @param {number} _request */
  step(_thread, _request) {}
}

/** @param {unknown} value @returns {number | null} */
function wholeNumber(value) {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
