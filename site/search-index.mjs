// @ts-check
/** Builds the site's search indexes, one per group of pages, with an entry for each section of each page. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { INDEX_OPTIONS } from './search-options.mjs';

/** Groups of pages, by patterns of their paths. @type {[group: string, pattern: RegExp][]} */
const GROUPS = [
  ['api', /^api\//],
  ['project', /^(spec\/|(architecture|changelog|contributing|notice|security)\.html$)/],
  ['zh', /^zh\//],
  ['guide', /^/],
];
/** An API member is one entry: headings for its parameters and return value don't start a new one. */
const HEADING = /<h([1-6]) id="([^"]*)"[^>]*>([\s\S]*?)<\/h\1>/g;
/** Tags that don't separate words. */
const INLINE = /<\/?(?:a|b|code|em|i|span|strong)(?: [^>]*)?>/g;
const INHERITED = / Inherited from /;
/** Level of the smallest headings that start an entry on API pages. */
const DEEPEST_OF_API = 3;

/** The text of HTML, without buttons and icons. @param {string} html @returns {string} */
function textOf(html) {
  const text = html
    .replaceAll(/<(button|svg|span class="lang")[\s\S]*?<\/(?:button|svg|span)>/g, ' ')
    .replaceAll(INLINE, '')
    .replaceAll(/<[^>]*>/g, ' ');
  const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  const plain = text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => Reflect.get(entities, name));
  return plain
    .replaceAll(/\u200b/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** @param {RegExpExecArray | undefined} heading */
function titleOf(heading) {
  return textOf(heading?.[3]?.replace(/<a class="header-anchor[\s\S]*/, '') ?? '');
}

/**
 * The entries of a page, one for each section.
 * @param {string} path of the page on the site
 * @param {string} html
 * @returns {{ id: string, title: string, page: string, text: string }[]}
 */
function sectionsOf(path, html) {
  // A home page has no `main`.
  const main = /<main[\s\S]*?<\/main>|<div class="VPHome"[\s\S]*?(?=<footer|<script|$)/.exec(html)?.[0] ?? '';
  const deepest = path.startsWith('api/') ? DEEPEST_OF_API : 6;
  const headings = Array.from(main.matchAll(HEADING)).filter(([, level]) => Number(level) <= deepest);
  const isHome = !main.startsWith('<main');
  const page = isHome ? 'palimpsest' : titleOf(headings[0]);
  const sections = headings.map((heading, index) => {
    const [whole, , anchor] = heading;
    const text = textOf(main.slice(heading.index + whole.length, headings[index + 1]?.index));
    const isFirst = index === 0 && !isHome;
    return { id: isFirst ? path : `${path}#${anchor}`, title: titleOf(heading), page: isFirst ? '' : page, text };
  });
  if (isHome) sections.unshift({ id: path, title: page, page: '', text: textOf(main.slice(0, headings[0]?.index)) });
  // Index inherited members only where they are declared, instead of six times.
  return sections.filter(({ text }) => !INHERITED.test(text));
}

/** @param {string} site folder of the built site */
function indexSite(site) {
  const indexes = new Map(GROUPS.map(([name]) => [name, new MiniSearch(INDEX_OPTIONS)]));
  const names = readdirSync(site, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  for (const path of names.filter((name) => name.endsWith('.html') && name !== '404.html').sort()) {
    const [group = ''] = GROUPS.find(([, pattern]) => pattern.test(path)) ?? [];
    indexes.get(group)?.addAll(sectionsOf(path, readFileSync(join(site, path), 'utf8')));
  }
  mkdirSync(join(site, 'search'), { recursive: true });
  for (const [name, index] of indexes) writeFileSync(join(site, 'search', `${name}.json`), JSON.stringify(index));
}

indexSite(process.argv[2] ?? '');
