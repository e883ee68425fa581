// @ts-check
import contents from '../../lib/history/contents.js';
import shared from '../../lib/history/texts.js';
import { fill, h } from '../base/dom.js';
import { PalimpsestElement } from '../base/element.js';
import { VirtualList } from '../base/virtual-list.js';
import { ArchiveBatches } from './archive-batches.js';
import { moveIn } from './keyboard.js';
import { Outline } from './outline.js';
import { edgeRow, messageRow, pointRow } from './rows.js';
import { hitsIn, patternOf } from './search.js';
import { STYLES } from './styles.js';
import { Toolbar } from './toolbar.js';
import { WORDS } from './words.js';

/**
 * `<compression-history>`: a conversation with its compressions marked, each of which opens and shows every message that it stands
 * for.
 * @typedef {import('./outline.js').Row} Row
 */

/** Typing is over when it pauses for so long. */
const SEARCH_PAUSE_MS = 120;
/** px, before a row was seen. */
const ESTIMATES = { message: 90, point: 220, end: 40 };

export class CompressionHistory extends PalimpsestElement {
  static styles = STYLES;
  static properties = ['messages', 'source', 'sessionId'];
  static get observedAttributes() {
    return ['session-id'];
  }

  /** @type {readonly any[]} */
  #messages = [];
  /** What the array held when it was set. @type {readonly any[]} */
  #known = [];
  #outline = new Outline();
  #batches = new ArchiveBatches(this.#outline.fetched, ({ error, batch }) => {
    if (error !== undefined) this.emit('history-error', { error, ...batch });
    this.#rebuild();
  });
  /** Keys of the rows that are shown as JSON. @type {Set<string>} */
  #asJson = new Set();
  /** Where the focus goes when it comes to the list. */
  #focused = '';
  /** @type {unknown} */
  #sessionId;
  /** @type {{ pattern: RegExp, hits: import('./search.js').Hit[], at: number } | undefined} */
  #search;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;

  #body = h('div', { class: 'body', role: 'feed' });
  #scroller = h('div', { class: 'scroller', part: 'scroller' }, this.#body);
  #status = h('div', { class: 'visually-hidden', role: 'status' });
  #toolbar = new Toolbar({
    search: (query) => {
      clearTimeout(this.#pause);
      this.#pause = setTimeout(() => this.search(query), SEARCH_PAUSE_MS);
    },
    step: (by) => this.#step(by),
    expandAll: () => this.expandAll(),
    collapseAll: () => this.collapseAll(),
  });
  #list = new VirtualList(this.#scroller, this.#body, {
    count: () => this.#outline.rows.length,
    keyOf: (index) => this.#row(index).key,
    estimate: (index) => ESTIMATES[/** @type {'message'} */ (this.#row(index).kind)] ?? 60,
    render: (index) => this.#render(index),
    place: (element, index) => {
      element.setAttribute('aria-posinset', String(index + 1));
      element.setAttribute('aria-setsize', String(this.#outline.rows.length));
    },
  });

  constructor() {
    super();
    this.root.append(this.#toolbar.element, this.#scroller, this.#status);
    this.#body.addEventListener('keydown', (event) => this.#onKey(event));
    this.#body.addEventListener('focusin', (event) => this.#onFocus(/** @type {Element} */ (event.target)));
    this.#body.addEventListener('dblclick', (event) =>
      this.#activate(this.#rowOf(/** @type {Element} */ (event.target))),
    );
    this.root.addEventListener('keydown', (event) => this.#onShortcut(/** @type {KeyboardEvent} */ (event)));
  }

  /** The conversation, in any dialect. An array that only grew keeps everything where it is. @type {readonly any[]} */
  get messages() {
    return this.#messages;
  }

  set messages(messages) {
    const given = Array.isArray(messages) ? messages : [];
    const isGrown = this.#known.length > 0 && this.#known.every((message, at) => at in given && message === given[at]);
    this.#messages = given;
    this.#known = [...given];
    this.#outline.setMessages(given);
    if (!isGrown) this.#asJson.clear();
    this.#rebuild({ isAnew: !isGrown });
    this.requestUpdate();
  }

  /** Where archived originals come from: an object with `get(sessionId, id)`, such as a `SessionArchive`. */
  get source() {
    return this.#batches.source;
  }

  set source(source) {
    this.#batches.source = typeof source?.get === 'function' ? source : undefined;
    this.#batches.clear();
    this.#outline.hasSource = this.#batches.source !== undefined;
    this.#loadOpen();
    this.#rebuild();
  }

  /** The session, or the sessions, that may be read from the archive. @type {any} */
  get sessionId() {
    return this.#sessionId ?? this.getAttribute('session-id') ?? undefined;
  }

  set sessionId(sessionId) {
    this.#sessionId = sessionId;
    this.attributeChangedCallback();
  }

  attributeChangedCallback() {
    const { sessionId } = this;
    const names = Array.isArray(sessionId) ? sessionId : [sessionId];
    this.#batches.sessions = new Set(names.filter((name) => typeof name === 'string'));
    // What was another session's may be one of these.
    for (const [key, fetched] of this.#outline.fetched) if (fetched === 'foreign') this.#outline.fetched.delete(key);
    this.#loadOpen();
    this.#rebuild();
  }

  connectedCallback() {
    super.connectedCallback();
    this.languageChanged();
  }

  languageChanged() {
    const { language } = this;
    this.#toolbar.speak(language);
    this.#body.setAttribute('aria-label', WORDS[language].conversation);
    this.#list.refresh({ isAnew: true });
  }

  /** What the array holds has changed in place. */
  refresh() {
    this.messages = this.#messages;
    // A message itself may have changed, and looks the same from here.
    this.#list.refresh({ isAnew: true });
  }

  update() {
    this.#toolbar.count(this.#outline.totals, this.language);
    this.#showResult();
    const isEmpty = this.#outline.rows.length === 0;
    this.#scroller.classList.toggle('is-empty', isEmpty);
    const empty = this.#scroller.querySelector('.empty');
    if (!isEmpty) empty?.remove();
    else if (empty === null) this.#scroller.append(h('p', { class: 'empty' }, shared.TEXTS[this.language].empty));
    else fill(empty, shared.TEXTS[this.language].empty);
  }

  /** Opens every compression; those in an archive are read. Resolves when all are there. */
  async expandAll() {
    for (;;) {
      /** @type {import('./outline.js').Batch[]} */
      const missing = [];
      const before = this.#outline.open.size;
      for (const { row } of this.#outline.walk()) {
        if (row.kind !== 'point') continue;
        this.#outline.open.add(row.key);
        const batch = this.#outline.missing(row);
        if (batch !== undefined) missing.push(batch);
      }
      if (this.#outline.open.size !== before || missing.length > 0) this.#rebuild({ isAnew: true });
      const wanted = this.source === undefined ? [] : missing.filter((batch) => this.#batches.isWanted(batch));
      if (wanted.length === 0) break;
      await this.#batches.loadAll(wanted);
    }
    this.emit('expand-all');
  }

  collapseAll() {
    this.#outline.open.clear();
    this.#rebuild({ isAnew: true });
    this.emit('collapse-all');
  }

  /**
   * Marks what matches in all messages, folded ones too; those in an archive are read first.
   * @param {string} query
   * @returns {Promise<number>} how many matches there are
   */
  async search(query) {
    const pattern = patternOf(query);
    if (this.#toolbar.field.value.trim() !== query.trim()) this.#toolbar.field.value = query;
    this.#search = pattern && { pattern, hits: hitsIn(this.#outline, pattern), at: -1 };
    this.#list.refresh({ isAnew: true });
    this.#showResult();
    if (pattern === undefined) return 0;
    for (let missing = this.#wanted(); missing.length > 0; missing = this.#wanted()) {
      await this.#batches.loadAll(missing);
      if (this.#search?.pattern !== pattern) return 0;
      this.#search.hits = hitsIn(this.#outline, pattern);
    }
    this.#showResult();
    return this.#search?.hits.length ?? 0;
  }

  /** Batches that the archive hasn't been asked for. */
  #wanted() {
    const missing = [...this.#outline.walk()].map(({ row }) => this.#outline.missing(row));
    return missing
      .filter((batch) => batch !== undefined && this.#batches.isWanted(batch))
      .map((batch) => /** @type {import('./outline.js').Batch} */ (batch));
  }

  /** @param {number} by */
  #step(by) {
    const search = this.#search;
    if (search === undefined || search.hits.length === 0) return;
    const { hits } = search;
    search.at = search.at < 0 ? (by > 0 ? 0 : hits.length - 1) : (search.at + by + hits.length) % hits.length;
    const hit = /** @type {import('./search.js').Hit} */ (hits[search.at]);
    for (const key of hit.path) this.#outline.open.add(key);
    this.#asJson.delete(hit.key);
    this.#outline.refresh();
    this.#list.refresh({ isAnew: true });
    this.#list.scrollTo(this.#outline.rows.findIndex(({ key }) => key === hit.key));
    this.#list.elementOf(hit.key)?.querySelector('mark.current')?.scrollIntoView({ block: 'nearest' });
    this.#showResult();
  }

  #showResult() {
    const search = this.#search;
    const notSearched = search === undefined ? 0 : this.#countMissing();
    this.#toolbar.result(search && { at: search.at, all: search.hits.length, notSearched }, this.language);
  }

  #countMissing() {
    let count = 0;
    for (const { row } of this.#outline.walk()) if (this.#outline.missing(row) !== undefined) count += 1;
    return count;
  }

  /** @param {{ isAnew?: boolean }} [how] */
  #rebuild(how) {
    const { scroller } = this.#list;
    const isAtEnd = scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 4;
    this.#outline.refresh();
    const { rows } = this.#outline;
    const places = new Set(rows.map(({ key }) => key));
    if (!places.has(this.#focused)) this.#focused = rows[0]?.key ?? '';
    this.#list.refresh(how);
    // Who reads the newest message wants to see the next one.
    if (isAtEnd && how?.isAnew === false) this.#list.scrollTo(rows.length - 1);
    this.requestUpdate();
  }

  /** @param {number} index @returns {Row} */
  #row(index) {
    return /** @type {Row} */ (this.#outline.rows[index]);
  }

  /** @param {number} index */
  #render(index) {
    const row = this.#row(index);
    const { language } = this;
    const search = this.#search;
    const hit = search?.hits[search.at];
    /** @type {import('./rows.js').Place} */
    const place = {
      language,
      pattern: search?.pattern,
      current: hit?.key === row.key ? hit : undefined,
      isOpen: this.#outline.open.has(row.key),
      isJson: this.#asJson.has(row.key),
      act: (action, acted) => this.#act(action, acted),
    };
    const element =
      row.kind === 'message'
        ? messageRow(row, this.#outline.contentsOf(row), place)
        : row.kind === 'point'
          ? pointRow(row, this.#outline.contentsOf(row), place)
          : edgeRow(row, place);
    element.style.setProperty('--_depth', String(row.depth));
    element.tabIndex = row.key === this.#focused ? 0 : -1;
    return element;
  }

  /** @param {import('./rows.js').Action} action @param {Row} row */
  #act(action, row) {
    if (action === 'toggle') this.#toggle(row.kind === 'point' ? row.key : row.parent);
    else if (action === 'copy') this.#copy(row);
    else if (action === 'json') {
      if (!this.#asJson.delete(row.key)) this.#asJson.add(row.key);
      this.#list.renew(row.key);
    } else this.#load(this.#pointNamed(row.parent), true);
  }

  /** @param {string} key */
  #pointNamed(key) {
    return this.#outline.rows.find((row) => row.key === key && row.kind === 'point');
  }

  /** @param {string} key of a compression */
  #toggle(key) {
    const row = this.#pointNamed(key);
    if (row === undefined) return;
    const { open } = this.#outline;
    const isOpening = !open.delete(key);
    if (isOpening) open.add(key);
    this.#outline.refresh();
    this.#list.refresh();
    // The row says now that it is open, or closed.
    this.#list.renew(key);
    this.#list.scrollTo(this.#outline.rows.indexOf(/** @type {Row} */ (this.#pointNamed(key))));
    this.#focusRow(key, '.disclosure');
    if (isOpening) this.#load(row, false);
    const { id, kind, level, originalCount } = /** @type {import('./outline.js').Point} */ (row.point);
    this.emit(isOpening ? 'point-expand' : 'point-collapse', { id, kind, level, originalCount });
  }

  /** @param {Row | undefined} row @param {boolean} again */
  #load(row, again) {
    const batch = row && this.#outline.missing(row);
    if (batch !== undefined && this.source !== undefined) this.#batches.load(batch, { again });
  }

  /** What is open already and lies in the archive. */
  #loadOpen() {
    for (const row of this.#outline.rows)
      if (row.kind === 'point' && this.#outline.open.has(row.key)) this.#load(row, false);
  }

  /** @param {Row} row */
  async #copy(row) {
    const text = this.#asJson.has(row.key)
      ? JSON.stringify(row.level.messages[row.index], null, 2)
      : contents
          .searchable(this.#outline.contentsOf(row))
          .filter((part) => part !== '')
          .join('\n');
    if (!this.emit('message-copy', { text }, { cancelable: true })) return;
    const words = WORDS[this.language];
    let said = words.copied;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      said = words.notCopied;
    }
    fill(this.#status, said);
    const button = this.#list.elementOf(row.key)?.querySelector('.action-copy');
    if (button) fill(button, said);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const row = this.#rowOf(/** @type {Element} */ (event.target));
    // Inside a row its own buttons have the keys.
    if (row === undefined || event.target !== this.#list.elementOf(row.key)) return;
    const move = moveIn(event, this.#outline.rows, row, {
      element: /** @type {HTMLElement} */ (event.target),
      scroller: this.#scroller,
      isOpen: this.#outline.open.has(row.key),
    });
    if (move === undefined) return;
    event.preventDefault();
    if (move === 'toggle') this.#toggle(row.key);
    else if (move === 'activate') this.#activate(row);
    else this.#focusRow(/** @type {Row} */ (this.#outline.rows[move]).key);
    if (move === 'toggle') this.#focusRow(row.key);
  }

  /** @param {KeyboardEvent} event */
  #onShortcut(event) {
    // The browser's own search doesn't find what is folded away.
    if (event.key !== 'f' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.#toolbar.field.focus();
    this.#toolbar.field.select();
  }

  /** @param {string} key @param {string} [within] what of the row gets the focus; without it the row itself */
  #focusRow(key, within) {
    const index = this.#outline.rows.findIndex((row) => row.key === key);
    if (index === -1) return;
    this.#list.scrollTo(index);
    const element = this.#list.elementOf(key);
    const target = within === undefined ? element : element?.querySelector(within);
    /** @type {HTMLElement | null | undefined} */ (target)?.focus({ preventScroll: true });
  }

  /** Of all rows only that with the focus has its buttons in the order of focus. @param {Element} target */
  #onFocus(target) {
    const row = this.#rowOf(target);
    if (row === undefined) return;
    const previous = this.#list.elementOf(this.#focused);
    this.#focused = row.key;
    const element = this.#list.elementOf(row.key);
    if (previous !== undefined && previous !== element) setReach(previous, -1);
    if (element !== undefined) setReach(element, 0);
  }

  /** @param {Element} target @returns {Row | undefined} */
  #rowOf(target) {
    const key = /** @type {HTMLElement | null} */ (target.closest('.row'))?.dataset.key;
    return key === undefined ? undefined : this.#outline.rows.find((row) => row.key === key);
  }

  /** @param {Row | undefined} row */
  #activate(row) {
    if (row === undefined || row.index < 0) return;
    const { level, index, depth } = row;
    this.emit('message-activate', { message: level.messages[index], index, depth });
  }
}

/** @param {HTMLElement} element @param {0 | -1} tabIndex */
function setReach(element, tabIndex) {
  element.tabIndex = tabIndex;
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = element.querySelectorAll('.actions button');
  for (const button of buttons) button.tabIndex = tabIndex;
}
