// @ts-check
/**
 * Creates DOM nodes. Input is never parsed as HTML. The attribute `style` throws: a strict Content-Security-Policy
 * blocks it, and browsers report that only in their console.
 */

/** @typedef {Node | string | number | null | undefined | false} Child null, undefined and false are skipped */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */
/** @typedef {[first?: Attributes | Child | Child[], ...rest: (Child | Child[])[]]} Content attributes first, if any */

/** @template {string} Selector @typedef {Selector extends `${infer Name}.${string}` ? Name : Selector} NameIn */
/**
 * @template Elements @template {string} Selector
 * @typedef {NameIn<Selector> extends keyof Elements ? Elements[NameIn<Selector>] : never} ElementIn
 */

/**
 * Creates an HTML element from its name and classes: `h('a.link', { href, onclick }, 'text')`. A button never submits.
 * @template {string} Selector @param {Selector} selector @param {Content} content
 * @returns {ElementIn<HTMLElementTagNameMap, Selector>}
 */
export function h(selector, ...content) {
  const element = withContent((name) => document.createElement(name), selector, content);
  if (element instanceof HTMLButtonElement) element.type = 'button';
  return /** @type {any} */ (element);
}

/**
 * Creates an SVG element, as {@link h}.
 * @template {string} Selector @param {Selector} selector @param {Content} content
 * @returns {ElementIn<SVGElementTagNameMap, Selector>}
 */
export function svg(selector, ...content) {
  const create = (/** @type {string} */ name) => document.createElementNS('http://www.w3.org/2000/svg', name);
  return /** @type {any} */ (withContent(create, selector, content));
}

/** @param {(name: string) => Element} create @param {string} selector @param {Content} content */
function withContent(create, selector, [first, ...rest]) {
  const [name = '', ...classes] = selector.split('.');
  const element = create(name);
  if (classes.length > 0) element.setAttribute('class', classes.join(' '));
  const isChild = typeof first !== 'object' || first === null || first instanceof Node || Array.isArray(first);
  if (!isChild) setAttributes(element, first);
  for (const child of (isChild ? [first, ...rest] : rest).flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** Keeps SVG paths short. @param {number} length CSS pixels */
export const rounded = (length) => Math.round(length * 10) / 10;

/** True sets an empty value; false and null remove it. @param {Element} element @param {Attributes} attributes */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'style') throw new TypeError('style: expected a class, a part or a property of element.style');
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else if (name.startsWith('on')) throw new TypeError(`${name}: expected a function`);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

/** The focus moves to the node with its `data-key`. @param {Element} parent @param {readonly Element[]} children */
export function replaceKeepingFocus(parent, children) {
  const { activeElement } = document;
  const key = parent.contains(activeElement) ? activeElement?.getAttribute('data-key') : null;
  parent.replaceChildren(...children);
  if (typeof key !== 'string') return;
  /** @type {HTMLElement | null} */ (parent.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus({
    preventScroll: true,
  });
}
