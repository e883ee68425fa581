// @ts-check
/**
 * Renders rows of the list: messages, points (the summaries and notices of compressions), and the rows around originals.
 *
 * @import { Contents, Point, Prompt, Row, State } from './outline.js'
 * @import { Language } from '../base/language.js'
 * @typedef {{ part: number, from: number, to: number }} Match `part`: as in {@link parts}
 * @typedef {object} RowContext what a row's appearance depends on besides its message
 * @property {Language} language
 * @property {RegExp | undefined} pattern search pattern
 * @property {Match | undefined} current selected match, if it is in this row
 * @property {boolean} isOpen true for an open compression
 * @property {boolean} isJson true if the message is shown as JSON
 * @property {Prompt | undefined} prompt set for user messages
 * @property {string} headingLevel
 * @property {string} activateLabel empty: no button
 * @property {(action: Action, row: Row) => void} act
 * @typedef {'toggle' | 'copy' | 'json' | 'retry' | 'activate'} Action
 */
import contents from '../../lib/history/contents.js';
import headline from '../../lib/history/point.js';
import shared from '../../lib/history/texts.js';
import { h } from '../base/dom.js';
import { formatCount } from '../base/format.js';
import { SHOWN_UNITS, safeFragment, safeText } from '../base/safe-text.js';
import { legible } from '../picture/naming.js';
import { WORDS } from './words.js';

/** UTF-16 units that are shown at first. User and assistant messages get more: people rarely read outputs. */
const SHOWN_AT_FIRST = {
  system: 400,
  tool: 600,
  call: 400,
  user: SHOWN_UNITS,
  assistant: SHOWN_UNITS,
  other: 600,
};

/** Lines shown of a summary; fewer when it is open, so that its originals are in view. */
const LINES_CLOSED = 12;
const LINES_OPEN = 4;
/** Estimated length of a line, UTF-16 units. */
const LINE_UNITS = 60;

/** UTF-16 units of the first `lines` lines, at most `lines * LINE_UNITS`. @param {string} text @param {number} lines */
function unitsOfLines(text, lines) {
  let end = -1;
  for (let line = 0; line < lines; line++) {
    const next = text.indexOf('\n', end + 1);
    if (next === -1 || next > lines * LINE_UNITS) return lines * LINE_UNITS;
    end = next;
  }
  return end;
}

/**
 * The row of a message.
 * @param {Row} row @param {Contents} contents @param {RowContext} context @returns {HTMLElement}
 */
export function messageRow(row, contents, context) {
  const texts = shared.TEXTS[context.language];
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
      class: `row message role-row-${role}${context.prompt === undefined ? '' : ' is-prompt'}`,
      part: `message message-${role}`,
      'aria-label': `${texts.roles[role]} ${details}`.trim(),
    },
    h(
      'div',
      { class: 'head' },
      h('span', { class: `role role-${role}`, part: 'role', ...headingOf(context) }, texts.roles[role]),
      context.prompt && h('span', { class: 'detail' }, promptName(context.prompt, context.language)),
      details !== '' && h('span', { class: 'detail' }, safeFragment(details)),
      ...badges,
      actions(row, context),
    ),
    ...(context.isJson ? [jsonOf(row, context)] : parts(contents, context)),
  );
}

/** @param {Prompt} prompt @param {Language} language */
function promptName({ number }, language) {
  return WORDS[language].prompt(formatCount(number, language));
}

/** A heading, so that screen reader users can jump between prompts. @param {RowContext} context */
function headingOf({ prompt, headingLevel, language }) {
  if (prompt === undefined) return {};
  const [line = ''] = prompt.text.trim().split('\n', 1);
  const name = `${promptName(prompt, language)}: ${legible(line)}`;
  return { role: 'heading', 'aria-level': headingLevel, 'aria-label': name };
}

/**
 * A message's text and calls. Matches number the texts as `searchable` in `lib/history/contents.js` does: 0 is the text,
 * then the name and the input of each call.
 * @param {Contents} said @param {RowContext} context @returns {HTMLElement[]}
 */
function parts({ role, text, calls }, context) {
  const elements = [];
  const isTool = role === 'tool' || role === 'other';
  if (text !== '') elements.push(partOf(text, 0, SHOWN_AT_FIRST[role], context, isTool ? 'part tool-text' : 'part'));
  calls.forEach(({ name, input }, index) => {
    const readable = contents.readable(input);
    const shownName = safeFragment(name, highlightOf(context, index * 2 + 1));
    const heading = h('div', { class: 'call-name', part: 'call-name' }, shownName);
    const block = readable === '' ? null : partOf(readable, index * 2 + 2, SHOWN_AT_FIRST.call, context, 'tool-text');
    elements.push(h('div', { class: 'part call', part: 'call' }, heading, block));
  });
  if (elements.length === 0)
    elements.push(h('div', { class: 'part nothing' }, shared.TEXTS[context.language].nothingSaid));
  return elements;
}

