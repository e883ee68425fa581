// @ts-check
/**
 * The page of `palimpsest view`: the list of sessions, or one of them, which it follows while it grows.
 *
 * @import { Listed, Source } from './source.js'
 * @import { Language } from '../base/language.js'
 */
import '../elements.js';
import { h } from '../base/dom.js';
import { sessionList } from './session-list.js';
import { SessionView } from './session-view.js';
import { ownSource, SourceError } from './source.js';
import { WORDS } from './words.js';

const pollMs = 1_000;
const languageKey = 'palimpsest-language';

/** What was chosen, else what the browser prefers. @returns {Language} */
function firstLanguage() {
  const chosen = stored(languageKey) ?? navigator.language;
  return /^zh\b/i.test(chosen) ? 'zh' : 'en';
}

/** A page that was opened from disk may have no storage. @param {string} key */
function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

class Page {
  #source;
  #language = firstLanguage();
  #back = h('a', { href: '#' });
  #status = h('span', { class: 'status', role: 'status' });
  #choice = h('select', { onchange: () => this.#speak(/** @type {Language} */ (this.#choice.value)) });
  #main = h('main', {});
  /** @type {Listed[]} */
  #sessions = [];
  /** @type {{ view: SessionView, id: string, state: string | null } | null} */
  #open = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Source} source */
  constructor(source) {
    this.#source = source;
    for (const [value, name] of [
      ['en', 'English'],
      ['zh', '中文'],
    ]) {
      this.#choice.append(h('option', { value, selected: value === this.#language }, name));
    }
    const name = h('span', { class: 'name' }, 'palimpsest');
    document.body.replaceChildren(
      h('header', { class: 'bar' }, name, this.#back, this.#status, this.#choice),
      this.#main,
    );
    addEventListener('hashchange', () => this.#route());
    document.addEventListener('visibilitychange', () => this.#poll());
  }

  get #words() {
    return WORDS[this.#language];
  }

  async start() {
    this.#label();
    this.#main.replaceChildren(h('p', { class: 'empty' }, this.#words.loading));
    try {
      this.#sessions = await this.#source.sessions();
      await this.#route();
    } catch (error) {
      this.#say(error);
    }
  }

  /** @param {Language} language */
  #speak(language) {
    this.#language = language;
    try {
      localStorage.setItem(languageKey, language);
    } catch {
      // It holds for this page, then.
    }
    this.#label();
    this.#open = null;
    this.#route();
  }

  #label() {
    document.documentElement.lang = this.#language === 'zh' ? 'zh-CN' : 'en';
    this.#choice.setAttribute('aria-label', this.#words.language);
    this.#back.textContent = this.#words.allSessions;
  }

  async #route() {
    clearTimeout(this.#timer);
    const asked = new URLSearchParams(location.hash.slice(1)).get('session');
    const [only] = this.#sessions;
    const session = this.#sessions.find(({ id }) => id === asked) ?? (this.#sessions.length === 1 ? only : undefined);
    this.#back.hidden = this.#sessions.length < 2 || session === undefined;
    try {
      if (session === undefined) await this.#showList();
      else await this.#showSession(session);
    } catch (error) {
      this.#say(error);
    }
  }

  async #showList() {
    if (this.#open !== null) this.#sessions = await this.#source.sessions();
    this.#open = null;
    document.title = 'palimpsest';
    this.#status.textContent = '';
    const words = this.#words;
    // More sessions are read meanwhile, and those that there are grow.
    if (this.#source.isLive) this.#timer = setTimeout(() => this.#pollList(), pollMs);
    const heading = h('h1', {}, words.sessions);
    this.#main.replaceChildren(heading, h('p', { class: 'about' }), sessionList(this.#sessions, words, this.#language));
  }

  async #pollList() {
    if (this.#open !== null) return;
    try {
      const sessions = await this.#source.sessions();
      if (this.#open !== null) return;
      const isSame = JSON.stringify(sessions) === JSON.stringify(this.#sessions);
      this.#sessions = sessions;
      if (!isSame) return this.#showList();
      this.#timer = setTimeout(() => this.#pollList(), pollMs);
    } catch (error) {
      this.#say(error);
    }
  }

  /** @param {Listed} session */
  async #showSession(session) {
    if (this.#open?.id === session.id) return this.#poll();
    const view = new SessionView(this.#source, session, this.#words, this.#language);
    this.#open = { view, id: session.id, state: null };
    document.title = `${session.project ?? session.path} · palimpsest`;
    this.#main.replaceChildren(view.element);
    await this.#poll();
  }

  async #poll() {
    clearTimeout(this.#timer);
    const open = this.#open;
    if (open === null || document.visibilityState === 'hidden') return;
    try {
      const read = await this.#source.picture(open.id, open.state);
      // Meanwhile another session may have been opened.
      if (this.#open !== open) return;
      if (read !== null) {
        open.state = read.state;
        await open.view.show(read.picture);
      }
      this.#status.className = this.#source.isLive ? 'status is-live' : 'status';
      this.#status.textContent = this.#source.isLive ? this.#words.live : this.#words.exported;
    } catch (error) {
      this.#say(error);
      if (!(error instanceof SourceError) || error.reason !== 'refused') return;
    }
    if (this.#source.isLive && this.#open === open) this.#timer = setTimeout(() => this.#poll(), pollMs);
  }

  /** @param {unknown} error */
  #say(error) {
    if (!(error instanceof SourceError)) throw error;
    const words = this.#words;
    const text = { token: words.noToken, gone: words.ended, refused: error.message }[error.reason];
    this.#status.className = 'status is-wrong';
    this.#status.textContent = error.reason === 'token' ? '' : text;
    if (this.#open === null || error.reason === 'token')
      this.#main.replaceChildren(h('p', { class: 'empty', role: 'alert' }, text));
  }
}

await new Page(ownSource()).start();
