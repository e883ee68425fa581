// @ts-check
/**
 * A session's cards, chart, map and transcript, all at the same thread and request.
 * @import { PictureMessage, SessionPicture } from '../picture.js'
 * @import { Card } from './card.js'
 * @import { Place } from './page.js'
 * @import { Listed, Source } from './source.js'
 * @import { Words } from './words.js'
 */
import { h } from '../base/dom.js';
import { formatTime } from '../base/format.js';
import { Choice, RequestSlider } from '../picture/controls.js';
import { WORDS as PICTURE_WORDS, threadName } from '../picture/words.js';
import { adviceCard } from './advice-card.js';
import { billCard } from './bill-card.js';
import { moneyOf } from './card.js';
import { sessionNotes } from './files-note.js';
import { lastName } from './home/selection.js';
import { itemsCard } from './items-card.js';
import { Transcript } from './transcript.js';

export class SessionView {
  #head = h('div');
  #answers = h('div.answers');
  #threadChoice = new Choice((thread) => this.#select(thread, null));
  #slider = new RequestSlider((request) => this.#select(this.#map.thread, request));
  #linked = {
    controls: 'none',
    'onrequest-change': (/** @type {CustomEvent} */ { detail }) => this.#select(detail.thread, detail.request),
  };
  /** @type {any} */ #chart = h('context-chart', this.#linked);
  /** @type {any} */ #map = h('context-map', {
    ...this.#linked,
    'oncell-activate': ({ detail }) => this.#setOpenMessage(detail.message),
    'oncell-close': () => this.#setOpenMessage(null),
  });
  #charts = h('div.requests');
  #transcript;
  element = h('article', this.#head, this.#answers);
  /** @type {SessionPicture | null} */ #picture = null;
  /** Index of the open cell's message. @type {number | null} */ #openMessage = null;

  /**
   * @param {Source} source @param {Listed} session @param {Words} words
   * @param {(place: Place) => void} moved called after another thread, request or message was selected
   */
  constructor(source, session, words, moved) {
    this.source = source;
    this.session = session;
    this.words = words;
    this.moved = moved;
    this.#transcript = new Transcript(source, session.id, words, (message) => this.#toMap(message));
    const bar = h('div.request-bar', this.#threadChoice.element, this.#slider.element);
    this.#charts.append(bar, h('h2', words.chart), this.#chart, h('h2', words.map), this.#map);
    this.#map.load = (/** @type {number} */ message, /** @type {number | null} */ part) => this.#load(message, part);
    const onclick = () => this.#openMessage !== null && void this.#transcript.reveal(this.#openMessage);
    this.#map.append(h('button', { slot: 'detail-action', onclick }, words.inTranscript));
  }

  /** Shows the session as it is now. @param {SessionPicture} picture */
  async show(picture) {
    this.#picture = picture;
    this.#head.replaceChildren(...this.#headOf(picture));
    const { words } = this;
    const hasRequests = picture.threads.some(({ requests }) => requests.length > 0);
    if (!hasRequests) return this.#answers.replaceChildren(h('p.empty', words.noRequests));
    /** @type {Card['select']} */
    const select = (...place) => void this.#goToCell(...place);
    const card = { picture, words, money: moneyOf(picture, words), select };
    this.#answers.replaceChildren(billCard(card), itemsCard(card), adviceCard(card));
    if (!this.#charts.isConnected) this.element.append(this.#charts, this.#transcript.element);
    this.#chart.picture = picture;
    this.#map.picture = picture;
    await this.#showPlace();
  }

  /** Shows what an address names. @param {Place} place invalid indexes are ignored */
  async goTo({ thread, request, message }) {
    const requests = this.#picture?.threads[thread]?.requests;
    if (requests === undefined) return;
    this.#select(thread, request !== null && request < requests.length ? request : null);
    const cell = message === null ? -1 : this.#cellOf(message, this.#map.request);
    if (cell >= 0) await this.#openCell(cell);
    else if (message !== null) {
      this.#setOpenMessage(message);
      await this.#transcript.reveal(message);
    }
  }

  /** @param {SessionPicture} picture */
  #headOf({ agentName, project, models, firstMs, lastMs, threads, notes = [] }) {
    const words = this.words;
    const [first, last] = [firstMs, lastMs].map((ms) => (ms === null ? undefined : formatTime(ms, words.language)));
    const requests = threads.reduce((sum, thread) => sum + thread.requests.length, 0);
    const span = first !== undefined && last !== undefined && `${first.text} – ${last.text}`;
    const figures = [agentName, models.join(', '), project, span, words.ofRequests(words.number(requests))];
    const about = h('div.about', figures.filter(Boolean).join(' · '));
    const name = lastName(this.session.project) || lastName(this.session.path) || words.untitled;
    return [h('h1', { tabindex: -1 }, name), about, ...sessionNotes(notes, words)];
  }

  /** @param {number} thread @param {number | null} request null follows the newest */
  #select(thread, request) {
    if (thread !== this.#map.thread) this.#openMessage = null;
    for (const element of [this.#chart, this.#map]) {
      element.thread = thread;
      element.request = request;
    }
    void this.#showPlace();
    this.#reportPlace();
  }

  async #showPlace() {
    const { thread, request } = this.#map;
    const { threads = [] } = this.#picture ?? {};
    const shown = threads[thread];
    if (this.#picture === null || shown === undefined) return;
    const words = PICTURE_WORDS[this.words.language];
    const names = threads.map((each) => threadName(words, each));
    this.#threadChoice.element.hidden = threads.length < 2;
    this.#threadChoice.update(words.thread, names, thread);
    this.#slider.element.hidden = shown.requests.length === 0;
    this.#slider.update(words, shown, request);
    await this.#transcript.show(this.#picture, thread);
  }

  /** @param {number | null} message message of the open cell */
  #setOpenMessage(message) {
    this.#openMessage = message;
    this.#reportPlace();
  }

  #reportPlace() {
    const { thread, request } = this.#map;
    const isLatest = request === (this.#picture?.threads[thread]?.requests.length ?? 0) - 1;
    this.moved({ thread, request: isLatest ? null : request, message: this.#openMessage });
  }

  /** @param {number} thread @param {number} request @param {number | null} [cell] index in the thread's cells */
  async #goToCell(thread, request, cell = null) {
    this.#select(thread, request);
    if (cell === null) return this.#charts.scrollIntoView({ block: 'start' });
    await this.#openCell(cell);
  }

  /** @param {number} cell */
  async #openCell(cell) {
    await this.#map.updateComplete;
    this.#map.openCell(cell);
  }

  /** Shows a message's cell in the selected request, or in the first one that sent it. @param {number} message */
  async #toMap(message) {
    const { thread, request } = this.#map;
    const requests = this.#picture?.threads[thread]?.requests ?? [];
    const found = [request, ...requests.keys()].find((index) => this.#cellOf(message, index) >= 0);
    this.#transcript.showNotice(found === undefined ? this.words.neverSent : '');
    if (found !== undefined) await this.#goToCell(thread, found, this.#cellOf(message, found));
  }

  /** @param {number} message @param {number} request @returns {number} the first cell that the request sends, or -1 */
  #cellOf(message, request) {
    const { cells, requests } = this.#picture?.threads[this.#map.thread] ?? { cells: [], requests: [] };
    for (const [from, to] of requests[request]?.prompt ?? []) {
      const cell = cells.slice(from, to).findIndex((one) => one.message === message);
      if (cell >= 0) return from + cell;
    }
    return -1;
  }

  /** @param {number} index of a message @param {number | null} part */
  async #load(index, part) {
    const message = await this.source.message(this.session.id, index);
    if (message === null) throw new Error('expected a message of the session; the file has fewer now');
    return { stored: part === null ? message : partsFrom(message, part) };
  }
}

/**
 * The part of a message that a cell shows: a call or result alone, otherwise all adjacent parts of the same kind.
 * @param {PictureMessage} message @param {number} part @returns {PictureMessage}
 */
function partsFrom({ role, timeMs, parts }, part) {
  const first = parts[part];
  if (first === undefined) return { role, timeMs, parts };
  const isAlone = first.type === 'call' || first.type === 'result';
  const rest = isAlone ? [] : parts.slice(part + 1);
  const end = rest.findIndex(({ type }) => type !== first.type);
  return { role, timeMs, parts: [first, ...(end === -1 ? rest : rest.slice(0, end))] };
}
