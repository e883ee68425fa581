// @ts-check
/**
 * The bar that selects thread and request for both the chart and the map.
 *
 * @import { Language } from '../base/language.js'
 * @import { SessionPicture } from '../picture.js'
 */
import { h } from '../base/dom.js';
import { Choice, RequestSlider } from '../picture/controls.js';
import { threadName } from '../picture/naming.js';
import { wordsOf } from '../picture/words.js';

export class RequestBar {
  #threads;
  #slider;
  element;
  #thread = 0;

  /**
   * @param {(thread: number, request: number | null) => void} moved called when the user selects; `request` null: the newest
   */
  constructor(moved) {
    this.#threads = new Choice((thread) => moved(thread, null));
    this.#slider = new RequestSlider((request) => moved(this.#thread, request));
    this.element = h('div', { class: 'request-bar' }, this.#threads.element, this.#slider.element);
  }

  /** @param {Language} language @param {SessionPicture} picture @param {number} thread @param {number} request */
  update(language, { threads }, thread, request) {
    const words = wordsOf(language);
    const shown = threads[thread];
    if (shown === undefined) return;
    this.#thread = thread;
    const names = threads.map((each) => threadName(words, each));
    this.#threads.element.hidden = threads.length < 2;
    this.#threads.update(words.thread, names, thread);
    this.#slider.element.hidden = shown.requests.length === 0;
    this.#slider.update(words, shown, request);
  }
}
