// @ts-check
/**
 * Base class of all elements: style sheets under a strict policy, batched updates, the language in effect. A page can
 * set each colour and size: `--palimpsest-…` sets `--_…`. The attribute `theme` overrides the page's `color-scheme`.
 * @typedef {'en' | 'zh'} Language
 */

/** The rules that all elements share. */
const THEME = `
:host {
  --_background: var(--palimpsest-background, light-dark(#ffffff, #16191f));
  --_surface: var(--palimpsest-surface, light-dark(#f5f7f9, #1e222a));
  --_text: var(--palimpsest-text, light-dark(#1b1f24, #e4e8ee));
  --_muted: var(--palimpsest-muted, light-dark(#57606a, #a2abb8));
  --_border: var(--palimpsest-border, light-dark(#d5dbe1, #363c47));
  --_accent: var(--palimpsest-accent, light-dark(#0b57b0, #7db4ff));
  --_on-accent: var(--palimpsest-on-accent, light-dark(#ffffff, #0d1420));
  --_good: var(--palimpsest-good, light-dark(#166b35, #6fd18f));
  --_warning: var(--palimpsest-warning, light-dark(#8a4b00, #f0b35c));
  --_warning-surface: var(--palimpsest-warning-surface, light-dark(#fff4e0, #33260f));
  --_danger: var(--palimpsest-danger, light-dark(#b3261e, #ff8f85));
  --_match: var(--palimpsest-match, light-dark(#ffe27a, #6b5600));
  --_match-current: var(--palimpsest-match-current, light-dark(#ffab4a, #a65f00));
  --_kind-system: var(--palimpsest-kind-system, light-dark(#475569, #a3b1c6));
  --_kind-user: var(--palimpsest-kind-user, light-dark(#0b57b0, #6aa8ff));
  --_kind-assistant: var(--palimpsest-kind-assistant, light-dark(#166b35, #58c27d));
  --_kind-call: var(--palimpsest-kind-call, light-dark(#8a4b00, #e3a048));
  --_kind-result: var(--palimpsest-kind-result, light-dark(#b45309, #f0b979));
  --_kind-summary: var(--palimpsest-kind-summary, light-dark(#6d3fc4, #b794ff));
  --_font: var(--palimpsest-font, system-ui, -apple-system, "Segoe UI", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif);
  --_mono: var(--palimpsest-mono, ui-monospace, "SFMono-Regular", Menlo, Consolas, "Noto Sans Mono CJK SC", monospace);
  --_size: var(--palimpsest-font-size, 14px);
  --_radius: var(--palimpsest-radius, 8px);
  display: block; box-sizing: border-box; color: var(--_text); font: var(--_size) / 1.5 var(--_font); text-align: start;
}
:host([hidden]) { display: none; }
:host([theme='light']) { color-scheme: light; }
:host([theme='dark']) { color-scheme: dark; }
:host([theme='auto']) { color-scheme: light dark; }
*, ::before, ::after { box-sizing: border-box; }
button, input, select { font: inherit; color: inherit; }
button {
  min-height: 28px; padding: 2px 10px; border: 1px solid var(--_border); border-radius: 6px;
  background: var(--_background); white-space: nowrap; cursor: pointer;
}
button:hover:not(:disabled) { border-color: var(--_accent); }
button:disabled { cursor: default; color: var(--_muted); }
button.primary { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
.visually-hidden {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0;
  overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;

/** @type {Map<string, CSSStyleSheet>} */ const sheets = new Map();

/** Elements with the same rules share a style sheet. @param {string} rules */
export function sheetOf(rules) {
  const known = sheets.get(rules);
  if (known !== undefined) return known;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  sheets.set(rules, sheet);
  return sheet;
}

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
    // Properties that were set before the element was defined hide the class's accessors: set them again.
    for (const name of /** @type {typeof PalimpsestElement} */ (this.constructor).properties) {
      if (!Object.hasOwn(this, name)) continue;
      const value = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
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
