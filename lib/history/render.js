// @ts-check
'use strict';

const { checkMessages, checkOptions, optional, readFlag, readInteger, readLanguage } = require('../arguments.js');
const { readNumber } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { wrapLine } = require('../display-width.js');
const { plainText, HIDDEN, nameOfHidden } = require('./hidden-characters.js');
const { formatCount } = require('./format.js');
const { headlineOf } = require('./point.js');
const { TEXTS } = require('./texts.js');
const { contentsOf, readable, totalsOf, walk } = require('./levels.js');

/**
 * @typedef {import('./levels.js').Contents} Contents
 * @typedef {import('./levels.js').Step} Step
 * @typedef {(text: string) => string} Style
 *
 * How a history is shown. `originals`: with the originals of compressions; `maxCharacters`: of each text, figures included.
 * @typedef {{
 *   width: number, language: import('./texts.js').Language, originals: boolean, maxCharacters: number,
 *   styles: Record<'bold' | 'dim' | 'point' | 'cut' | 'red' | import('./levels.js').Role, Style>,
 * }} Look
 */

/** Maximum number of bars; deeper levels get no further ones. */ const MAX_BARS = 6;
const PRINTABLE_ASCII = /^[\n -~]*$/;
const HIDDEN_EVERYWHERE = new RegExp(HIDDEN.source, 'gu');

/** Writes a history as text for a terminal. @param {readonly any[]} messages @param {unknown} [options] @returns {string} */
function renderCompressionHistory(messages, options) {
  checkMessages(messages);
  const look = lookFrom(checkOptions(options, OPTIONS.renderHistory) ?? {});
  /** @type {string[]} */ const lines = [];
  /** Keyed by a level's messages. @type {WeakMap<object, Contents[]>} */ const contentsByLevel = new WeakMap();
  for (const step of walk(messages, look.originals)) {
    if (!('level' in step)) {
      addEdge(step, look, lines);
      continue;
    }
    const { level, index, point, depth } = step;
    const levelContents = contentsByLevel.get(level.messages) ?? contentsOf(level.messages);
    contentsByLevel.set(level.messages, levelContents);
    const contents = /** @type {Contents} */ (levelContents[index]);
    if (point === undefined) addMessage(contents, depth, look, lines);
    else addPoint(contents, point, depth, look, lines);
  }
  return `${[totalLine(totalsOf(messages), look), ...lines].join('\n')}\n`;
}

/** @param {Record<string, unknown>} given @returns {Look} */
function lookFrom({ color, width, language, originals, maxCharacters }) {
  const isColoured = optional(readFlag, 'options.color', color) ?? false;
  const expected = 'a positive integer or Infinity';
  const isMaximum = (/** @type {number} */ count) =>
    count >= 1 && (Number.isSafeInteger(count) || count === Number.POSITIVE_INFINITY);
  // Codes that start and end a style; 39 is the default colour.
  const style =
    (/** @type {number} */ on, /** @type {number} */ off = 39) =>
    (/** @type {string} */ text) =>
      isColoured && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  const [dim, yellow] = [style(2, 22), style(33)];
  const roleStyles = { system: dim, user: style(34), assistant: style(32), tool: yellow, other: dim };
  return {
    width: optional(readInteger, 'options.width', width, 20, 1_000) ?? 80,
    language: optional(readLanguage, 'options.language', language) ?? 'en',
    originals: optional(readFlag, 'options.originals', originals) ?? true,
    maxCharacters: readNumber('options.maxCharacters', maxCharacters ?? 2_000, isMaximum, expected),
    styles: { bold: style(1, 22), dim, point: style(35), cut: yellow, red: style(31), ...roleStyles },
  };
}

/** @param {import('./levels.js').Totals} totals @param {Look} look */
function totalLine({ messages, points, tokensSaved }, { language, styles }) {
  const texts = TEXTS[language];
  if (messages + points === 0) return texts.empty;
  const count = (/** @type {number} */ value) => formatCount(value, language);
  const parts = [texts.total(count(messages))];
  if (points > 0) parts.push(texts.points(count(points)));
  if (tokensSaved > 0) parts.push(texts.savedInAll(count(tokensSaved)));
  return styles.bold(parts.join(' · '));
}

