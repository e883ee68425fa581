// @ts-check
/** Each Chinese page has the figures, tables and code of its English page, and was compared with its current text. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { CHINESE_PAGES, problemOf } from '../../scripts/chinese-pages.mjs';
import { repository } from '../support/children.mjs';

const textOf = (/** @type {string} */ path) => readFileSync(join(repository, path), 'utf8').replaceAll('\r\n', '\n');
const FENCE = /^( *)```(.*)\n([\s\S]*?)^ *```$/gm;
const FIGURE = /(?<![\w.])(?:\d+(?:,\d{3})*(?:\.\d+)*|\.\d+)(?: ?%)?/g;
const COMMENT_OR_STRING =
  /(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
/** A comment at the end of a shell command. */
const SHELL_COMMENT = /(?<= )# .*$/gm;

/** Figures with a comma, a point or “%”: smaller whole numbers may be words in one of the languages. @param {string} text */
function figuresOf(text) {
  const found = text.match(FIGURE) ?? [];
  return found.map((figure) => figure.replace(' ', '').replace(/^\./, '0.')).filter((figure) => /[.,%]/.test(figure));
}

/** @param {string} path */
function tablesOf(path) {
  const prose = textOf(path).replaceAll(FENCE, '');
  return prose.split('\n').filter((line) => line.startsWith('|'));
}

/** The code of all fences, without comments. @param {string} path */
function codeOf(path) {
  return Array.from(textOf(path).matchAll(FENCE), ([, , info = '', code = '']) => {
    const withoutComments =
      info === 'sh'
        ? code.replaceAll(SHELL_COMMENT, '')
        : code.replaceAll(COMMENT_OR_STRING, (found, comment) => (comment === undefined ? found : ''));
    return `${info}\n${withoutComments.replaceAll(/ +$/gm, '')}`;
  });
}

describe('the pages in docs/zh', () => {
  for (const [english, chinese] of CHINESE_PAGES) {
    test(`${chinese} exists, and was compared with the current text of ${english}`, () => {
      assert.equal(problemOf(english), undefined);
    });

    test(`${chinese} has the same figures as ${english}, and in its tables each as often`, () => {
      const inTables = (/** @type {string} */ path) => figuresOf(tablesOf(path).join('\n')).sort();
      assert.deepEqual(inTables(chinese), inTables(english));
      const inPage = (/** @type {string} */ path) => new Set(figuresOf(textOf(path).replace(/^<!--.*-->/, '')));
      assert.deepEqual([...inPage(chinese)].sort(), [...inPage(english)].sort());
    });

    test(`${chinese} has as many table rows as ${english}`, () => {
      assert.equal(tablesOf(chinese).length, tablesOf(english).length);
    });

    test(`${chinese} has the code of ${english} except for comments, whose figures are the same`, () => {
      assert.deepEqual(codeOf(chinese), codeOf(english));
      const numbers = (/** @type {string} */ path) =>
        Array.from(textOf(path).matchAll(FENCE), ([fence]) => fence.match(FIGURE)?.sort() ?? []);
      assert.deepEqual(numbers(chinese), numbers(english));
    });
  }

  test('CHINESE_PAGES has every page of docs/zh', () => {
    const names = readdirSync(join(repository, 'docs/zh'), { recursive: true, encoding: 'utf8' });
    const pages = names.filter((name) => name.endsWith('.md')).map((name) => `docs/zh/${name.replaceAll('\\', '/')}`);
    assert.deepEqual(
      pages.filter((page) => ![...CHINESE_PAGES.values()].includes(page)),
      [],
    );
  });

  for (const chinese of CHINESE_PAGES.values()) {
    // A browser shows a line break as a space. Markdown doesn't close emphasis between punctuation and a letter.
    test(`${chinese} has no line break between Chinese characters, and no “**” between punctuation and a letter`, () => {
      const prose = textOf(chinese).replaceAll(FENCE, '');
      assert.deepEqual(prose.match(/.*[\p{Script=Han}，。；：、）]\n *[\p{Script=Han}（“*`].*/gu), null);
      const pieces = prose.replaceAll(/`[^`\n]*`/g, '`').split('**');
      assert.deepEqual(
        pieces.filter(
          (piece, at) => at % 2 === 1 && /[^\p{L}\p{N}]$/u.test(piece) && /^[\p{L}\p{N}]/u.test(pieces[at + 1] ?? ''),
        ),
        [],
      );
    });
  }

  test('links of a Chinese page lead to Chinese pages where they exist, except the link “English”', () => {
    const wrong = [...CHINESE_PAGES.values()].flatMap((page) => {
      const links = Array.from(textOf(page).matchAll(/\[([^\]]*)\]\(([^)#\s]+\.md)/g));
      return links
        .filter(([, text = '', link = '']) => text !== 'English' && CHINESE_PAGES.has(join(dirname(page), link)))
        .map(([, , link]) => `${page}: ${link}`);
    });
    assert.deepEqual(wrong, []);
  });
});
