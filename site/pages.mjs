// @ts-check
/** Maps repository files to pages of the site. A site path is a page's path on the site, with `.md`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
/** Path of the site on its host. */
export const BASE = '/palimpsest/';
/** Folder of the generated API pages. */
const API = 'build/site-api/palimpsest/';

/** Pages whose path doesn't follow from their file's path. */
const FIXED_PATHS = new Map([
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
/** Files that are linked to and whose content is on another page of the site. */
const SHOWN_ELSEWHERE = new Map([
  ['README.md', 'index.md'],
  ['README.zh.md', 'zh/index.md'],
  ['docs/command-json.d.ts', 'command-json.md'],
  ['docs/examples/map-store.mjs', 'map-store.md'],
]);
const IN_ROOT = /^(ARCHITECTURE|CHANGELOG|CONTRIBUTING|NOTICE|SECURITY)\.md$/;

/**
 * The site path of a file; undefined if it is no page.
 * @param {string} path in the repository @returns {string | undefined}
 */
export function sitePathOf(path) {
  const fixed = FIXED_PATHS.get(path);
  if (fixed !== undefined) return fixed;
  if (IN_ROOT.test(path)) return path.toLowerCase();
  if (path.startsWith(API)) return `api/${path.slice(API.length)}`;
  return /^docs\/.*\.md$/.test(path) ? path.slice('docs/'.length) : undefined;
}

/** @param {string} path in the repository @returns {string | undefined} link target on the site, without the base */
export function addressOf(path) {
  const sitePath = SHOWN_ELSEWHERE.get(path) ?? (existsSync(join(repository, path)) ? sitePathOf(path) : undefined);
  // Pages without a translation lead to the English page.
  if (sitePath === undefined) return path.startsWith('docs/zh/') ? addressOf(path.replace('/zh/', '/')) : undefined;
  return `/${sitePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')}`;
}

/** @param {string} folder in the repository @returns {string[]} Markdown files in it, recursively */
function markdownIn(folder) {
  const root = join(repository, folder);
  if (!existsSync(root)) return [];
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`);
}

/** All pages. @returns {Record<string, string>} site paths by file */
export function allPages() {
  const inRoot = readdirSync(repository).filter((name) => name.endsWith('.md'));
  const paths = [...inRoot, ...['docs', 'site/pages', 'build/site-api'].flatMap(markdownIn)].sort();
  return Object.fromEntries(
    paths.flatMap((path) => {
      const sitePath = sitePathOf(path);
      return sitePath === undefined ? [] : [[path, sitePath]];
    }),
  );
}

/** Patterns of everything in the repository that isn't a page of the site. @returns {string[]} */
export function notPages() {
  const pages = allPages();
  const folders = readdirSync(repository, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const otherFolders = folders.map(({ name }) => name).filter((name) => !['docs', 'site', 'build'].includes(name));
  const otherFiles = readdirSync(repository).filter((name) => name.endsWith('.md') && !(name in pages));
  return [
    ...otherFolders.map((name) => `${name}/**`),
    ...otherFiles,
    'build/!(site-api)/**',
    'site/!(pages)/**',
    'site/*.md',
  ];
}

/** Pages that exist in both languages: each path with its counterpart. @returns {Record<string, string>} */
export function counterparts() {
  const pages = allPages();
  const pairs = Object.entries(pages).flatMap(([path, sitePath]) => {
    const chinese =
      pages[path === 'site/pages/home.md' ? 'site/pages/home.zh.md' : path.replace(/^docs\//, 'docs/zh/')];
    return chinese === undefined || chinese === sitePath ? [] : [[sitePath, chinese]];
  });
  return Object.fromEntries([...pairs, ...pairs.map(([here, there]) => [there, here])]);
}

/** The package's entries: the name that users import, and its declarations. @returns {{ name: string, types: string }[]} */
export function entries() {
  const { exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, conditions]) => {
    const types = conditions.types ?? conditions.require?.types;
    return types === undefined ? [] : [{ name: `palimpsest${path.slice(1)}`, types: types.slice('./'.length) }];
  });
}
