// @ts-check
import { languageOf, watchLanguage } from './language.js';
import { sheetOf, themeSheet } from './theme.js';

/** Base class of all elements: style sheets that a strict Content-Security-Policy allows, batched updates, the language in effect. */

/** Server-side rendering imports the elements without a DOM. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

export class PalimpsestElement extends Base {
  /** CSS rules, appended to the theme's. */
  static styles = '';
  /** Properties that may be set before the element is defined. @type {readonly string[]} */
  static properties = [];
  /** @type {readonly string[]} */
  static observedAttributes = [];

  /** @type {ShadowRoot} */ root;
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
    this.languageChanged();
    this.requestUpdate();
  }

  disconnectedCallback() {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  attributeChangedCallback() {
    this.requestUpdate();
  }

  /** Schedules one update for all changes of the current task. */
  requestUpdate() {
    this.#queued ??= Promise.resolve().then(() => {
      this.#queued = undefined;
      if (this.isConnected) this.update();
    });
  }

  /** Resolves when all earlier changes are rendered. */
  get updateComplete() {
    return this.#queued ?? Promise.resolve();
  }

  /** Subclasses render into the shadow tree here. */
  update() {}

  /** Subclasses render what only depends on the language here, also after the element was connected; `update` follows. */
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

  /** A property that was set before the element was defined hides the class's accessor. */
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

/** If a page loads two copies of this module, the first one wins. @param {string} name @param {typeof PalimpsestElement} element */
export function define(name, element) {
  const registry = globalThis.customElements;
  if (registry !== undefined && registry.get(name) === undefined) registry.define(name, element);
}
