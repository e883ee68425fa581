// @ts-check
/** Links between documents lead to an existing file and an existing heading. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { slugOf } from '../../site/slug.mjs';
import { repository } from '../support/children.mjs';
import { documents } from '../support/snippets.mjs';

const withoutCode = (/** @type {string} */ path) =>
  readFileSync(join(repository, path), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

/** The anchors of a document's headings, as GitHub makes them. @param {string} path */
function anchorsOf(path) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return Array.from(withoutCode(path).matchAll(/^#+ (.+)$/gm), ([, heading = '']) => {
    const bare = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const slug = slugOf(bare);
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

/** The document's links to targets in the repository. @param {string} path @returns {string[]} */
function linksOf(path) {
  const prose = withoutCode(path).replaceAll(/`[^`\n]*`/g, '');
  const links = Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

/** @param {string} from @param {string} link */
function isBroken(from, link) {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(repository, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

describe('links in documents', () => {
  for (const path of [...documents(), 'CHANGELOG.md']) {
    test(`every link in ${path} leads to an existing file and heading`, () => {
      assert.deepEqual(
        linksOf(path).filter((link) => isBroken(path, link)),
        [],
      );
    });
  }

  for (const [list, readme] of [
    ['docs/README.md', 'README.md'],
    ['docs/zh/README.md', 'README.zh.md'],
  ]) {
    test(`${list} links to each page of docs/, and ${readme} links to ${list}`, () => {
      const folder = dirname(list);
      const pages = documents().filter((path) => dirname(path) === 'docs' || dirname(path) === folder);
      const translated = (/** @type {string} */ path) => documents().includes(join(folder, basename(path)));
      const listed = linksOf(list).map((link) => join(folder, link.replace(/#.*/, '')));
      assert.deepEqual(
        pages.filter(
          (path) => path !== list && !listed.includes(path) && (dirname(path) === folder || !translated(path)),
        ),
        [],
      );
      assert.ok(linksOf(readme).includes(list));
    });
  }
});
