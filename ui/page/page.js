// @ts-check
/**
 * The page of `palimpsest view`: all sessions, or one session, which it follows while it grows.
 * @import { Choices } from './home/selection.js'
 * @import { Listed, Listing, Source } from './source.js'
 * @import { Language } from '../base/element.js'
 * @typedef {{ thread: number, request: number | null, message: number | null }} Place indexes, from 0; `request` null
 *   follows the newest, `message` null: no message is open
 * @typedef {{ view: SessionView, id: string, version: string | null }} OpenSession
 */
import '../elements.js';
import { h } from '../base/dom.js';
import { languageNamed, sheetOf } from '../base/element.js';
import { Home } from './home/home.js';
import { SessionView } from './session-view.js';
import { pageSource, SourceError } from './source.js';
import { PAGE_STYLES } from './styles.js';
import { WORDS } from './words.js';

/** Time between requests for changes. */ const POLL_MS = 1_000;
/** Minimum time between changes of the address: browsers limit their number, and a slider makes more. */ const ADDRESS_MS = 200;
const LANGUAGE_KEY = 'palimpsest-language';

/** The stored choice, else the browser's language. */
function firstLanguage() {
  let chosen = null;
  try {
    chosen = localStorage.getItem(LANGUAGE_KEY);
  } catch {
    // A page that was opened from disk may have no storage.
  }
  return languageNamed(chosen ?? navigator.language);
}

