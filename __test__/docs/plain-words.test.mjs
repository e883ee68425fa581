// @ts-check
/**
 * Checks that pages, comments and titles of tests have none of our old idioms, and pages no long sentences.
 * `node __test__/support/plain-words.mjs PATH` lists the places.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  commentsOf,
  findings,
  idiomsIn,
  MOST_WORDS,
  pages,
  sentencesOf,
  textsOf,
  titlesOf,
  wordsOf,
} from '../support/plain-words.mjs';

const found = findings();

describe('words of pages, comments and titles', () => {
  for (const [check, title] of /** @type {const} */ ([
    ['idiomsInPages', 'no page has an idiom of our own'],
    ['longSentences', `no sentence in a page has more than ${MOST_WORDS} words`],
    ['idiomsInComments', 'no comment has an idiom of our own'],
    ['idiomsInTexts', 'no text that a program shows has an idiom of our own'],
    ['idiomsInTitles', 'no title of a test has an idiom of our own'],
  ])) {
    test(title, () => {
      assert.deepEqual(
        found[check].map(({ file, what, text }) => `${file}: ${what} ${text}`),
        [],
      );
    });
  }
});

describe('plain-words.mjs', () => {
  test('idiomsIn finds an idiom across line breaks and in either case, and none in plain English', () => {
    const idioms = [
      'A removed result can be had again.',
      'A line that stands for lines of a result.',
      'The text that stands in its place.',
      'It stands beside the summary.',
      'What stands ahead of the messages.',
      'Messages behind the summary.',
      'So many messages are unchanged.',
      'The core is told\nto forget it.',
      'Pairing is done anew.',
      'Compiled once more.',
      'It is known by now.',
      'Records are looked into late.',
      'What goes is needed later.',
      'The history left alone.',
    ];
    assert.deepEqual(
      idioms.filter((text) => idiomsIn(text).length !== 1),
      [],
    );
    const plain = [
      'What went wrong is reported.',
      'Files are told apart by their content.',
      'The file beside the bundle.',
      'A removed result can be retrieved again.',
      'The server runs behind a proxy.',
      'What goes on is logged.',
      'Odd numbers are rounded up.',
      'Look at the table.',
    ];
    assert.deepEqual(plain.flatMap(idiomsIn), []);
  });

  test('sentencesOf leaves out code, tables, headings and link targets, and wordsOf counts inline code as one word', () => {
    const page = [
      '# A heading. With two sentences',
      'One `a b c` is. Two follow (`x. y`)',
      'on [the next](line.md#a-b) line: so.',
      '',
      '- An item',
      '  that goes on',
      '- Another one',
      '',
      '| a | b |',
      '```js',
      'code. more.',
      '```',
      '1. Last',
    ].join('\n');
    assert.deepEqual(
      sentencesOf(page).map((sentence) => [sentence.split(' ')[0], wordsOf(sentence)]),
      [
        ['One', 3],
        ['Two', 8],
        ['An', 5],
        ['Another', 2],
        ['Last', 1],
      ],
    );
  });

  test('commentsOf finds comments of every form, and none in a string', () => {
    const code = [
      '/** One. @type {x} */ const a = "http://example.org";',
      '/**',
      ' * Two',
      ' * lines.',
      ' */',
      'f(a); // Three',
      '/// Four',
      '//! goes on',
      "const b = 'no comment';",
    ].join('\n');
    assert.deepEqual(
      commentsOf(code).map((comment) => comment.trim().replaceAll(/\s+/g, ' ')),
      ['One. @type {x}', 'Two lines.', 'Three', 'Four goes on'],
    );
  });

  test('textsOf returns the string literals of more than one word, and no comment', () => {
    const code = [
      "const one = 'One text';",
      "log('word', \"Isn't two\", `three of them`);",
      ' * a comment’s "own words"',
    ];
    assert.deepEqual(textsOf(code.join('\n')), ['One text', "Isn't two", 'three of them']);
  });

  test('titlesOf returns the titles of JavaScript tests and the names of Rust tests', () => {
    const code = [
      "test('R1.2 one', () => {",
      '  it.skip(`two`, () => {});',
      'describe("three", () => test(name));',
      '#[test]',
      'fn r5_7_four_is_found() {}',
      'fn no_test() {}',
    ].join('\n');
    assert.deepEqual(titlesOf(code), ['R1.2 one', 'two', 'three', 'r5 7 four is found']);
  });

  test('pages returns the pages of the root, docs, docs/guide and docs/spec, but none of docs/zh', () => {
    for (const page of [
      'README.md',
      'ARCHITECTURE.md',
      'docs/cache.md',
      'docs/guide/install.md',
      'docs/spec/need.md',
    ]) {
      assert.ok(pages().includes(page), page);
    }
    assert.ok(!pages().some((page) => page.includes('/zh/')));
  });
});
