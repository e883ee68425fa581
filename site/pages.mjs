// @ts-check
/** Which files of the repository are pages of the site, and where each stands on it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
export const BASE = '/palimpsest/';
const API = 'build/site-api/palimpsest/';

/** Pages whose place doesn't follow from that of their file. */
const PLACES = new Map([
  ['site/pages/home.md', 'index.md'],
  ['site/pages/home.zh.md', 'zh/index.md'],
  ['site/pages/command-json.md', 'command-json.md'],
  ['site/pages/map-store.md', 'map-store.md'],
  ['docs/README.md', 'documents.md'],
  ['docs/zh/README.md', 'zh/documents.md'],
  ['docs/api.md', 'api/index.md'],
  ['docs/spec/README.md', 'spec/index.md'],
  [`${API}index.md`, 'api/palimpsest.md'],
]);
/** What people link to that stands on the site as another page. */
const STAND_INS = new Map([
  ['README.md', 'index.md'],
  ['README.zh.md', 'zh/index.md'],
  ['docs/command-json.d.ts', 'command-json.md'],
  ['docs/examples/map-store.mjs', 'map-store.md'],
]);
const IN_ROOT = /^(ARCHITECTURE|CHANGELOG|CONTRIBUTING|NOTICE|SECURITY)\.md$/;

/** @param {string} path in the repository @returns {string | undefined} the page's own path on the site, with `.md` */
export function placeOf(path) {
  const fixed = PLACES.get(path);
  if (fixed !== undefined) return fixed;
  if (IN_ROOT.test(path)) return path.toLowerCase();
  if (path.startsWith(API)) return `api/${path.slice(API.length)}`;
  return /^docs\/.*\.md$/.test(path) ? path.slice('docs/'.length) : undefined;
}

/** @param {string} path in the repository @returns {string | undefined} where a link to it leads on the site, without the base */
export function addressOf(path) {
  const stands = STAND_INS.get(path) ?? (existsSync(join(repository, path)) ? placeOf(path) : undefined);
  // What isn't translated is there in English.
  if (stands === undefined) return path.startsWith('docs/zh/') ? addressOf(path.replace('/zh/', '/')) : undefined;
  return `/${stands.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')}`;
}

/** @param {string} folder in the repository @returns {string[]} Markdown files in it, at any depth */
function markdownIn(folder) {
  const root = join(repository, folder);
  if (!existsSync(root)) return [];
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`);
}

/** @returns {Record<string, string>} each page's file, and its place */
export function allPages() {
  const inRoot = readdirSync(repository).filter((name) => name.endsWith('.md'));
  const paths = [...inRoot, ...['docs', 'site/pages', 'build/site-api'].flatMap(markdownIn)].sort();
  return Object.fromEntries(
    paths.flatMap((path) => {
      const place = placeOf(path);
      return place === undefined ? [] : [[path, place]];
    }),
  );
}

/** Everything in the repository that VitePress is not to take for a page, as patterns. @returns {string[]} */
export function notPages() {
  const pages = allPages();
  const folders = readdirSync(repository, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const others = folders.map(({ name }) => name).filter((name) => !['docs', 'site', 'build'].includes(name));
  const loose = readdirSync(repository).filter((name) => name.endsWith('.md') && !(name in pages));
  return [...others.map((name) => `${name}/**`), ...loose, 'build/!(site-api)/**', 'site/!(pages)/**', 'site/*.md'];
}

/** Pages that are there in both languages: the place of each, and that of the other. @returns {Record<string, string>} */
export function counterparts() {
  const pages = allPages();
  const pairs = Object.entries(pages).flatMap(([path, place]) => {
    const other = pages[path === 'site/pages/home.md' ? 'site/pages/home.zh.md' : path.replace(/^docs\//, 'docs/zh/')];
    return other === undefined || other === place ? [] : [[place, other]];
  });
  return Object.fromEntries([...pairs, ...pairs.map(([here, there]) => [there, here])]);
}

/** What the package exports: by the name that users import, the declarations. @returns {{ name: string, types: string }[]} */
export function entries() {
  const { exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, conditions]) => {
    const types = conditions.types ?? conditions.require?.types;
    return types === undefined ? [] : [{ name: `palimpsest${path.slice(1)}`, types: types.slice('./'.length) }];
  });
}
