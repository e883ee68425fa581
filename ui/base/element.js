// @ts-check
import { languageOf, watchLanguage } from './language.js';
import { sheetOf, themeSheet } from './theme.js';

/** The base of all elements: style sheets that a strict Content-Security-Policy allows, one update for a turn's changes, the place's language. */

/** Servers that render pages import the elements, too, and have no DOM. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

export class PalimpsestElement extends Base {
  /** Follow the theme's rules. */
  static styles = '';
  /** Properties that may have been set before the element was defined. @type {readonly string[]} */
  static properties = [];
  /** @returns {readonly string[]} */
  static get observedAttributes() {
    return [];
  }

  /** The shadow tree. @type {ShadowRoot} */ root;
  /** @type {'en' | 'zh'} */ language = 'en';
  /** @type {Promise<void> | undefined} */ #queued;
  /** @type {(() => void) | undefined} */ #unwatch;

  constructor() {
    super();
    this.root = this.attachShadow({ mode: 'open' });
    const { styles } = /** @type {typeof PalimpsestElement} */ (this.constructor);
    this.root.adoptedStyleSheets = [themeSheet(), sheetOf(styles)];
  }

  connectedCallback() {
    this.#takeEarlyProperties();
    this.language = languageOf(this);
    this.#unwatch = watchLanguage(this, () => {
      const language = languageOf(this);
      if (language === this.language) return;
      this.language = language;
      this.languageChanged();
      this.requestUpdate();
    });
    this.requestUpdate();
  }

  disconnectedCallback() {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  attributeChangedCallback() {
    this.requestUpdate();
  }

  /** One update follows all changes of a turn. */
  requestUpdate() {
    this.#queued ??= Promise.resolve().then(() => {
      this.#queued = undefined;
      if (this.isConnected) this.update();
    });
  }

  /** Resolves when earlier changes can be seen. */
  get updateComplete() {
    return this.#queued ?? Promise.resolve();
  }

  /** Elements bring their shadow tree up to date here. */
  update() {}

  /** Elements drop what was made in the old language here; `update` follows. */
  languageChanged() {}

  /**
   * @param {string} name
   * @param {unknown} [detail]
   * @param {{ cancelable?: boolean }} [how]
   * @returns {boolean} false when a listener has called `preventDefault`
   */
  emit(name, detail, { cancelable = false } = {}) {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  }

  /** A property that was set on the plain element hides the class's accessor. */
  #takeEarlyProperties() {
    const { properties } = /** @type {typeof PalimpsestElement} */ (this.constructor);
    for (const name of properties) {
      if (!Object.hasOwn(this, name)) continue;
      const value = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
  }
}

/** Two copies of this module may meet on a page: the first wins. @param {string} name @param {typeof PalimpsestElement} element */
export function define(name, element) {
  const registry = globalThis.customElements;
  if (registry !== undefined && registry.get(name) === undefined) registry.define(name, element);
}