/**
 * A text with matches highlighted.
 * @param {string} text @param {number} part @param {number} limit @param {RowContext} context
 * @param {string} className
 */
function partOf(text, part, limit, context, className) {
  const element = safeText(text, { ...highlightOf(context, part), language: context.language, limit });
  element.classList.add(...className.split(' '));
  return element;
}

/** @param {RowContext} context @param {number} part */
function highlightOf({ pattern, current }, part) {
  return { pattern, current: current?.part === part ? current.from : undefined };
}

/** The message as JSON; undefined if it contains a cycle, a bigint or a getter that throws. @param {any} message */
export function asJson(message) {
  try {
    return JSON.stringify(message, null, 2);
  } catch {
    return undefined;
  }
}

/** @param {Row} row @param {RowContext} context */
function jsonOf({ level, index }, { language, pattern }) {
  const json = asJson(level.messages[index]) ?? WORDS[language].unreadable;
  const element = safeText(json, { language, pattern });
  element.classList.add('part', 'json');
  return element;
}

/**
 * The row of a compression: its figures and its summary.
 * @param {Row} row @param {Contents} contents @param {RowContext} context @returns {HTMLElement}
 */
export function pointRow(row, contents, context) {
  const { language, isOpen, act } = context;
  const point = /** @type {Point} */ (row.point);
  const { title, time, figures } = headline.headlineOf(point, language);
  const { expand, collapse } = WORDS[language];
  const originals = originalsText(point, language);
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
      actions(row, context),
    ),
    h('ul', { class: 'figures', part: 'figures' }, ...figures.map((figure) => h('li', {}, safeFragment(figure)))),
    button,
    context.isJson
      ? jsonOf(row, context)
      : partOf(contents.text, 0, unitsOfLines(contents.text, isOpen ? LINES_OPEN : LINES_CLOSED), context, 'summary'),
  );
  const label = [title, time?.text, ...figures].filter(Boolean).join(', ');
  return h('article', { class: 'row point', part: 'point-row', 'aria-label': label }, card);
}

/** @param {Point | undefined} point @param {Language} language */
function originalsText(point, language) {
  const texts = shared.TEXTS[language];
  const originalCount = point?.originalCount ?? null;
  return originalCount === null ? texts.someOriginals : texts.originals(formatCount(originalCount, language));
}

/**
 * The row that ends a compression's messages, or says why there are none.
 * @param {Row} row @param {RowContext} context @returns {HTMLElement}
 */
export function edgeRow(row, context) {
  const { language, act } = context;
  const [words, texts] = [WORDS[language], shared.TEXTS[language]];
  const button = (/** @type {Action} */ action, /** @type {string} */ text) =>
    h('button', { type: 'button', onclick: () => act(action, row) }, text);
  if (row.kind === 'end') {
    const line = h(
      'div',
      { class: 'line' },
      texts.end,
      button('toggle', words.collapse(originalsText(row.point, language))),
    );
    return h('article', { class: 'row end', part: 'end', 'aria-label': texts.end }, line);
  }
  const status = {
    archive: texts.inArchive,
    foreign: words.foreign,
    loading: words.loading,
    failed: words.failed,
    damaged: texts.damaged,
  }[/** @type {State} */ (row.kind)];
  const isWrong = row.kind !== 'loading' && row.kind !== 'archive';
  const spinner = row.kind === 'loading' && h('span', { class: 'spinner', 'aria-hidden': 'true' });
  const line = h('div', { class: 'line' }, spinner, status, row.kind === 'failed' && button('retry', words.retry));
  return h(
    'article',
    { class: `row state${isWrong ? ' is-wrong' : ''}`, part: `state state-${row.kind}`, 'aria-label': status },
    line,
  );
}

/** The buttons of a row. @param {Row} row @param {RowContext} context */
function actions(row, { language, isJson, activateLabel, act }) {
  const words = WORDS[language];
  const labelled = /** @type {[action: Action, label: string][]} */ ([
    ['copy', words.copy],
    ['json', isJson ? words.text : words.json],
    ...(activateLabel === '' ? [] : [['activate', activateLabel]]),
  ]);
  const buttons = labelled.map(([action, label]) =>
    h('button', { type: 'button', tabindex: -1, class: `action-${action}`, onclick: () => act(action, row) }, label),
  );
  return h('div', { class: 'actions', part: 'actions' }, ...buttons);
}
