// @ts-check
/** Converts links between repository files to links between pages of the site. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { addressOf, repository, sitePathOf } from './pages.mjs';
import { shortTitleOf } from './sidebar.mjs';

/** The repository's address. */
export const SOURCES = 'https://github.com/palimpsest-dev/palimpsest';
/** Folders of API pages within their entry's. */
const KINDS = ['classes', 'functions', 'variables'];

/** @typedef {{ path: string, realPath?: string }} Environment VitePress's data about the page */
/** @typedef {any} Token of markdown-it; untyped because it is installed only in `site/` */

/** @param {Environment} env @returns {string} the page's file in the repository */
function fileOf({ path, realPath = path }) {
  return relative(repository, realPath).replaceAll('\\', '/');
}

/**
 * @param {string} file in the repository
 * @param {string} href as written in the file
 * @returns {string} the link on the site, without the base
 * @throws {Error} if the target isn't in the repository
 */
export function siteLink(file, href) {
  if (/^[a-z]+:/i.test(href) || href.startsWith('#') || href.startsWith('/')) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(file), decodeURI(path)).replace(/\/$/, '');
  const fragment = anchor === undefined ? '' : `#${anchor}`;
  const address = addressOf(target);
  if (address !== undefined) return `${address}${fragment}`;
  const status = statSync(join(repository, target), { throwIfNoEntry: false });
  if (status === undefined) throw new Error(`${file}: ${href} leads nowhere`);
  return `${SOURCES}/${status.isDirectory() ? 'tree' : 'blob'}/main/${target}${fragment}`;
}

/** A markdown-it plug-in that converts all links of a page. @param {any} md */
export function linksOfTheSite(md) {
  md.core.ruler.push('site-links', (/** @type {{ tokens: Token[], env: Environment }} */ { tokens, env }) => {
    const file = fileOf(env);
    if (file === 'docs/api.md') linkNames(tokens);
    for (const { children } of tokens) {
      const opening = (children ?? []).filter((/** @type {Token} */ { type }) => type === 'link_open');
      for (const link of opening) {
        const href = link.attrGet('href') ?? '';
        const text = children[children.indexOf(link) + 1];
        if (text.content === posix.basename(href)) text.content = nameOf(posix.join(posix.dirname(file), href));
        link.attrSet('href', siteLink(file, href));
      }
    }
  });
}

/** Link text that is a file name becomes the page's title. @param {string} path */
function nameOf(path) {
  return sitePathOf(path) === undefined || !existsSync(join(repository, path))
    ? posix.basename(path)
    : shortTitleOf(path);
}

/**
 * Links each API name in the first column of a table to its page. The next cell may name its entry; default: `palimpsest`.
 * @param {Token[]} tokens of docs/api.md
 */
function linkNames(tokens) {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'inline') continue;
    if (tokens[index - 1].type !== 'td_open' || tokens[index - 2].type !== 'tr_open') continue;
    // After the name: the end of its cell, the beginning of the next one, and that cell's text.
    const entry = /^`palimpsest\/([\w-]+)`$/.exec(tokens[index + 3]?.content ?? '')?.[1] ?? '';
    token.children = token.children.flatMap((/** @type {Token} */ child) => {
      const page = child.type === 'code_inline' ? pageOf(entry, child.content) : undefined;
      return page === undefined ? [child] : linkTo(page, child);
    });
  }
}

/** Address of the page of an API name. @param {string} entry @param {string} name @returns {string | undefined} */
function pageOf(entry, name) {
  const folder = posix.join('build/site-api/palimpsest', entry);
  const found = KINDS.map((kind) => `${folder}/${kind}/${name}.md`).find(isFile);
  return found && addressOf(found);
}

/** Compares the exact name, because some file systems don't distinguish `LookupTool` from `lookupTool`. @param {string} path */
function isFile(path) {
  const folder = join(repository, posix.dirname(path));
  return existsSync(folder) && readdirSync(folder).includes(posix.basename(path));
}

/** @param {string} href @param {Token} child @returns {Token[]} */
function linkTo(href, child) {
  const TokenClass = child.constructor;
  const opening = new TokenClass('link_open', 'a', 1);
  opening.attrSet('href', href);
  return [opening, child, new TokenClass('link_close', 'a', -1)];
}
