// @ts-check
import contents from '../../lib/history/contents.js';
import headline from '../../lib/history/headline.js';
import shared from '../../lib/history/texts.js';
import { h } from '../base/dom.js';
import { formatCount } from '../base/format.js';
import { SHOWN_UNITS, safeFragment, safeText } from '../base/safe-text.js';
import { legible } from '../picture/naming.js';
import { WORDS } from './words.js';

/**
 * @typedef {import('./outline.js').Row} Row
 * @typedef {import('./outline.js').Contents} Contents
 * @typedef {{ part: number, from: number, to: number }} Match
 * @typedef {object} Place
 * @property {import('../base/language.js').Language} language
 * @property {RegExp | undefined} pattern search pattern
 * @property {Match | undefined} current selected match, if it is in this row
 * @property {boolean} isOpen true for an open compression
 * @property {boolean} isJson
 * @property {import('./outline.js').Prompt | undefined} prompt set for user messages
 * @property {string} headingLevel
 * @property {string} activateLabel empty: no button
 * @property {(action: Action, row: Row) => void} act
 * @typedef {'toggle' | 'copy' | 'json' | 'retry' | 'activate'} Action
 */

/** UTF-16 units that are shown at first. User and assistant messages get more, since people read them; outputs are rarely read. */
const SHOWN_AT_FIRST = {
  system: 400,
  tool: 600,
  call: 400,
  user: SHOWN_UNITS,
  assistant: SHOWN_UNITS,
  other: 600,
};

/** Lines shown of a summary; fewer when it is open, so that its originals are in view. */
const LINES_FOLDED = 12;
const LINES_OPEN = 4;
const UNITS_OF_LINE = 60;

/** Length of the first `lines` lines in UTF-16 units. @param {string} text @param {number} lines */
function unitsOfLines(text, lines) {
  let end = -1;
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf('\n', end + 1);
    if (next === -1 || next > lines * UNITS_OF_LINE) return lines * UNITS_OF_LINE;
    end = next;
  }
  return end;
}

/** @param {Row} row @param {Contents} contents @param {Place} place @returns {HTMLElement} */
export function messageRow(row, contents, place) {
  const texts = shared.TEXTS[place.language];
  const { role, answers, isFailed, isRepeated, isShortened, hasThinking } = contents;
  const details = role === 'tool' || answers.length > 0 ? texts.result(answers.join(', ')) : '';
  const badges = [
    isFailed && h('span', { class: 'badge failed' }, texts.failed),
    isRepeated && h('span', { class: 'badge' }, texts.repeated),
    isShortened && h('span', { class: 'badge' }, texts.shortened),
    hasThinking && h('span', { class: 'badge' }, texts.thinking),
  ];
  return h(
    'article',
    {
      class: `row message role-row-${role}${place.prompt === undefined ? '' : ' is-prompt'}`,
      part: `message message-${role}`,
      'aria-label': `${texts.roles[role]} ${details}`.trim(),
    },
    h(
      'div',
      { class: 'head' },
      h('span', { class: `role role-${role}`, part: 'role', ...headingOf(place) }, texts.roles[role]),
      place.prompt && h('span', { class: 'detail' }, promptName(place.prompt, place)),
      details !== '' && h('span', { class: 'detail' }, safeFragment(details)),
      ...badges,
      actions(row, place),
    ),
    ...(place.isJson ? [jsonOf(row, place)] : parts(contents, place)),
  );
}

/** @param {import('./outline.js').Prompt} prompt @param {Place} place */
function promptName({ number }, { language }) {
  return WORDS[language].prompt(formatCount(number, language));
}

/** A heading, so that screen reader users can jump between prompts. @param {Place} place */
function headingOf({ prompt, headingLevel, ...place }) {
  if (prompt === undefined) return {};
  const [line = ''] = prompt.text.trim().split('\n', 1);
  const name = `${promptName(prompt, /** @type {Place} */ (place))}: ${legible(line)}`;
  return { role: 'heading', 'aria-level': headingLevel, 'aria-label': name };
}

/** @param {Contents} said @param {Place} place @returns {HTMLElement[]} */
function parts({ role, text, calls }, place) {
  const made = [];
  const isTool = role === 'tool' || role === 'other';
  if (text !== '') made.push(partOf(text, 0, SHOWN_AT_FIRST[role], place, isTool ? 'part tool-text' : 'part'));
  calls.forEach(({ name, input }, at) => {
    const readable = contents.readable(input);
    const heading = h('div', { class: 'call-name', part: 'call-name' }, safeFragment(name, marks(place, at * 2 + 1)));
    const block = readable === '' ? null : partOf(readable, at * 2 + 2, SHOWN_AT_FIRST.call, place, 'tool-text');
    made.push(h('div', { class: 'part call', part: 'call' }, heading, block));
  });
  if (made.length === 0) made.push(h('div', { class: 'part nothing' }, shared.TEXTS[place.language].nothingSaid));
  return made;
}

