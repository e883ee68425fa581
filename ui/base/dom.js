// @ts-check
/**
 * Creates DOM nodes and replaces children. Input is never parsed as HTML. The attribute `style` throws: a strict
 * Content-Security-Policy blocks it, and browsers report that only in their console.
 */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Creates an HTML element.
 * @template {keyof HTMLElementTagNameMap} Name @param {Name} name
 * @param {Attributes} [attributes] functions are added as listeners (`onclick`); false, null and undefined are skipped
 * @param {...(Child | Child[])} children @returns {HTMLElementTagNameMap[Name]}
 */
export function h(name, attributes = {}, ...children) {
  return withContent(document.createElement(name), attributes, children);
}

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name @param {Attributes} [attributes] @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, attributes = {}, ...children) {
  return withContent(/** @type {any} */ (document.createElementNS(SVG, name)), attributes, children);
}

/** @template {Element} T @param {T} element @param {Attributes} attributes @param {(Child | Child[])[]} children */
function withContent(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(isNode(child) ? child : String(child));
  }
  return element;
}

/** @param {Child} child @returns {child is Node} */
function isNode(child) {
  return typeof child === 'object' && child !== null;
}

/** @param {Element} element @param {string} name @param {Attributes[string]} value */
export function setAttribute(element, name, value) {
  if (name === 'style')
    throw new TypeError('style: expected the attribute class or part, or a property of element.style');
  if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value);
  else if (value === true) element.setAttribute(name, '');
  else if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}

/**
 * Replaces all children, unless they are the same nodes already.
 * @param {ParentNode} parent @param {...Child} children
 */
export function setChildren(parent, ...children) {
  const nodes = children.filter((child) => child !== null && child !== undefined && child !== false);
  const same =
    parent.childNodes.length === nodes.length && nodes.every((node, index) => parent.childNodes[index] === node);
  if (!same)
    parent.replaceChildren(.../** @type {(Node | string)[]} */ (nodes.map((n) => (isNode(n) ? n : String(n)))));
}

/**
 * Replaces all children. The focus moves to the new element with the `data-key` of the focused one.
 * @param {Element} parent @param {readonly Element[]} children
 */
export function replaceKeepingFocus(parent, children) {
  const { activeElement } = document;
  const key = parent.contains(activeElement) ? activeElement?.getAttribute('data-key') : null;
  parent.replaceChildren(...children);
  if (key === null || key === undefined) return;
  const same = [...parent.querySelectorAll('[data-key]')].find((element) => element.getAttribute('data-key') === key);
  if (same !== undefined) /** @type {HTMLElement} */ (same).focus({ preventScroll: true });
}
