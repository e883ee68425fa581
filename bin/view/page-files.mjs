// @ts-check
/** The files that the server serves; a fixed list, so no path can reach other files. */
import { existsSync, readFileSync } from 'node:fs';

const folder = new URL('../../ui/dist/', import.meta.url);
const missing = 'the page has not been bundled; in a clone of the repository, `npm start -- view` does it';

/** @param {string} name */
function read(name) {
  const place = new URL(name, folder);
  if (!existsSync(place)) throw new Error(missing);
  return readFileSync(place, 'utf8');
}

/** @returns {{ html: string, script: string, style: string }} */
export function pageSources() {
  return { html: read('page.html'), script: read('page.js'), style: read('page.css') };
}

/** Loads the bill renderer, which the page also uses. @returns {Promise<{ billPicture: (picture: import('../../ui/picture.js').SessionPicture, language: 'en' | 'zh') => string }>} */
export function pictureMaker() {
  return import(new URL('bill-picture.js', folder).href);
}

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
