// @ts-check
/**
 * A thread's messages. They load near the visible area, since they may be as large as everything else together.
 * @import { SessionPicture } from '../picture.js'
 * @import { Source } from './source.js'
 * @import { Words } from './words.js'
 */
import { h } from '../base/dom.js';
import { SourceError } from './source.js';

/** Distance to the visible area at which loading starts, px. */ const PRELOAD_PX = 600;

export class Transcript {
  /** @type {any} */ #history;
  #hint = h('p.hint');
  #status = h('p.hint', { role: 'status' });
  #isNear = false;
  #thread = 0;
  /** Identifies the session's state that is to be shown. */ #wantedState = '';
  #loadedState = '';
  /** The loads so far, one after the other. @type {Promise<void>} */ #loads = Promise.resolve();
  /** Index of each message in the session, for messages that don't contain it. @type {Map<unknown, number>} */
  #indexes = new Map();

  /** @param {Source} source @param {string} session @param {Words} words @param {(message: number) => void} toMap shows a message in the map */
  constructor(source, session, words, toMap) {
    this.source = source;
    this.session = session;
    this.words = words;
    const onActivate = (/** @type {CustomEvent} */ { detail }) => {
      const index = this.#indexOf(detail.message);
      if (index !== null) toMap(index);
    };
    const attributes = { hidden: true, 'heading-level': '3', 'activate-label': words.inMap };
    this.#history = h('compression-history', { ...attributes, 'onmessage-activate': onActivate });
    this.element = h('section.transcript', h('h2', words.transcript), this.#hint, this.#status, this.#history);
    const whenSeen = (/** @type {IntersectionObserverEntry[]} */ entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      this.#isNear = true;
      void this.#load();
    };
    const watch = new IntersectionObserver(whenSeen, { rootMargin: `${PRELOAD_PX}px` });
    watch.observe(this.element);
  }

  /** Shows a thread; loads it if it is near the visible area. @param {SessionPicture} picture @param {number} thread */
  show({ messages, threads, bill }, thread) {
    this.#thread = thread;
    this.#wantedState = [thread, messages, threads[thread]?.requests.length ?? 0, bill?.paid].join(' ');
    return this.#isNear ? this.#load() : undefined;
  }

  /** Loads the transcript and scrolls to a message. @param {number} index of the message @returns {Promise<void>} */
  async reveal(index) {
    this.#isNear = true;
    await this.#load();
    this.element.scrollIntoView({ block: 'start' });
    const isThere = this.#history.reveal((/** @type {unknown} */ message) => this.#indexOf(message) === index);
    this.showNotice(isThere ? '' : this.words.notInTranscript);
  }

  /** @param {string} text */
  showNotice(text) {
    this.#status.textContent = text;
  }

  /** Runs one load at a time. Other failures than `refused` are reported by the page. */
  #load() {
    this.#loads = this.#loads
      .then(() => this.#loadNow())
      .catch((error) => {
        if (!(error instanceof SourceError)) throw error;
        if (error.reason === 'refused') this.showNotice(error.message);
      });
    return this.#loads;
  }

  async #loadNow() {
    const state = this.#wantedState;
    if (state === this.#loadedState) return;
    const { points, messages } = await this.source.conversation(this.session, this.#thread);
    this.#loadedState = state;
    this.#indexes = new Map(messages.map((message, index) => [message, index]));
    const isCompacted = points.length > 0 || messages.some((message) => message?.isCompressed === true);
    this.#hint.textContent = isCompacted ? this.words.transcriptHint : '';
    this.#history.messages = messages;
    this.#history.hidden = false;
    await this.#history.updateComplete;
  }

  /** @param {any} message @returns {number | null} */
  #indexOf(message) {
    return message?.sessionMessage ?? this.#indexes.get(message) ?? null;
  }
}
