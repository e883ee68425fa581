// @ts-check
/**
 * Finds idioms and long sentences in the documents, and idioms in comments, texts that programs show, and titles of tests.
 *
 *   node __test__/support/plain-words.mjs           lists each occurrence with its place
 *   node __test__/support/plain-words.mjs docs/a    only those in files whose path holds the word
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { repository } from './children.mjs';

/** @typedef {{ file: string, what: string, text: string }} Finding */
/** @typedef {'idiomsInPages' | 'longSentences' | 'idiomsInComments' | 'idiomsInTexts' | 'idiomsInTitles'} Check */

export const MOST_WORDS = 30;

const THINGS =
  '(?:messages?|summar(?:y|ies)|notices?|calls?|answers?|results?|prompts?|requests?|records?|prefix(?:es)?)';
const DETERMINER = "(?:a|an|the|each|every|that|this|its|their|all|one|other|model's|user's) ";

/** Each idiom with its replacement. An idiom whose words are also plain English elsewhere isn't listed. @type {readonly (readonly [RegExp, string])[]} */
const IDIOMS = [
  [/\bhad (?:back|again)\b|\b(?:is|are|be|been) had\b/, 'retrieved'],
  [/\bst(?:ands?|ood|anding) (?:for|in (?:the |its |their )?(?:\w+[’']s )?(?:place|stead))\b/, 'replaces, represents'],
  [/\b(?:st(?:ands?|ood|anding)|l(?:ies?|ay)) (?:\*)?(?:beside|behind|ahead)\b/, 'next to, after, before'],
  [/\bbeside (?:the|a|each) conversation\b/, 'side request, in addition to the conversation'],
  [
    new RegExp(
      `(?<!st(?:ands?|ood|anding) |l(?:ies?|ay) )\\b(?:ahead of|behind) (?:${DETERMINER})?(?:\\w+ )?${THINGS}\\b`,
    ),
    'before, after',
  ],
  [/\bso many\b/, 'the first `count`'],
  [
    /\b(?:is|are|was|were|be|been|being|isn[’']t|aren[’']t) (?:never |not )?told (?:to|of|about|that|what|when|where|why|which|so)\b|\bas told\b/,
    'synced with, sent to',
  ],
  [/\bby now\b/, 'current'],
  [/\banew\b|\bonce more\b/, 'again'],
  [/\bwhat waits\b/, 'pending results'],
  [/\bwhat the model says\b/, 'assistant message'],
  [/\bcache marks?\b|\bmarks for the cache\b/, 'cache breakpoints'],
  [/\bleft alone\b/, 'unmodified, baseline'],
  [/\blook(?:s|ed|ing)? into\b/, 'parsed, scanned'],
  [
    /\bodd (?:messages?|parts?|records?|entries|entry|lines?|files?|values?|things?)\b|\bwhat (?:is|was) odd\b/,
    'invalid, unexpected',
  ],
  [
    /\bwhat (?:goes|is gone|went)\b(?! (?:wrong|on|to|into|through|over|out|back)\b)|\bresults? (?:that )?(?:goes|go|is gone|are gone|went)\b(?! (?:to|into|through|with|by|on|back)\b)/,
    'removed, replaced',
  ],
];

const FENCE = /^ *```[\s\S]*?^ *```$/gm;
/** Folders with the comments, and the names of the files that have some. */
const FOLDERS = ['lib', 'src', 'crates', 'bin', 'ui', 'plugins', 'scripts', 'bench', 'examples', 'fuzz', '__test__'];
const COMMENTED = /\.(?:m?js|d\.m?ts|rs|css)$/;
/** Files without texts for people: tests, and what a model is asked. */
const NO_TEXTS = /^(?:__test__|fuzz)\/|\/tests?\/|tests?\.rs$|\/compression\/summary\/|^examples\/fleet\//;
const NOT_OURS = /(?:^|\/)(?:node_modules|target|dist|licences)(?:\/|$)/;

/** @returns {string[]} the English documents, by their paths in the repository */
export function pages() {
  const inFolder = (/** @type {string} */ folder) =>
    readdirSync(join(repository, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`);
  const inRoot = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  return [...inRoot, ...['docs', 'docs/guide', 'docs/spec'].flatMap((folder) => inFolder(folder).sort())];
}

/** @param {string} path */
const textOf = (path) => readFileSync(join(repository, path), 'utf8').replaceAll('\r\n', '\n');

/** Markdown without code and without targets of links; a piece of inline code is one word. @param {string} markdown */
function withoutCode(markdown) {
  return markdown
    .replaceAll(FENCE, '\n')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/(?<!`)(`+)(?!`)(?:[^\n]|\n(?!\n))*?(?<!`)\1(?!`)/g, '§x')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

/** Words in quotation marks or in italics are names that a program prints. @param {string} text */
const withoutQuotations = (text) => text.replaceAll(/“[^”]*”|(?<!\*)\*[^*\n]+\*(?!\*)/g, '§q');

/** @param {string} markdown @returns {string[]} of the prose: no code, tables or headings */
export function sentencesOf(markdown) {
  const lines = withoutCode(markdown)
    .split('\n')
    .map((line) => {
      if (/^\s*(?:\||#{1,6} )/.test(line) || line.trim() === '') return '\n';
      return line.replace(/^\s*(?:[-*+]|\d+\.|>)\s+/, '\n');
    });
  const paragraphs = lines.join(' ').split('\n');
  return paragraphs
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?][)”"*]*)(?<!\b(?:e\.g|i\.e|vs|etc)\.)\s+/))
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

/** @param {string} sentence */
export const wordsOf = (sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}§]/u.test(word)).length;

/** Comments of JavaScript, TypeScript, CSS or Rust; lines that follow each other are one comment. @param {string} code @returns {string[]} */
export function commentsOf(code) {
  /** @type {string[]} */
  const comments = [];
  let isBlock = false;
  let isContinued = false;
  const add = (/** @type {string} */ text) => {
    if (isContinued) comments.push(`${comments.pop()} ${text}`);
    else comments.push(text);
  };
  for (const line of code.split('\n')) {
    const bare = line.trim();
    if (isBlock) {
      add(bare.replace(/^\*(?!\/) ?/, '').replace(/\*\/.*$/, ''));
      isBlock = !bare.includes('*/');
      isContinued = isBlock;
    } else if (bare.startsWith('/*') && !bare.includes('*/')) {
      isContinued = false;
      add(bare.replace(/^\/\*+/, ''));
      isBlock = true;
      isContinued = true;
    } else if (bare.startsWith('//')) {
      add(bare.replace(/^\/\/[/!]?/, ''));
      isContinued = true;
    } else {
      isContinued = false;
      for (const [, inner = ''] of bare.matchAll(/\/\*+(.*?)\*\//g)) add(inner);
      const [, trailing] = /[\s;{}(),]\/\/ (.*)$/.exec(bare) ?? [];
      if (trailing !== undefined) add(trailing);
    }
  }
  return comments;
}

/** Texts of a program: the string literals of more than one word in its code. @param {string} code @returns {string[]} */
export function textsOf(code) {
  return code.split('\n').flatMap((line) => {
    if (/^\s*(?:\/\/|\/?\*)/.test(line)) return [];
    const literals = line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`?/g) ?? [];
    return literals.map((literal) => literal.slice(1, -1)).filter((text) => text.includes(' '));
  });
}

/** Titles of a file's tests: the text of `test('…')`, or the name of a Rust test as words. @param {string} code @returns {string[]} */
export function titlesOf(code) {
  const inJavaScript = code.matchAll(/^ *(?:test|it|describe)(?:\.\w+)?\(\s*(['"`])(.*?)(?<!\\)\1/gm);
  const inRust = code.matchAll(/#\[test\]\s*(?:#\[.*\]\s*)*fn (\w+)/g);
  return [
    ...Array.from(inJavaScript, ([, , title = '']) => title),
    ...Array.from(inRust, ([, name = '']) => name.replaceAll('_', ' ')),
  ];
}

/** @param {string} text plain, without code @returns {string[]} */
export function idiomsIn(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  return IDIOMS.flatMap(([idiom, plain]) =>
    Array.from(line.matchAll(new RegExp(idiom, 'gi')), ([found]) => `“${found}” (${plain})`),
  );
}

/** @returns {string[]} */
function commentedFiles() {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  );
  return names.filter((name) => COMMENTED.test(name) && !NOT_OURS.test(name)).sort();
}

/** @returns {Record<Check, Finding[]>} */
export function findings() {
  const texts = pages().map((file) => ({ file, text: textOf(file) }));
  const inPages = texts.flatMap(({ file, text }) =>
    idiomsIn(withoutQuotations(withoutCode(text))).map((what) => ({ file, what, text: '' })),
  );
  const long = texts.flatMap(({ file, text }) =>
    sentencesOf(text)
      .filter((sentence) => wordsOf(sentence) > MOST_WORDS)
      .map((sentence) => ({ file, what: `${wordsOf(sentence)} words`, text: sentence })),
  );
  const files = commentedFiles();
  const inCode = (/** @type {(code: string) => string[]} */ extract, searched = files) =>
    searched.flatMap((file) =>
      extract(textOf(file)).flatMap((text) =>
        idiomsIn(withoutQuotations(text.replaceAll(/`[^`]*`/g, '§x'))).map((what) => ({
          file,
          what,
          text: text.trim(),
        })),
      ),
    );
  return {
    idiomsInPages: inPages,
    longSentences: long,
    idiomsInComments: inCode(commentsOf),
    idiomsInTexts: inCode(
      textsOf,
      files.filter((file) => !NO_TEXTS.test(file)),
    ),
    idiomsInTitles: inCode(titlesOf),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const word = process.argv[2] ?? '';
  for (const { file, what, text } of Object.values(findings()).flat()) {
    if (file.includes(word)) process.stdout.write(`${file}: ${what} ${text.slice(0, 300)}\n`);
  }
}
