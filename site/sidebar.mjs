// @ts-check
/** The sidebar: the guide, the pages in the order of docs/README.md, the API by entry, and the project's own documents. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { STEPS } from '../scripts/chinese-pages.mjs';
import { addressOf, allPages, entries, repository } from './pages.mjs';

/** @typedef {{ text: string, link?: string, items?: Item[], collapsed?: boolean }} Item */

/** Chinese names of docs/README.md's headings. */
const IN_CHINESE = new Map([
  ['Getting started', '入门'],
  ['Removal and cost', '清理与费用'],
  ['Long sessions, many processes', '长会话与多进程'],
  ['Outputs, tokens, UI, errors', '输出、计数、界面与错误'],
  ['Command line', '命令行'],
  ['Reference', '参考'],
]);
/**
 * API members that programs import. Types are only on their module's page: two hundred links would make each page four
 * times as large.
 */
const KINDS = new Map([
  ['classes', 'Classes'],
  ['functions', 'Functions'],
  ['variables', 'Values'],
]);

const read = (/** @type {string} */ path) => readFileSync(join(repository, path), 'utf8');

/**
 * Short titles: “Messages: which forms are understood” becomes “Messages”, “Installing, bundling, and …” becomes
 * “Installing”.
 * @param {string} path of a page @returns {string}
 */
export function shortTitleOf(path) {
  const heading = /^# (.+)$/m.exec(read(path))?.[1] ?? posix.basename(path, '.md');
  const plain = heading.replaceAll(/[`*]/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return plain.split(/[:：,，]/)[0] ?? plain;
}

/** Groups of docs/README.md, each with the files that its list links to. @returns {{ heading: string, paths: string[] }[]} */
export function groups() {
  const [, ...parts] = read('docs/README.md').split(/^## /m);
  return parts.map((part) => ({
    heading: part.slice(0, part.indexOf('\n')).trim(),
    paths: Array.from(part.matchAll(/^- (.*?):/gm), ([, pages = '']) => pages).flatMap((names) =>
      Array.from(names.matchAll(/\]\(([^)]+)\)/g), ([, link = '']) => posix.join('docs', link)),
    ),
  }));
}

/** The guide in English. @returns {Item[]} */
export function guide() {
  const steps = { text: 'Guide', items: STEPS.map((name) => itemOf(`docs/guide/${name}.md`)) };
  return [steps, ...groups().map(({ heading, paths }) => ({ text: heading, items: paths.map(itemOf) }))];
}

/** The guide in Chinese; an untranslated page links to the English one and says so. @returns {Item[]} */
export function guideInChinese() {
  const pages = allPages();
  const english = groups();
  const translations = new Set(english.flatMap(({ paths }) => paths.map(inChinese)));
  const onlyChinese = Object.keys(pages).filter(
    (path) => /^docs\/zh\/(?!README)[^/]+$/.test(path) && !translations.has(path),
  );
  const translated = english.map(({ heading, paths }) => ({
    text: IN_CHINESE.get(heading) ?? heading,
    items: paths.map((path) => {
      if (inChinese(path) in pages) return itemOf(inChinese(path));
      const { text, link } = itemOf(path);
      return { text: `${text}（英文）`, link };
    }),
  }));
  const steps = { text: '指南', items: STEPS.map((name) => itemOf(`docs/zh/guide/${name}.md`)) };
  return [
    steps,
    ...(onlyChinese.length === 0 ? [] : [{ text: '开始', items: onlyChinese.map(itemOf) }]),
    ...translated,
  ];
}

/** Path of a page's translation. @param {string} path */
function inChinese(path) {
  return path.replace(/^docs\//, 'docs/zh/');
}

/** @param {string} path @returns {Item} */
function itemOf(path) {
  return { text: shortTitleOf(path), link: addressOf(path) ?? '/' };
}

/** The API by entry. @returns {Item[]} */
export function api() {
  const pages = Object.entries(allPages()).filter(([path]) => path.startsWith('build/site-api/'));
  const modules = entries().map(({ name }) => {
    const folder = posix.join('api', name.slice('palimpsest'.length));
    const byKind = Array.from(KINDS, ([kind, text]) => {
      const prefix = `${folder}/${kind}/`;
      const members = pages.filter(([, sitePath]) => sitePath.startsWith(prefix));
      const items = members.map(([path, sitePath]) => ({
        text: posix.basename(sitePath, '.md'),
        link: addressOf(path) ?? '/',
      }));
      return { text, items };
    });
    const items = byKind.filter(({ items }) => items.length > 0);
    return { text: name, link: addressOf(moduleFile(name)) ?? '/', items, collapsed: name !== 'palimpsest' };
  });
  return [{ text: 'All names, and how stable they are', link: '/api/' }, ...modules];
}

/** @param {string} name */
function moduleFile(name) {
  return `build/site-api/${name}/index.md`;
}

/** The project's own documents, and the rules. @returns {Item[]} */
export function project() {
  const spec = Object.keys(allPages()).filter((path) => /^docs\/spec\/(?!README)/.test(path));
  const documents = ['CHANGELOG.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md', 'NOTICE.md'].filter((path) =>
    addressOf(path),
  );
  return [
    { text: 'The project', items: documents.map(itemOf) },
    { text: 'Rules by number', items: ['docs/spec/README.md', ...spec].map(itemOf) },
  ];
}
