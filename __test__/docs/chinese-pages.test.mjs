// @ts-check
/** The Chinese pages say what the English ones say today: the same text looked at, the same figures, the same code. */
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
/** In a shell's words. */
const SHELL_COMMENT = /(?<= )# .*$/gm;

/** What can be wrong about a measured number: whole numbers below 1,000 may well be words in one of the languages. @param {string} text */
function figuresOf(text) {
  const found = text.match(FIGURE) ?? [];
  return found.map((figure) => figure.replace(' ', '').replace(/^\./, '0.')).filter((figure) => /[.,%]/.test(figure));
}

/** @param {string} path */
function tablesOf(path) {
  const prose = textOf(path).replaceAll(FENCE, '');
  return prose.split('\n').filter((line) => line.startsWith('|'));
}

/** Fences, without their comments. @param {string} path */
function codeOf(path) {
  return Array.from(textOf(path).matchAll(FENCE), ([, , info = '', code = '']) => {
    const withoutComments =
      info === 'sh'
        ? code.replaceAll(SHELL_COMMENT, '')
        : code.replaceAll(COMMENT_OR_STRING, (found, comment) => (comment === undefined ? found : ''));
    return `${info}\n${withoutComments.replaceAll(/ +$/gm, '')}`;
  });
}

describe('the guide in Chinese', () => {
  for (const [english, chinese] of CHINESE_PAGES) {
    test(`${chinese} is there, and was compared with ${english} as it is now`, () => {
      assert.equal(problemOf(english), undefined);
    });

    test(`${chinese} has the figures of ${english}: in its tables each as often, elsewhere the same ones`, () => {
      const inTables = (/** @type {string} */ path) => figuresOf(tablesOf(path).join('\n')).sort();
      assert.deepEqual(inTables(chinese), inTables(english));
      const all = (/** @type {string} */ path) => new Set(figuresOf(textOf(path).replace(/^<!--.*-->/, '')));
      assert.deepEqual([...all(chinese)].sort(), [...all(english)].sort());
    });

    test(`${chinese} has the tables of ${english}, row by row`, () => {
      assert.equal(tablesOf(chinese).length, tablesOf(english).length);
    });

    test(`${chinese} has the code of ${english}; only comments are in Chinese, and they have its numbers`, () => {
      assert.deepEqual(codeOf(chinese), codeOf(english));
      const numbers = (/** @type {string} */ path) =>
        Array.from(textOf(path).matchAll(FENCE), ([fence]) => fence.match(FIGURE)?.sort() ?? []);
      assert.deepEqual(numbers(chinese), numbers(english));
    });
  }

  test('each page in docs/zh is one of those that are compared with an English page', () => {
    const names = readdirSync(join(repository, 'docs/zh'), { recursive: true, encoding: 'utf8' });
    const pages = names.filter((name) => name.endsWith('.md')).map((name) => `docs/zh/${name.replaceAll('\\', '/')}`);
    assert.deepEqual(
      pages.filter((page) => ![...CHINESE_PAGES.values()].includes(page)),
      [],
    );
  });

  for (const chinese of CHINESE_PAGES.values()) {
    // A browser shows a line break as a space, and asterisks as themselves where punctuation stands before and a letter behind them.
    test(`${chinese} breaks no line between Chinese characters, and closes its emphasis where Markdown sees it`, () => {
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

  test('a Chinese page leads to Chinese pages where there are some, but for the link called English', () => {
    const wrong = [...CHINESE_PAGES.values()].flatMap((page) => {
      const links = Array.from(textOf(page).matchAll(/\[([^\]]*)\]\(([^)#\s]+\.md)/g));
      return links
        .filter(([, text = '', link = '']) => text !== 'English' && CHINESE_PAGES.has(join(dirname(page), link)))
        .map(([, , link]) => `${page}: ${link}`);
    });
    assert.deepEqual(wrong, []);
  });
});
