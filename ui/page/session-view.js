// @ts-check
/**
 * One session: the three answers, the chart of all requests, the map of one, and its compressions. Chart and map show the same
 * request.
 *
 * @import { Language } from '../base/language.js'
 * @import { PictureMessage, SessionPicture } from '../picture.js'
 * @import { Conversation, Listed, Source } from './source.js'
 * @import { Words } from './words.js'
 */
import { h } from '../base/dom.js';
import { formatCount, formatTime } from '../base/format.js';
import { answerCards } from './answer-cards.js';
import { titleOf } from './session-list.js';

export class SessionView {
  element = h('article', {});
  #source;
  #session;
  #words;
  #language;
  #head = h('div', {});
  #answers = h('div', {});
  #charts = h('div', {});
  #compressions = h('section', {});
  #chart = /** @type {any} */ (document.createElement('context-chart'));
  #map = /** @type {any} */ (document.createElement('context-map'));
  #history = /** @type {any} */ (document.createElement('compression-history'));
  /** What the compressions were read for. */
  #conversationOf = '';

  /** @param {Source} source @param {Listed} session @param {Words} words @param {Language} language */
  constructor(source, session, words, language) {
    this.#source = source;
    this.#session = session;
    this.#words = words;
    this.#language = language;
    this.element.append(this.#head, this.#answers, this.#charts, this.#compressions);
    this.#map.load = (/** @type {number} */ message, /** @type {number | null} */ part) => this.#load(message, part);
    this.#chart.addEventListener('request-change', (/** @type {CustomEvent} */ event) =>
      this.#follow(this.#map, event),
    );
    this.#map.addEventListener('request-change', (/** @type {CustomEvent} */ event) =>
      this.#follow(this.#chart, event),
    );
  }

  /** @param {SessionPicture} picture */
  async show(picture) {
    const words = this.#words;
    this.#head.replaceChildren(...this.#headOf(picture));
    const hasRequests = picture.threads.some(({ requests }) => requests.length > 0);
    if (!hasRequests) return this.#answers.replaceChildren(h('p', { class: 'empty' }, words.noRequests));
    const select = (
      /** @type {number} */ thread,
      /** @type {number} */ request,
      /** @type {number | null} */ cell = null,
    ) => this.#select(thread, request, cell);
    this.#answers.replaceChildren(answerCards({ picture, words, language: this.#language, select }));
    if (this.#charts.childElementCount === 0) {
      this.#charts.append(h('h2', {}, words.chart), this.#chart, h('h2', {}, words.map), this.#map);
    }
    this.#chart.picture = picture;
    this.#map.picture = picture;
    await this.#showCompressions(picture);
  }

  /** @param {SessionPicture} picture */
  #headOf({ agentName, project, models, firstMs, lastMs, threads, notes = [] }) {
    const time = (/** @type {number | null} */ ms) => (ms === null ? undefined : formatTime(ms, this.#language));
    const [first, last] = [time(firstMs), time(lastMs)];
    const requests = threads.reduce((sum, thread) => sum + thread.requests.length, 0);
    const span = first !== undefined && last !== undefined && `${first.text} – ${last.text}`;
    const parts = [
      agentName,
      models.join(', '),
      project,
      span,
      this.#words.ofRequests(formatCount(requests, this.#language)),
    ];
    const said = parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');
    const odd = notes.map(({ what, count, at }) => h('li', {}, `${count} × ${what}${at === null ? '' : ` (${at})`}`));
    const about = h('div', { class: 'about' }, said);
    if (odd.length > 0) about.append(h('details', {}, h('summary', {}, this.#words.notes), h('ul', {}, ...odd)));
    return [h('h1', { tabindex: -1 }, titleOf(this.#session, this.#words)), about];
  }

  /** Read again where a compression was added; a host's own list holds its compressions itself. @param {SessionPicture} picture */
  async #showCompressions(picture) {
    const begun = picture.threads.flatMap(({ requests }) => requests).filter(({ begins }) => begins === 'compaction');
    const isOwn = picture.agent === 'message-array';
    const state = `${begun.length} ${isOwn ? picture.messages : ''}`;
    if (state === this.#conversationOf) return;
    this.#conversationOf = state;
    const words = this.#words;
    const { points, messages } = await this.#source.conversation(this.#session.id);
    const heading = h('h2', {}, words.history);
    if (points.length === 0 && !messages.some((message) => message?.isCompressed === true)) {
      this.#compressions.replaceChildren(heading, h('p', { class: 'hint' }, words.noHistory));
      return;
    }
    this.#history.messages = messages;
    this.#compressions.replaceChildren(heading, h('p', { class: 'hint' }, words.historyHint), this.#history);
  }

  /** @param {any} other @param {CustomEvent} event */
  #follow(other, { detail }) {
    other.thread = detail.thread;
    other.request = detail.request;
  }

  /** @param {number} thread @param {number} request @param {number | null} cell to be opened, a place among the thread's cells */
  async #select(thread, request, cell) {
    for (const element of [this.#chart, this.#map]) {
      element.thread = thread;
      element.request = request;
    }
    if (cell === null) return this.#chart.scrollIntoView({ block: 'nearest' });
    await this.#map.updateComplete;
    this.#map.openCell(cell);
    this.#map.scrollIntoView({ block: 'nearest' });
  }

  /** @param {number} index @param {number | null} part */
  async #load(index, part) {
    const message = await this.#source.message(this.#session.id, index);
    if (message === null) throw new Error('expected a message of the session; the file has fewer now');
    return { stored: part === null ? message : partOf(message, part) };
  }
}

/** The message with what a cell is about: a call or a result, else all of its kind that follows. @param {PictureMessage} message @param {number} part @returns {PictureMessage} */
function partOf({ role, timeMs, parts }, part) {
  const first = parts[part];
  if (first === undefined) return { role, timeMs, parts };
  const isOne = first.type === 'call' || first.type === 'result';
  const rest = isOne ? [] : parts.slice(part + 1);
  const end = rest.findIndex(({ type }) => type !== first.type);
  return { role, timeMs, parts: [first, ...(end === -1 ? rest : rest.slice(0, end))] };
}