/** Adds the lines of a message. @param {Contents} contents @param {number} depth @param {Look} look @param {string[]} lines */
function addMessage(contents, depth, look, lines) {
  const { role, text, calls, answers, isFailed, isRepeated, isShortened, hasThinking } = contents;
  const { language, styles } = look;
  const texts = TEXTS[language];
  const notes = [
    (role === 'tool' || answers.length > 0) && texts.result(inline(answers.join(', '))),
    isRepeated && texts.repeated,
    isShortened && texts.shortened,
    hasThinking && texts.thinking,
  ].filter((note) => typeof note === 'string');
  const failed = isFailed ? ` ${styles.red(texts.failed)}` : '';
  const suffix = notes.length > 0 ? styles.dim(` · ${notes.join(' · ')}`) : '';
  const margin = bars(depth, look);
  lines.push(margin.trimEnd(), `${margin}${styles.bold(styles[role](texts.roles[role]))}${suffix}${failed}`);
  if (text !== '') addText(text, depth, look, lines);
  for (const { name, input } of calls) addText(`→ ${inline(name)} ${readable(input)}`, depth, look, lines, styles.tool);
  if (text === '' && calls.length === 0) addText(texts.nothingSaid, depth, look, lines, styles.dim);
}

/** Adds the lines of a compression. @param {Contents} contents @param {import('./point.js').Point} point @param {number} depth @param {Look} look @param {string[]} lines */
function addPoint({ text }, point, depth, look, lines) {
  const { language, styles, originals } = look;
  const { title, time, figures } = headlineOf(point, language);
  const style = point.kind === 'truncation' ? styles.cut : styles.point;
  const when = time === undefined ? '' : styles.dim(` · ${time.text}`);
  const [margin, sign] = [bars(depth, look), originals ? '▼' : '▶'];
  lines.push(margin.trimEnd(), `${margin}${styles.bold(style(`${sign} ${title}`))}${when}`);
  if (figures.length > 0) addText(figures.map(inline).join(' · '), depth, look, lines);
  addText(text, depth, look, lines, styles.dim);
}

/** Adds the end of a compression's originals, or why they aren't shown. @param {Exclude<Step, { level: any }>} step @param {Look} look @param {string[]} lines */
function addEdge({ kind, depth }, look, lines) {
  const texts = TEXTS[look.language];
  const { styles } = look;
  if (kind === 'end') lines.push(`${bars(depth - 1, look)}${styles.point('└')} ${styles.dim(texts.end)}`);
  else if (kind === 'archive') addText(texts.inArchive, depth - 1, look, lines, styles.dim);
  else addText(texts.damaged, depth - 1, look, lines, styles.red);
}

/** The bars on the left, one for each level. @param {number} depth @param {Look} look */
function bars(depth, { styles }) {
  return depth === 0 ? '' : `${styles.point('│ '.repeat(Math.min(depth, MAX_BARS)).trimEnd())} `;
}

/** Adds a text, wrapped and cut to `maxCharacters`. @param {string} text @param {number} depth @param {Look} look @param {string[]} lines @param {Style} [style] */
function addText(text, depth, look, lines, style = (line) => line) {
  const { width, maxCharacters, language, styles } = look;
  const plain = plainText(text);
  const isCut = plain.length > maxCharacters;
  const textWidth = Math.max(2, width - 2 * Math.min(depth, MAX_BARS) - 2);
  const margin = `${bars(depth, look)}  `;
  for (const line of visible(isCut ? plain.slice(0, maxCharacters) : plain).split('\n')) {
    for (const part of wrapLine(line, textWidth)) lines.push(`${margin}${style(part)}`.trimEnd());
  }
  if (!isCut) return;
  const rest = formatCount(plain.length - maxCharacters, language);
  lines.push(`${margin}${styles.dim(TEXTS[language].more(rest))}`);
}

/** Makes characters visible that a terminal would interpret or hide. @param {string} text */
function visible(text) {
  const spaced = text.replaceAll('\r\n', '\n').replaceAll('\t', '    ');
  if (PRINTABLE_ASCII.test(spaced)) return spaced;
  return spaced.replace(HIDDEN_EVERYWHERE, (character) => `‹${nameOfHidden(character)}›`);
}

/** A text in one line. @param {string} text */
const inline = (text) => visible(plainText(text)).replaceAll('\n', ' ');

module.exports = { renderCompressionHistory };