/** @param {string} text @param {number} part @param {number} limit @param {Place} place @param {string} className */
function partOf(text, part, limit, place, className) {
  const element = safeText(text, { ...marks(place, part), language: place.language, limit });
  element.classList.add(...className.split(' '));
  return element;
}

/** @param {Place} place @param {number} part */
function marks({ pattern, current }, part) {
  return { pattern, current: current?.part === part ? current.from : undefined };
}

/** Undefined if the message contains a cycle, a bigint or a getter that throws. @param {any} message */
export function asJson(message) {
  try {
    return JSON.stringify(message, null, 2);
  } catch {
    return undefined;
  }
}

/** @param {Row} row @param {Place} place */
function jsonOf({ level, index }, { language, pattern }) {
  const json = asJson(level.messages[index]) ?? WORDS[language].unreadable;
  const element = safeText(json, { language, pattern });
  element.classList.add('part', 'json');
  return element;
}

/** @param {Row} row @param {Contents} contents @param {Place} place @returns {HTMLElement} */
export function pointRow(row, contents, place) {
  const { language, isOpen, act } = place;
  const point = /** @type {import('./outline.js').Point} */ (row.point);
  const { title, time, figures } = headline.headlineOf(point, language);
  const { expand, collapse } = WORDS[language];
  const originals = originalsIn(point, language);
  const button = h(
    'button',
    {
      type: 'button',
      class: 'disclosure',
      part: 'disclosure',
      'aria-expanded': String(isOpen),
      onclick: () => act('toggle', row),
    },
    h('span', { class: 'arrow', 'aria-hidden': 'true' }),
    isOpen ? collapse(originals) : expand(originals),
  );
  const card = h(
    'div',
    { class: `card ${point.kind}`, part: `point point-${point.kind}` },
    h(
      'div',
      { class: 'head' },
      h('strong', { class: 'title', part: 'point-title' }, title),
      time && h('time', { datetime: time.datetime, part: 'time' }, time.text),
      actions(row, place),
    ),
    h('ul', { class: 'figures', part: 'figures' }, ...figures.map((figure) => h('li', {}, safeFragment(figure)))),
    button,
    place.isJson
      ? jsonOf(row, place)
      : partOf(contents.text, 0, unitsOfLines(contents.text, isOpen ? LINES_OPEN : LINES_FOLDED), place, 'summary'),
  );
  const label = [title, time?.text, ...figures].filter(Boolean).join(', ');
  return h('article', { class: 'row point', part: 'point-row', 'aria-label': label }, card);
}

/** @param {import('./outline.js').Point | undefined} point @param {import('../base/language.js').Language} language */
function originalsIn(point, language) {
  const texts = shared.TEXTS[language];
  const originalCount = point?.originalCount ?? null;
  return originalCount === null ? texts.someOriginals : texts.originals(formatCount(originalCount, language));
}

/** The row that ends a compression's messages, or says why there are none. @param {Row} row @param {Place} place @returns {HTMLElement} */
export function edgeRow(row, place) {
  const { language, act } = place;
  const [words, texts] = [WORDS[language], shared.TEXTS[language]];
  const button = (/** @type {Action} */ action, /** @type {string} */ text) =>
    h('button', { type: 'button', onclick: () => act(action, row) }, text);
  if (row.kind === 'end') {
    const line = h(
      'div',
      { class: 'line' },
      texts.end,
      button('toggle', words.collapse(originalsIn(row.point, language))),
    );
    return h('article', { class: 'row end', part: 'end', 'aria-label': texts.end }, line);
  }
  const status = {
    archive: texts.inArchive,
    foreign: words.foreign,
    loading: words.loading,
    failed: words.failed,
    damaged: texts.damaged,
  }[/** @type {import('./outline.js').State} */ (row.kind)];
  const isWrong = row.kind !== 'loading' && row.kind !== 'archive';
  const spinner = row.kind === 'loading' && h('span', { class: 'spinner', 'aria-hidden': 'true' });
  const line = h('div', { class: 'line' }, spinner, status, row.kind === 'failed' && button('retry', words.retry));
  return h(
    'article',
    { class: `row state${isWrong ? ' is-wrong' : ''}`, part: `state state-${row.kind}`, 'aria-label': status },
    line,
  );
}

/** @param {Row} row @param {Place} place */
function actions(row, { language, isJson, activateLabel, act }) {
  const words = WORDS[language];
  const named = /** @type {[Action, string][]} */ ([
    ['copy', words.copy],
    ['json', isJson ? words.text : words.json],
    ...(activateLabel === '' ? [] : [['activate', activateLabel]]),
  ]);
  const buttons = named.map(([name, text]) =>
    h('button', { type: 'button', tabindex: -1, class: `action-${name}`, onclick: () => act(name, row) }, text),
  );
  return h('div', { class: 'actions', part: 'actions' }, ...buttons);
}
