// @ts-check
/**
 * Base class of all elements: style sheets under a strict policy, batched updates, the language in effect.
 * @typedef {'en' | 'zh'} Language
 */
import { sheetOf, THEME } from './theme.js';

/** Without a DOM, as in server-side rendering, the import must not fail. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

export class PalimpsestElement extends Base {
  /** CSS rules, appended to the theme's. */ static styles = '';
  /** Properties that may be set before the element is defined. @type {readonly string[]} */
  static properties = [];
  /** @type {readonly string[]} */ static observedAttributes = [];

  /** @type {ShadowRoot} */ root;
  /** @type {Language} */ language = 'en';
  /** The scheduled update. @type {Promise<void> | undefined} */ #queued;
  /** Watches the `lang` of all ancestors while the element is connected. */
  #languageObserver = new MutationObserver(() => {
    const language = languageOf(this);
    if (language === this.language) return;
    this.language = language;
    this.languageChanged();
    this.requestUpdate();
  });

  constructor() {
    super();
    this.root = this.attachShadow({ mode: 'open' });
    const { styles } = /** @type {typeof PalimpsestElement} */ (this.constructor);
    this.root.adoptedStyleSheets = [sheetOf(THEME), sheetOf(styles)];
  }

  connectedCallback() {
    this.#applyEarlyProperties();
    this.language = languageOf(this);
    for (const root of new Set([...ancestors(this)].map((node) => node.getRootNode()))) {
      this.#languageObserver.observe(root, { attributes: true, attributeFilter: ['lang'], subtree: true });
    }
    this.languageChanged();
    this.requestUpdate();
  }

  disconnectedCallback() {
    this.#languageObserver.disconnect();
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

  /** Subclasses render here what depends only on the language. Called on connection and changes, before `update`. */
  languageChanged() {}

  /**
   * Dispatches a `CustomEvent` that bubbles out of the shadow tree.
   * @param {string} name @param {unknown} [detail] @param {{ cancelable?: boolean }} [options]
   * @returns {boolean} false when a listener has called `preventDefault`
   */
  emit(name, detail, { cancelable = false } = {}) {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  }

  /** Sets properties again that were set before the element was defined: those hide the class's accessors. */
  #applyEarlyProperties() {
    const { properties } = /** @type {typeof PalimpsestElement} */ (this.constructor);
    for (const name of properties) {
      if (!Object.hasOwn(this, name)) continue;
      const value = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
  }
}

/** The nearest `lang` of an element and its ancestors, else the browser's language. @param {Element} element */
function languageOf(element) {
  const names = [...ancestors(element)].map((node) => (node instanceof Element ? node.getAttribute('lang') : null));
  return languageNamed(names.find(Boolean) ?? globalThis.navigator?.language ?? 'en');
}

/** @param {string} name such as `zh-Hans-CN` @returns {Language} */
export function languageNamed(name) {
  return /^zh\b/i.test(name) ? 'zh' : 'en';
}

/** @param {Node} start @returns {Generator<Node>} starts with `start`; a shadow root is followed by its host */
function* ancestors(start) {
  for (let node = /** @type {Node | null} */ (start); node !== null; ) {
    yield node;
    node = node.parentNode ?? (node instanceof ShadowRoot ? node.host : null);
  }
}