class Page {
  #language = firstLanguage();
  #backLink = h('a', { href: '#' });
  #status = h('span.status', { role: 'status' });
  #languageSelect = h('select', {
    onchange: () => this.#setLanguage(/** @type {Language} */ (this.#languageSelect.value)),
  });
  #main = h('main');
  /** @type {Listing | null} */ #listing = null;
  /** Its version at the source. @type {string | null} */ #listingVersion = null;
  /** @type {Home | null} */ #home = null;
  /** @type {Choices} */ #homeChoices = { period: 'all', text: '', order: 'lastMs', isRising: false };
  /** Scroll offset of the home page in px, restored on return. */ #homeScroll = 0;
  /** @type {OpenSession | null} */ #open = null;
  /** Number of navigations: after a wait, another number means that something else is shown. */
  #navigationCount = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #pollTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #addressTimer;

  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    for (const [value, name] of Object.entries({ en: 'English', zh: '中文' })) {
      this.#languageSelect.append(h('option', { value, selected: value === this.#language }, name));
    }
    const name = h('span.name', 'palimpsest');
    const bar = h('header.bar', name, this.#backLink, this.#status, this.#languageSelect);
    document.body.replaceChildren(bar, this.#main);
    addEventListener('hashchange', () => this.#route());
    document.addEventListener('visibilitychange', () => this.#poll());
  }

  get #words() {
    return WORDS[this.#language];
  }

  async start() {
    this.#showLabels();
    this.#main.replaceChildren(h('p.empty', this.#words.loading));
    const error = await this.#reporting(() => this.#readListing());
    if (error === null) await this.#route();
    else if (error.reason === 'refused') this.#pollLater();
  }

  /** @param {() => Promise<unknown>} task @returns {Promise<SourceError | null>} its error, which the page then shows */
  async #reporting(task) {
    try {
      await task();
      return null;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const text = { token: this.#words.noToken, gone: this.#words.ended, refused: error.message }[error.reason];
      const hasToken = error.reason !== 'token';
      this.#status.className = 'status is-wrong';
      this.#status.textContent = hasToken ? text : '';
      const isEmpty = this.#open === null && this.#home === null;
      if (isEmpty || !hasToken) this.#main.replaceChildren(h('p.empty', { role: 'alert' }, text));
      return error;
    }
  }

  /** @param {Language} language */
  #setLanguage(language) {
    this.#language = language;
    try {
      localStorage.setItem(LANGUAGE_KEY, language);
    } catch {
      // Without storage the choice applies to this page only.
    }
    this.#showLabels();
    this.#open = null;
    this.#home = null;
    this.#route();
  }

  #showLabels() {
    document.documentElement.lang = this.#language === 'zh' ? 'zh-CN' : 'en';
    this.#languageSelect.setAttribute('aria-label', this.#words.languageLabel);
    this.#backLink.textContent = this.#words.allSessions;
  }

  /** Shows what the address names. */
  async #route() {
    this.#navigationCount += 1;
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#addressTimer);
    const { session: wantedId } = placeIn(location.hash);
    const { sessions = [], failures = [], outside = 0, passedOver = 0, reading = null } = this.#listing ?? {};
    const isNothingElse = reading === null && failures.length === 0 && outside === 0 && passedOver === 0;
    // Opens without the home page if there is nothing else to show there.
    const only = isNothingElse && sessions.length === 1 ? sessions[0] : undefined;
    const session = sessions.find(({ id }) => id === wantedId) ?? only;
    this.#backLink.hidden = session === undefined || session === only;
    await this.#reporting(() => (session === undefined ? this.#showHome() : this.#showSession(session)));
  }

  /** @returns {Promise<boolean>} true if the listing changed */
  async #readListing() {
    const read = await this.source.sessions(this.#listingVersion);
    if (read === null) return false;
    this.#listing = read.value;
    this.#listingVersion = read.version;
    return true;
  }

  async #showHome() {
    const previous = this.#open;
    this.#open = null;
    document.title = 'palimpsest';
    this.#status.textContent = '';
    if (previous !== null) {
      const navigation = this.#navigationCount;
      const error = await this.#reporting(() => this.#readListing());
      if (this.#navigationCount !== navigation || error?.reason === 'token') return;
    }
    this.#home ??= new Home(this.#words, this.#homeChoices);
    if (this.#listing !== null) this.#home.show(this.#listing);
    this.#main.replaceChildren(this.#home.element);
    if (previous !== null) {
      scrollTo(0, this.#homeScroll);
      this.#restoreFocus(`[data-key="${previous.id}"]`);
    }
    this.#pollLater();
  }

  /** Updates what is shown, again and again: sessions are added and grow. */
  async #poll() {
    clearTimeout(this.#pollTimer);
    if (document.visibilityState === 'hidden') return;
    const open = this.#open;
    const navigation = this.#navigationCount;
    const isCurrent = () => this.#open === open && (open !== null || this.#navigationCount === navigation);
    const error = await this.#reporting(() => this.#update(open, isCurrent));
    if (isCurrent() && (error === null || error.reason === 'refused')) this.#pollLater();
  }

  #pollLater() {
    clearTimeout(this.#pollTimer);
    if (this.source.isLive) this.#pollTimer = setTimeout(() => this.#poll(), POLL_MS);
  }

  /** @param {OpenSession | null} open null: the home page @param {() => boolean} isCurrent false if another is shown */
  async #update(open, isCurrent) {
    if (open === null) {
      const hasChanged = await this.#readListing();
      if (!isCurrent()) return;
      this.#status.textContent = '';
      if (this.#home === null) await this.#route();
      else if (hasChanged && this.#listing !== null) this.#home.show(this.#listing);
      return;
    }
    const read = await this.source.picture(open.id, open.version);
    if (!isCurrent()) return;
    if (read !== null) {
      open.version = read.version;
      await open.view.show(read.value);
    }
    this.#status.className = this.source.isLive ? 'status is-live' : 'status';
    this.#status.textContent = this.source.isLive ? this.#words.live : this.#words.exported;
  }

  /** @param {Listed} session */
  async #showSession(session) {
    const { place } = placeIn(location.hash);
    const isOpen = () => this.#open?.id === session.id;
    if (isOpen()) return this.#open?.view.goTo(place).then(() => (isOpen() ? this.#poll() : undefined));
    if (this.#home?.element.isConnected) this.#homeScroll = scrollY;
    const view = new SessionView(this.source, session, this.#words, (newPlace) => {
      clearTimeout(this.#addressTimer);
      // The user may have opened another session in the meantime.
      if (!isOpen()) return;
      const address = location.hash;
      this.#addressTimer = setTimeout(() => {
        // A link that was just followed has changed the address, and its event may come after this timer.
        if (location.hash === address) history.replaceState(null, '', hashOf(session.id, newPlace));
      }, ADDRESS_MS);
    });
    this.#open = { view, id: session.id, version: null };
    document.title = `${session.project ?? session.path} · palimpsest`;
    this.#main.replaceChildren(view.element);
    scrollTo(0, 0);
    await this.#poll();
    await view.goTo(place);
    if (this.#home !== null) this.#restoreFocus('h1');
  }

  /** Moves the focus to `selector` if the focused element was removed. @param {string} selector */
  #restoreFocus(selector) {
    if (document.activeElement !== document.body) return;
    /** @type {HTMLElement | null} */ (this.#main.querySelector(selector))?.focus({ preventScroll: true });
  }
}

/** What the address names; its numbers start at 1, and invalid ones are ignored. @param {string} hash */
function placeIn(hash) {
  const params = new URLSearchParams(hash.slice(1));
  const indexOf = (/** @type {string} */ name) => {
    const text = params.get(name) ?? '';
    return /^[1-9]\d{0,8}$/.test(text) ? Number(text) - 1 : null;
  };
  const place = { thread: indexOf('thread') ?? 0, request: indexOf('request'), message: indexOf('message') };
  return { session: params.get('session'), place };
}

/** The address that shows a place, for reloads and links. @param {string} session @param {Place} place */
function hashOf(session, { thread, request, message }) {
  const hash = new URLSearchParams({ session });
  if (thread > 0) hash.set('thread', String(thread + 1));
  if (request !== null) hash.set('request', String(request + 1));
  if (message !== null) hash.set('message', String(message + 1));
  return `#${hash}`;
}

document.adoptedStyleSheets = [sheetOf(PAGE_STYLES)];
await new Page(pageSource()).start();
