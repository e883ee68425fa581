// @ts-check
'use strict';

const {
  checkMessages,
  checkOptions,
  optional,
  readFlag,
  readInteger,
  readLanguage,
  readNumber,
} = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { wrapLine } = require('../display-width.js');
const { contentsOf, readable } = require('./contents.js');
const { plainText } = require('./escape-sequences.js');
const { formatCount } = require('./format.js');
const { headlineOf } = require('./headline.js');
const { HIDDEN, nameOfHidden } = require('./hidden-characters.js');
const { TEXTS } = require('./texts.js');
const { totalsOf } = require('./totals.js');
const { walk } = require('./walk.js');

/**
 * @typedef {import('./contents.js').Contents} Contents
 * @typedef {import('./walk.js').Step} Step
 * @typedef {(text: string) => string} Style
 * @typedef {{
 *   width: number, language: import('./texts.js').Language, originals: boolean, maxCharacters: number,
 *   styles: Record<'bold' | 'dim' | 'point' | 'cut' | 'red' | import('./contents.js').Role, Style>,
 * }} Look
 */

const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 20;
const MAX_WIDTH = 1_000;
const DEFAULT_MAX_CHARACTERS = 2_000;
/** Maximum number of bars; deeper levels get no further ones. */
const MAX_BARS = 6;
const PRINTABLE_ASCII = /^[\n -~]*$/;
const HIDDEN_EVERYWHERE = new RegExp(HIDDEN.source, 'gu');

/** @param {readonly any[]} messages @param {unknown} [options] @returns {string} */
function renderCompressionHistory(messages, options) {
  checkMessages(messages);
  const look = lookFrom(checkOptions(options, OPTIONS.renderHistory) ?? {});
  /** @type {string[]} */ const lines = [];
  /** @type {WeakMap<object, Contents[]>} */ const known = new WeakMap();
  for (const step of walk(messages, look.originals)) {
    if (!('level' in step)) {
      edgeLines(step, look, lines);
      continue;
    }
    const { level, index, point } = step;
    const all = known.get(level.messages) ?? contentsOf(level.messages);
    known.set(level.messages, all);
    const said = /** @type {Contents} */ (all[index]);
    if (point === undefined) messageLines(said, step.depth, look, lines);
    else pointLines(said, point, step.depth, look, lines);
  }
  return `${[totalLine(totalsOf(messages), look), ...lines].join('\n')}\n`;
}

/** @param {Record<string, unknown>} given @returns {Look} */
function lookFrom({ color, width, language, originals, maxCharacters }) {
  const isColoured = optional(readFlag, 'options.color', color) ?? false;
  const style =
    (/** @type {number} */ on, /** @type {number} */ off = 39) =>
    (/** @type {string} */ text) =>
      isColoured && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    width: optional(readInteger, 'options.width', width, MIN_WIDTH, MAX_WIDTH) ?? DEFAULT_WIDTH,
    language: optional(readLanguage, 'options.language', language) ?? 'en',
    originals: optional(readFlag, 'options.originals', originals) ?? true,
    maxCharacters: optional(readMost, 'options.maxCharacters', maxCharacters) ?? DEFAULT_MAX_CHARACTERS,
    styles: {
      bold: style(1, 22),
      dim: style(2, 22),
      point: style(35),
      cut: style(33),
      red: style(31),
      system: style(2, 22),
      user: style(34),
      assistant: style(32),
      tool: style(33),
      other: style(2, 22),
    },
  };
}

/** @param {string} name @param {unknown} value */
function readMost(name, value) {
  const isCount = (/** @type {number} */ most) =>
    most === Number.POSITIVE_INFINITY || (Number.isSafeInteger(most) && most >= 1);
  return readNumber(name, value, isCount, 'a positive integer or Infinity');
}

/** @param {import('./totals.js').Totals} totals @param {Look} look */
function totalLine({ messages, points, tokensSaved }, { language, styles }) {
  const texts = TEXTS[language];
  if (messages + points === 0) return texts.empty;
  const count = (/** @type {number} */ value) => formatCount(value, language);
  const parts = [texts.total(count(messages))];
  if (points > 0) parts.push(texts.points(count(points)));
  if (tokensSaved > 0) parts.push(texts.savedInAll(count(tokensSaved)));
  return styles.bold(parts.join(' · '));
}

/** @param {Contents} said @param {number} depth @param {Look} look @param {string[]} lines */
function messageLines(
  { role, text, calls, answers, isFailed, isRepeated, isShortened, hasThinking },
  depth,
  look,
  lines,
) {
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
  lines.push(
    bars(depth, look),
    `${bars(depth, look)}${styles.bold(styles[role](texts.roles[role]))}${suffix}${failed}`,
  );
  if (text !== '') push(text, depth, look, lines);
  for (const { name, input } of calls) push(`→ ${inline(name)} ${readable(input)}`, depth, look, lines, styles.tool);
  if (text === '' && calls.length === 0) push(texts.nothingSaid, depth, look, lines, styles.dim);
}

/** @param {Contents} said @param {import('./point.js').Point} point @param {number} depth @param {Look} look @param {string[]} lines */
function pointLines({ text }, point, depth, look, lines) {
  const { language, styles, originals } = look;
  const { title, time, figures } = headlineOf(point, language);
  const style = point.kind === 'truncation' ? styles.cut : styles.point;
  const when = time === undefined ? '' : styles.dim(` · ${time.text}`);
  const sign = originals ? '▼' : '▶';
  lines.push(bars(depth, look).trimEnd(), `${bars(depth, look)}${styles.bold(style(`${sign} ${title}`))}${when}`);
  if (figures.length > 0) push(figures.map(inline).join(' · '), depth, look, lines);
  push(text, depth, look, lines, styles.dim);
}

/** @param {Exclude<Step, { level: any }>} step @param {Look} look @param {string[]} lines */
function edgeLines({ kind, depth }, look, lines) {
  const texts = TEXTS[look.language];
  const { styles } = look;
  if (kind === 'end') lines.push(`${bars(depth - 1, look)}${styles.point('└')} ${styles.dim(texts.end)}`);
  else if (kind === 'archive') push(texts.inArchive, depth - 1, look, lines, styles.dim);
  else push(texts.damaged, depth - 1, look, lines, styles.red);
}

/** @param {number} depth @param {Look} look */
function bars(depth, { styles }) {
  return depth === 0 ? '' : `${styles.point('│ '.repeat(Math.min(depth, MAX_BARS)).trimEnd())} `;
}

/** @param {string} text @param {number} depth @param {Look} look @param {string[]} lines @param {Style} [style] */
function push(text, depth, look, lines, style = (line) => line) {
  const { width, maxCharacters, language, styles } = look;
  const plain = plainText(text);
  const isCut = plain.length > maxCharacters;
  const room = Math.max(2, width - 2 * Math.min(depth, MAX_BARS) - 2);
  const margin = `${bars(depth, look)}  `;
  for (const line of visible(isCut ? plain.slice(0, maxCharacters) : plain).split('\n')) {
    for (const part of wrapLine(line, room)) lines.push(`${margin}${style(part)}`.trimEnd());
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

/** @param {string} text */
function inline(text) {
  return visible(plainText(text)).replaceAll('\n', ' ');
}

module.exports = { renderCompressionHistory };
