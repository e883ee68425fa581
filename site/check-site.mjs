// @ts-check
/** Checks the built site: each link must lead to an existing page and anchor, and no page may load from another host. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { BASE } from './pages.mjs';

/** An address on another host. */
const FOREIGN = /^(?:[a-z]+:)?\/\//i;

/** @typedef {{ ids: Set<string>, links: string[], loaded: string[] }} Page anchors, link targets and loaded resources */

/** @param {string} text @returns {string} */
function unescaped(text) {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}

/** @param {string} html @returns {Page} */
function readPage(html) {
  const markup = html.replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, (script) =>
    script.slice(0, script.indexOf('>') + 1),
  );
  /** @param {RegExp} pattern */
  const all = (pattern) => Array.from(markup.matchAll(pattern), ([, value = '']) => unescaped(value));
  return {
    ids: new Set(all(/<[^>]*? (?:id|name)="([^"]*)"/g)),
    links: all(/<a\b[^>]*? href="([^"]*)"/g),
    loaded: [...all(/<(?!a\b)[a-z]+\b[^>]*? (?:src|href|poster|data)="([^"]*)"/g), ...all(/ srcset="([^" ]*)/g)],
  };
}

/** @param {string} site the folder @returns {Map<string, Page>} by path */
export function pagesOf(site) {
  const names = readdirSync(site, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const paths = names.filter((name) => name.endsWith('.html')).sort();
  return new Map(paths.map((path) => [path, readPage(readFileSync(join(site, path), 'utf8'))]));
}

/** @param {string} site @returns {string[]} one sentence per fault, with its page */
export function faultsOf(site) {
  const pages = pagesOf(site);
  return [...pages].flatMap(([path, { links, loaded }]) => {
    const broken = links.filter((link) => isBroken(site, pages, path, link));
    const foreign = loaded.filter((address) => FOREIGN.test(address));
    const missing = loaded.filter(
      (address) => !/^(data:|[a-z]*:?\/\/)/i.test(address) && isBroken(site, pages, path, address),
    );
    return [
      ...new Set([
        ...broken.map((link) => `${path}: ${link} leads nowhere`),
        ...missing.map((address) => `${path}: ${address} is loaded, but is not there`),
        ...foreign.map((address) => `${path}: ${address} is asked of another host`),
      ]),
    ];
  });
}

/** @param {string} site @param {Map<string, Page>} pages @param {string} pagePath @param {string} link */
function isBroken(site, pages, pagePath, link) {
  if (/^[a-z]+:/i.test(link)) return false;
  const [path = '', anchor] = link.split('#');
  const absolute = path.startsWith('/')
    ? path
    : posix.join(BASE, path === '' ? pagePath : posix.join(posix.dirname(pagePath), path));
  if (!absolute.startsWith(BASE)) return true;
  const inSite = decodeURI(absolute.slice(BASE.length));
  const target = inSite === '' || inSite.endsWith('/') ? `${inSite}index.html` : inSite;
  const page = pages.get(target);
  if (page === undefined) return !existsSync(join(site, target));
  return anchor !== undefined && anchor !== '' && !page.ids.has(decodeURIComponent(anchor));
}
