// @ts-check
/** The sources of the site: home pages, page list, sidebar, links and search terms. No build is needed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { STEPS } from '../../scripts/chinese-pages.mjs';
import { siteLink } from '../../site/links.mjs';
import { addressOf, allPages, counterparts } from '../../site/pages.mjs';
import { termsOf } from '../../site/search-terms.mjs';
import { groups, guide, guideInChinese } from '../../site/sidebar.mjs';
import { repository } from '../support/children.mjs';
import { documents } from '../support/snippets.mjs';

const read = (/** @type {string} */ path) => readFileSync(join(repository, path), 'utf8');
const HOMES = ['site/pages/home.md', 'site/pages/home.zh.md'];

/** The rows with figures in a document's tables; bills have two digits by length, three by policy. @param {string} path @param {2 | 3} digits */
const rowsOf = (path, digits) => read(path).match(new RegExp(`^\\|.*\\| \\d\\.\\d{${digits}} \\|.*$`, 'gm')) ?? [];

/** The figures of these rows, without the first column. @param {(string | undefined)[]} rows */
const figuresOf = (rows) => rows.map((row) => row?.split('|').slice(2).join('|'));

describe('the home pages of the site', () => {
  for (const home of HOMES) {
    test(`${home} has README’s bills by length, without the total`, () => {
      const byLength = rowsOf('README.md', 2).filter((row) => !row.startsWith('| every length'));
      assert.equal(byLength.length, 4);
      assert.deepEqual(figuresOf(rowsOf(home, 2)), figuresOf(byLength));
    });

    test(`${home} has README’s figures of four policies`, () => {
      const names = ['**`ContextView`**', 'random results', 'keep last 20', 'compaction'];
      const expected = names.map((name) => rowsOf('README.md', 3).find((row) => row.startsWith(`| ${name}`)));
      assert.deepEqual(figuresOf(rowsOf(home, 3)), figuresOf(expected));
    });

    test(`${home} has three code blocks, all of them from README`, () => {
      const code = (/** @type {string} */ path) =>
        Array.from(read(path).matchAll(/^```(?:js|text|sh)\n([\s\S]*?)^```/gm), ([, lines = '']) =>
          lines.replaceAll(/ +\/\/ .*$/gm, ''),
        );
      const blocksOfReadme = code('README.md');
      assert.equal(code(home).length, 3);
      for (const block of code(home)) assert.ok(blocksOfReadme.includes(block), block);
    });
  }
});

describe('the pages of the site', () => {
  test('every document is a page, except the READMEs, which the home pages replace', () => {
    const pages = allPages();
    const missingDocuments = documents().filter((path) => !(path in pages));
    assert.deepEqual(
      missingDocuments.filter((path) => !/^(README(\.zh)?|cli\/README)\.md$/.test(path)),
      [],
    );
    assert.equal(addressOf('README.md'), '/');
    assert.equal(addressOf('README.zh.md'), '/zh/');
    assert.equal(new Set(Object.values(pages)).size, Object.keys(pages).length, 'two pages have the same place');
  });

  test('the sidebar has every page of docs, in English and in Chinese', () => {
    const pages = documents().filter((path) => /^docs\/(?!README)[^/]+$/.test(path));
    const listed = groups().flatMap(({ paths }) => paths);
    assert.deepEqual(
      pages.filter((path) => !listed.includes(path)),
      [],
    );
    const links = guideInChinese().flatMap(({ items = [] }) => items.map(({ link }) => link));
    for (const path of documents().filter((path) => /^docs\/zh\/(?!README)[^/]+$/.test(path))) {
      assert.ok(links.includes(addressOf(path)), path);
    }
    for (const { text } of guideInChinese()) assert.match(text, /\p{Script=Han}/u, 'each group has a Chinese heading');
  });

  for (const [language, folder, sidebar] of /** @type {const} */ ([
    ['English', 'docs/guide', guide()],
    ['Chinese', 'docs/zh/guide', guideInChinese()],
  ])) {
    test(`the guide is first in the ${language} sidebar; each step has code, at most 150 words, and a link to the next`, () => {
      const files = STEPS.map((name) => `${folder}/${name}.md`);
      assert.deepEqual(
        sidebar[0]?.items?.map(({ link }) => link),
        files.map(addressOf),
      );
      assert.deepEqual(
        files.filter((file) => !documents().includes(file)),
        [],
      );
      assert.equal(documents().filter((path) => path.startsWith(`${folder}/`)).length, files.length);
      for (const [at, file] of files.entries()) {
        const text = read(file).replaceAll(/^```[\s\S]*?^```$/gm, '');
        assert.match(read(file), /^```(?:js|sh)\b/m, file);
        assert.ok(text.split(/\s+/).length <= 150, file);
        const last = text.trim().split('\n').at(-1) ?? '';
        const next = STEPS[at + 1] === undefined ? '../README.md' : `${STEPS[at + 1]}.md`;
        assert.match(last, language === 'English' ? /^Next: / : /^下一步：/, file);
        assert.ok(last.includes(`](${next})`), file);
      }
    });
  }

  test('counterparts maps each page with a translation to it, and back', () => {
    const pairs = counterparts();
    assert.equal(pairs['index.md'], 'zh/index.md');
    for (const [place, other] of Object.entries(pairs)) assert.equal(pairs[other], place);
  });

  test('siteLink leads to a page, its English version, or a file of the repository, and throws for a missing target', () => {
    assert.equal(siteLink('docs/cache.md', 'need.md#a'), '/need.html#a');
    assert.equal(siteLink('docs/cache.md', '../CONTRIBUTING.md'), '/contributing.html');
    assert.equal(siteLink('docs/spec/logs.md', 'README.md'), '/spec/');
    assert.equal(siteLink('site/pages/home.zh.md', '../../docs/zh/benchmarks.md'), '/benchmarks.html');
    assert.match(siteLink('docs/cache.md', '../bench/need.mjs'), /^https:.*\/blob\/main\/bench\/need\.mjs$/);
    assert.equal(siteLink('docs/cache.md', 'https://example.com/a.md'), 'https://example.com/a.md');
    assert.throws(() => siteLink('docs/cache.md', 'neeed.md'), /docs\/cache\.md: neeed\.md leads nowhere/);
  });
});

test('termsOf splits names into words, and Chinese text into overlapping pairs of characters', () => {
  assert.deepEqual(termsOf('stripForApi, don’t'), ['stripforapi', 'strip', 'for', 'api', 'don', 't']);
  assert.deepEqual(termsOf('ERR_PALIMPSEST_NATIVE'), ['err_palimpsest_native', 'err', 'palimpsest', 'native']);
  assert.deepEqual(termsOf('变成占位符 5 行'), ['变成', '成占', '占位', '位符', '符', '5', '行']);
});
