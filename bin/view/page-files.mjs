/** The files of the page. A fixed list is served, so no path can reach other files. */
import { existsSync, readFileSync } from 'node:fs';

const folder = new URL('../../ui/dist/', import.meta.url);

/** @param {string} name */
function read(name) {
  const url = new URL(name, folder);
  if (existsSync(url)) return readFileSync(url, 'utf8');
  throw new Error('the page has not been bundled; in a clone of the repository, `npm start -- view` does it');
}

export const pageSources = () => ({ html: read('page.html'), script: read('page.js'), style: read('page.css') });

/**
 * Loads what draws the bill as SVG; the page also uses it.
 * @returns {Promise<{ billPicture: (picture: import('../../ui/picture.js').SessionPicture, language: 'en' | 'zh') => string }>}
 */
export const loadBillRenderer = () => import(new URL('bill-picture.js', folder).href);

/** By path. @returns {ReadonlyMap<string, { type: string, content: string }>} */
export function pageFiles() {
  const { html, script, style } = pageSources();
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', content: html }],
    ['/page.js', { type: 'text/javascript; charset=utf-8', content: script }],
    ['/page.css', { type: 'text/css; charset=utf-8', content: style }],
    // Browsers request it unasked.
    ['/favicon.ico', { type: 'image/x-icon', content: '' }],
  ]);
}
