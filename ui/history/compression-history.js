// @ts-check
/**
 * `<compression-history>`: a conversation in which each compression opens to show the messages that it replaced.
 * @import { Path, Point, Row } from './outline.js'
 * @import { Action } from './rows.js'
 */
import levels from '../../lib/history/levels.js';
import { h } from '../base/dom.js';
import { PalimpsestElement } from '../base/element.js';
import { ArchiveBatches } from './archive-batches.js';
import { Outline } from './outline.js';
import { RowList } from './row-list.js';
import { asJson } from './rows.js';
import { Search } from './search.js';
import { STYLES } from './styles.js';
import { Toolbar } from './toolbar.js';
import { WORDS } from './words.js';

/** A pause this long starts the search. */ const SEARCH_PAUSE_MS = 120;

export class CompressionHistory extends PalimpsestElement {
  static styles = STYLES;
  static properties = ['messages', 'source', 'sessionId'];
  static observedAttributes = ['session-id', 'activate-label', 'heading-level'];

  /** @type {readonly any[]} */ #messages = [];
  /** Copy of the array's content when it was set. @type {readonly any[]} */ #messagesWhenSet = [];
  /** @type {unknown} */ #sessionId;
  #outline = new Outline();
  #search = new Search(this.#outline);
  #batches = new ArchiveBatches(this.#outline.fetched, ({ error, batch }) => {
    this.#outline.collectPrompts();
    if (error !== undefined) {
      this.#status.textContent = WORDS[this.language].archiveFailed;
      this.emit('history-error', { error, ...batch });
    }
    this.#rebuild();
  });
  #list = new RowList(this.#outline, this.#search, {
    labels: () => ({
      words: WORDS[this.language],
      headingLevel: this.getAttribute('heading-level') ?? '2',
      activateLabel: this.getAttribute('activate-label') ?? '',
    }),
    act: (action, row) => this.#act(action, row),
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #searchTimer;
  #status = h('div.visually-hidden', { role: 'status' });
  #empty = h('p.empty');
  #toolbar = new Toolbar({
    search: (query) => {
      clearTimeout(this.#searchTimer);
      this.#searchTimer = setTimeout(() => this.search(query), SEARCH_PAUSE_MS);
    },
    step: (by) => this.#stepTo(by),
    toPrompt: (key) => this.#goTo(key, this.#outline.prompts.get(key)?.path),
    expandAll: () => this.expandAll(),
    collapseAll: () => this.collapseAll(),
  });

  constructor() {
    super();
    this.root.append(this.#toolbar.element, this.#list.scroller, this.#status);
    this.root.addEventListener('keydown', (/** @type {any} */ event) => {
      // The browser's own search can't find collapsed messages.
      if (event.key !== 'f' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#toolbar.field.focus();
      this.#toolbar.field.select();
    });
  }

  /** In any dialect. If the array only grew, scroll position and open compressions stay. @type {readonly any[]} */
  get messages() {
    return this.#messages;
  }

  set messages(messages) {
    const list = Array.isArray(messages) ? messages : [];
    const previous = this.#messagesWhenSet;
    const isStart = previous.every((message, index) => index in list && message === list[index]);
    const isExtended = previous.length > 0 && isStart;
    this.#messages = list;
    this.#messagesWhenSet = [...list];
    this.#outline.setMessages(list);
    this.#search.repeat();
    if (!isExtended) this.#list.asJson.clear();
    this.#rebuild({ rendersAll: !isExtended });
  }

  /** Source of archived originals: `get(sessionId, id)`, for example a `SessionArchive`. */
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

  /** Sessions that may be read from the archive. @type {any} */
  get sessionId() {
    return this.#sessionId ?? this.getAttribute('session-id') ?? undefined;
  }

  set sessionId(sessionId) {
    this.#sessionId = sessionId;
    this.#allowSessions();
  }

  /** @param {string} [name] */
  attributeChangedCallback(name) {
    if (name === 'session-id') this.#allowSessions();
    else this.#list.refresh({ rendersAll: true });
  }

  #allowSessions() {
    this.#batches.allow([this.sessionId].flat().filter((id) => typeof id === 'string'));
    this.#loadOpen();
    this.#rebuild();
  }

  languageChanged() {
    const words = WORDS[this.language];
    this.#toolbar.setWords(words);
    this.#list.body.setAttribute('aria-label', words.conversation);
    this.#empty.textContent = words.empty;
    this.#list.refresh({ rendersAll: true });
  }

  /** Call this after the array or its messages were changed in place. */
  refresh() {
    this.messages = this.#messages;
    this.#list.refresh({ rendersAll: true });
  }

  update() {
    this.#toolbar.showTotals(this.#outline.totals);
    this.#toolbar.showPrompts(this.#outline.prompts);
    this.#showResult();
    const { rows } = this.#outline;
    this.#list.body.setAttribute('aria-busy', String(rows.some(({ kind }) => kind === 'loading')));
    if (rows.length > 0) this.#empty.remove();
    else this.#list.scroller.append(this.#empty);
  }

  /** Opens every compression. Resolves when archived originals are loaded too. */
  async expandAll() {
    do {
      for (const { row } of this.#outline.walk()) if (row.kind === 'point') this.#outline.openKeys.add(row.key);
      this.#rebuild({ rendersAll: true });
    } while (await this.#loadMissing());
    this.emit('expand-all');
  }

  collapseAll() {
    this.#outline.openKeys.clear();
    this.#rebuild({ rendersAll: true });
    this.emit('collapse-all');
  }

  /** Searches collapsed messages too; loads archived ones. @param {string} query @returns {Promise<number>} matches */
  async search(query) {
    if (this.#toolbar.field.value.trim() !== query.trim()) this.#toolbar.field.value = query;
    this.#search.begin(query);
    this.#list.refresh({ rendersAll: true });
    this.#showResult();
    const { pattern } = this.#search;
    while (pattern !== undefined && pattern === this.#search.pattern && (await this.#loadMissing())) {
      if (pattern === this.#search.pattern) this.#search.repeat();
    }
    this.#showResult();
    return this.#search.matches.length;
  }

  /**
   * Opens all compressions around the first message that is wanted, and focuses it; false if there is none.
   * @param {(message: any) => boolean} isWanted called for every message, collapsed ones included
   */
  reveal(isWanted) {
    for (const { row, path } of this.#outline.walk()) {
      if (!isWanted(row.level.messages[row.index])) continue;
      this.#goTo(row.key, path);
      return true;
    }
    return false;
  }

  /** Opens the compressions around a row and focuses it. @param {string} key @param {Path | undefined} path */
  #goTo(key, path) {
    this.#openAll(path);
    this.#rebuild();
    this.#list.focus(key, 'start');
  }

  /** Shows the next (1) or the previous (−1) match. @param {number} by */
  #stepTo(by) {
    const match = this.#search.step(by);
    if (match === undefined) return;
    this.#openAll(match.path);
    this.#list.asJson.delete(match.key);
    this.#rebuild({ rendersAll: true });
    this.#list.scrollToRow(match.key)?.querySelector('mark.current')?.scrollIntoView({ block: 'nearest' });
  }

  /** Opens the compressions on a path. @param {Path | undefined} path */
  #openAll(path) {
    for (let point = path; point !== undefined; point = point.outer) this.#outline.openKeys.add(point.key);
  }

  #showResult() {
    const notSearched = this.#search.pattern === undefined ? 0 : this.#outline.missingBatches().length;
    this.#toolbar.showResult(this.#search, notSearched);
  }

  /** Loads all archived originals. @returns {Promise<boolean>} true if anything was missing */
  async #loadMissing() {
    const wanted = this.#outline.missingBatches().filter((batch) => this.#batches.isWanted(batch));
    await this.#batches.loadAll(wanted);
    return wanted.length > 0;
  }

  /** @param {{ rendersAll?: boolean }} [options] */
  #rebuild(options) {
    this.#outline.rebuildRows();
    this.#list.refresh(options);
    this.requestUpdate();
  }

  /** @param {Exclude<Action, 'json'>} action @param {Row} row */
  #act(action, row) {
    if (action === 'toggle') this.#toggle(row.kind === 'point' ? row.key : row.parent);
    else if (action === 'copy') this.#copy(row);
    else if (action === 'retry') this.#load(this.#pointWithKey(row.parent), true);
    else if (row.index >= 0) {
      const { level, index, depth } = row;
      this.emit('message-activate', { message: level.messages[index], index, depth });
    }
  }

  /** @param {string} key */
  #pointWithKey(key) {
    return this.#outline.rows.find((row) => row.key === key && row.kind === 'point');
  }

  /** @param {string} key of a compression */
  #toggle(key) {
    const row = this.#pointWithKey(key);
    if (row === undefined) return;
    const { openKeys } = this.#outline;
    const isOpening = !openKeys.delete(key);
    if (isOpening) openKeys.add(key);
    this.#rebuild();
    // Render the row again, since it shows whether it is open.
    this.#list.renderAgain(key);
    /** @type {HTMLElement | null | undefined} */
    const disclosure = this.#list.scrollToRow(key)?.querySelector('.disclosure');
    disclosure?.focus({ preventScroll: true });
    if (isOpening) this.#load(row, false);
    const { id, kind, level, originalCount } = /** @type {Point} */ (row.point);
    this.emit(isOpening ? 'point-expand' : 'point-collapse', { id, kind, level, originalCount });
  }

  /** @param {Row | undefined} row @param {boolean} isRetry */
  #load(row, isRetry) {
    const batch = row && this.#outline.missingBatch(row);
    if (batch !== undefined) this.#batches.load(batch, { isRetry });
  }

  /** Loads archived originals of compressions that are already open. */
  #loadOpen() {
    const { rows, openKeys } = this.#outline;
    for (const row of rows) if (row.kind === 'point' && openKeys.has(row.key)) this.#load(row, false);
  }

  /** @param {Row} row */
  async #copy(row) {
    const words = WORDS[this.language];
    const json = this.#list.asJson.has(row.key) ? (asJson(row.level.messages[row.index]) ?? '') : undefined;
    const text = json ?? levels.allText(this.#outline.contentsOf(row));
    if (!this.emit('message-copy', { text }, { cancelable: true })) return;
    let result = words.copied;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      result = words.notCopied;
    }
    this.#status.textContent = result;
    this.#list.elementOf(row.key)?.querySelector('.action-copy')?.replaceChildren(result);
  }
}
