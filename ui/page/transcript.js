// @ts-check
/**
 * A thread's messages, with prompts as headings and compactions that open. It is loaded when it comes near the visible
 * area, because it may be as large as everything else together.
 *
 * @import { SessionPicture } from '../picture.js'
 * @import { Source } from './source.js'
 * @import { Words } from './words.js'
 */
import { h } from '../base/dom.js';
import { SourceError } from './source.js';

/** Distance to the visible area at which loading starts, px. */
const PRELOAD_PX = 600;

export class Transcript {
  element = h('section', { class: 'transcript' });
  #history = /** @type {any} */ (document.createElement('compression-history'));
  #hint = h('p', { class: 'hint' });
  #status = h('p', { class: 'hint', role: 'status' });
  #source;
  #session;
  #words;
  #isNear = false;
  #thread = 0;
  /** Identifies what was loaded. */
  #state = '';
  #readState = '';
  /** @type {Promise<void>} */
  #reading = Promise.resolve();
  /** Index of each message; the application's messages don't contain it. @type {Map<unknown, number>} */
  #places = new Map();

  /** @param {Source} source @param {string} session @param {Words} words @param {(message: number) => void} toMap */
  constructor(source, session, words, toMap) {
    this.#source = source;
    this.#session = session;
    this.#words = words;
    this.#history.hidden = true;
    this.#history.setAttribute('heading-level', '3');
    this.#history.setAttribute('activate-label', words.inMap);
    this.#history.addEventListener('message-activate', (/** @type {CustomEvent} */ { detail }) => {
      const place = this.#placeOf(detail.message);
      if (place !== null) toMap(place);
    });
    this.element.append(h('h2', {}, words.transcript), this.#hint, this.#status, this.#history);
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        watch.disconnect();
        this.#isNear = true;
        void this.#read();
      },
      { rootMargin: `${PRELOAD_PX}px` },
    );
    watch.observe(this.element);
  }

  /** @param {SessionPicture} picture @param {number} thread */
  show({ messages, threads, bill }, thread) {
    this.#thread = thread;
    const { requests = [] } = threads[thread] ?? {};
    this.#state = [thread, messages, requests.length, bill?.paid].join(' ');
    return this.#isNear ? this.#read() : undefined;
  }

  /** @param {number} place @returns {Promise<void>} */
  async reveal(place) {
    this.#isNear = true;
    await this.#read();
    this.element.scrollIntoView({ block: 'start' });
    const isThere = this.#history.reveal((/** @type {unknown} */ message) => this.#placeOf(message) === place);
    this.showNotice(isThere ? '' : this.#words.notInTranscript);
  }

  /** @param {string} text */
  showNotice(text) {
    this.#status.textContent = text;
  }

  /** Runs one load at a time. The page reports failures. */
  #read() {
    this.#reading = this.#reading
      .then(() => this.#readNow())
      .catch((error) => {
        if (!(error instanceof SourceError)) throw error;
        if (error.reason === 'refused') this.showNotice(error.message);
      });
    return this.#reading;
  }

  async #readNow() {
    const state = this.#state;
    if (state === this.#readState) return;
    const { points, messages } = await this.#source.conversation(this.#session, this.#thread);
    this.#readState = state;
    this.#places = new Map(messages.map((message, place) => [message, place]));
    const isCompacted = points.length > 0 || messages.some((message) => message?.isCompressed === true);
    this.#hint.textContent = isCompacted ? this.#words.transcriptHint : '';
    this.#history.messages = messages;
    this.#history.hidden = false;
    await this.#history.updateComplete;
  }

  /** @param {any} message @returns {number | null} */
  #placeOf(message) {
    return message?.sessionMessage ?? this.#places.get(message) ?? null;
  }
}
