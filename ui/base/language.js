// @ts-check
/** Finds the language in which an element shows its texts, and watches it. */

/** @typedef {'en' | 'zh'} Language */

/**
 * The nearest `lang` of the element and its ancestors, else the browser's language.
 * @param {Element} element @returns {Language}
 */
export function languageOf(element) {
  for (const node of ancestors(element)) {
    const lang = node instanceof Element ? node.getAttribute('lang') : null;
    if (lang !== null && lang !== '') return languageNamed(lang);
  }
  return languageNamed(globalThis.navigator?.language ?? 'en');
}

/** @param {string} name such as `zh-Hans-CN` @returns {Language} */
function languageNamed(name) {
  return /^zh\b/i.test(name) ? 'zh' : 'en';
}

/**
 * Watches `lang` on all ancestors, across shadow trees.
 * @param {Element} element connected @param {() => void} changed @returns {() => void} stops watching
 */
export function watchLanguage(element, changed) {
  const observer = new MutationObserver(changed);
  const roots = new Set([...ancestors(element)].map((node) => node.getRootNode()));
  for (const root of roots) observer.observe(root, { attributes: true, attributeFilter: ['lang'], subtree: true });
  return () => observer.disconnect();
}

/** @param {Node} start @returns {Generator<Node>} starts with `start`; a shadow root is followed by its host */
function* ancestors(start) {
  for (let node = /** @type {Node | null} */ (start); node !== null; ) {
    yield node;
    node = node.parentNode ?? (node instanceof ShadowRoot ? node.host : null);
  }
}
