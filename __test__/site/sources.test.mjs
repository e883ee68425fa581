// @ts-check
/** What the site is made of, which needs no build to be looked at. */
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

/** The figures of a table's rows. @param {string} path */
function figuresOf(path) {
  const rows = read(path).match(/^\|.*\| \d\.\d{3} \|.*$/gm) ?? [];
  return rows.map((row) => row.split('|').slice(2).join('|'));
}

describe('the home pages', () => {
  for (const home of HOMES) {
    test(`${home} has README’s figures of the unmodified history, the view, twenty kept and compaction`, () => {
      const rows = read('README.md').match(/^\|.*\| \d\.\d{3} \|.*$/gm) ?? [];
      const told = ['unmodified history', '**`ContextView`**', 'keep last 20', 'compaction'];
      const expected = told.map((name) => rows.find((row) => row.startsWith(`| ${name}`)));
      assert.deepEqual(
        figuresOf(home),
        expected.map((row) => row?.split('|').slice(2).join('|')),
      );
    });

    test(`${home} has README’s five lines, its placeholder and its line that installs`, () => {
      const code = (/** @type {string} */ path) =>
        Array.from(read(path).matchAll(/^```(?:js|text|sh)\n([\s\S]*?)^```/gm), ([, lines = '']) =>
          lines.replaceAll(/ +\/\/ .*$/gm, ''),
        );
      const known = code('README.md');
      assert.equal(code(home).length, 3);
      for (const block of code(home)) assert.ok(known.includes(block), block);
    });
  }
});

describe('the pages', () => {
  test('all documents are pages but the READMEs, in whose place the home pages stand', () => {
    const pages = allPages();
    const others = documents().filter((path) => !(path in pages));
    assert.deepEqual(
      others.filter((path) => !/^(README(\.zh)?|cli\/README)\.md$/.test(path)),
      [],
    );
    assert.equal(addressOf('README.md'), '/');
    assert.equal(addressOf('README.zh.md'), '/zh/');
    assert.equal(new Set(Object.values(pages)).size, Object.keys(pages).length, 'each has a place of its own');
  });

  test('the sidebar has each page of docs/, in English and in Chinese', () => {
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
    test(`the guide comes first in ${language}: each step has code, at most 150 words of text, and leads to the next step`, () => {
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

  test('each page that is there in both languages leads to the other, and back', () => {
    const pairs = counterparts();
    assert.equal(pairs['index.md'], 'zh/index.md');
    for (const [place, other] of Object.entries(pairs)) assert.equal(pairs[other], place);
  });

  test('a link leads to a page, to what isn’t translated in English, to a file in the repository, or stops the build', () => {
    assert.equal(siteLink('docs/cache.md', 'need.md#a'), '/need.html#a');
    assert.equal(siteLink('docs/cache.md', '../CONTRIBUTING.md'), '/contributing.html');
    assert.equal(siteLink('docs/spec/logs.md', 'README.md'), '/spec/');
    assert.equal(siteLink('site/pages/home.zh.md', '../../docs/zh/benchmarks.md'), '/benchmarks.html');
    assert.match(siteLink('docs/cache.md', '../bench/need.mjs'), /^https:.*\/blob\/main\/bench\/need\.mjs$/);
    assert.equal(siteLink('docs/cache.md', 'https://example.com/a.md'), 'https://example.com/a.md');
    assert.throws(() => siteLink('docs/cache.md', 'neeed.md'), /docs\/cache\.md: neeed\.md leads nowhere/);
  });
});

test('the search splits names into their words, and Chinese into pairs of which each character begins one', () => {
  assert.deepEqual(termsOf('stripForApi, don’t'), ['stripforapi', 'strip', 'for', 'api', 'don', 't']);
  assert.deepEqual(termsOf('ERR_PALIMPSEST_NATIVE'), ['err_palimpsest_native', 'err', 'palimpsest', 'native']);
  assert.deepEqual(termsOf('变成占位符 5 行'), ['变成', '成占', '占位', '位符', '符', '5', '行']);
});
