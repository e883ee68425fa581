// @ts-check
/**
 * Renders rows: messages, points (summaries and notices of compressions), and the rows around originals.
 * @import { Contents, Point, Row, State } from './outline.js'
 * @import { Words } from './words.js'
 * @typedef {ReturnType<import('./row-list.js').RowList['contextOf']>} RowContext
 * @typedef {'toggle' | 'copy' | 'json' | 'retry' | 'activate'} Action
 */
import contentsReader from '../../lib/history/levels.js';
import headline from '../../lib/history/point.js';
import { h } from '../base/dom.js';
import { legible, SHOWN_UNITS, safeFragment, safeText } from '../base/safe-text.js';

/** UTF-16 units that are shown at first. User and assistant messages get more: people rarely read outputs. */
const SHOWN_AT_FIRST = { system: 400, tool: 600, call: 400, user: SHOWN_UNITS, assistant: SHOWN_UNITS, other: 600 };

/** Lines shown of a summary; fewer when it is open, so that its originals are in view. */ const LINES_CLOSED = 12;
const LINES_OPEN = 4;
/** Estimated length of a line, UTF-16 units. */ const LINE_UNITS = 60;

/** UTF-16 units of the first `lines` lines, at most `lines * LINE_UNITS`. @param {string} text @param {number} lines */
function unitsOfLines(text, lines) {
  const maxUnits = lines * LINE_UNITS;
  const found = text.split('\n', lines + 1);
  return found.length > lines ? Math.min(maxUnits, found.slice(0, lines).join('\n').length) : maxUnits;
}

/** @param {Row} row @param {Contents} contents @param {RowContext} context */
export function renderMessage(row, contents, context) {
  const { words, prompt, headingLevel } = context;
  const { role, answers, isFailed, isRepeated, isShortened, hasThinking } = contents;
  const details = role === 'tool' || answers.length > 0 ? words.result(answers.join(', ')) : '';
  const number = prompt && words.prompt(words.number(prompt.number));
  const promptName = prompt && `${number}: ${legible(prompt.line)}`;
  // A prompt is a heading, so that screen reader users can jump between prompts.
  const heading = prompt && { role: 'heading', 'aria-level': headingLevel, 'aria-label': promptName };
  const head = h(
    'div.head',
    h('span', { class: `role role-${role}`, part: 'role', ...heading }, words.roles[role]),
    number && h('span.detail', number),
    details !== '' && h('span.detail', safeFragment(details)),
    isFailed && h('span.badge.failed', words.failed),
    isRepeated && h('span.badge', words.repeated),
    isShortened && h('span.badge', words.shortened),
    hasThinking && h('span.badge', words.thinking),
    renderActions(context),
  );
  const attributes = {
    class: `row message role-row-${role}${prompt === undefined ? '' : ' is-prompt'}`,
    part: `message message-${role}`,
    'aria-label': `${words.roles[role]} ${details}`.trim(),
  };
  return h('article', attributes, head, context.isJson ? renderJson(row, context) : renderTexts(contents, context));
}

/**
 * A message's text and calls. A match numbers the texts as `searchable` in `lib/history/levels.js` does: 0 is the
 * text, then the name and the input of each call.
 * @param {Contents} contents @param {RowContext} context @returns {HTMLElement[]}
 */
function renderTexts({ role, text, calls }, context) {
  const elements = [];
  const selector = role === 'tool' || role === 'other' ? 'div.text.part.tool-text' : 'div.text.part';
  if (text !== '') elements.push(renderText(text, 0, SHOWN_AT_FIRST[role], context, selector));
  for (const [call, { name, input }] of calls.entries()) {
    const shownName = safeFragment(name, highlightOf(context, call * 2 + 1));
    const readable = contentsReader.readable(input);
    const block = renderText(readable, call * 2 + 2, SHOWN_AT_FIRST.call, context, 'div.text.tool-text');
    const head = h('div.call-name', { part: 'call-name' }, shownName);
    elements.push(h('div.part.call', { part: 'call' }, head, readable !== '' && block));
  }
  return elements.length > 0 ? elements : [h('div.part.nothing', context.words.nothingSaid)];
}

/**
 * A text with matches highlighted; `limit`: UTF-16 units that are shown at first. @param {string} text
 * @param {number} textIndex @param {number} limit @param {RowContext} context @param {`div.text${string}`} selector
 */
function renderText(text, textIndex, limit, context, selector) {
  return safeText(text, { ...highlightOf(context, textIndex), language: context.words.language, limit }, selector);
}

/** @param {RowContext} context @param {number} textIndex */
function highlightOf({ pattern, selectedMatch }, textIndex) {
  return { pattern, current: selectedMatch?.textIndex === textIndex ? selectedMatch.from : undefined };
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
function renderJson({ level, index }, { words, pattern }) {
  const json = asJson(level.messages[index]) ?? words.unreadable;
  return safeText(json, { language: words.language, pattern }, 'div.text.part.json');
}

/** A compression's figures and its summary. @param {Row} row @param {Contents} contents @param {RowContext} context */
export function renderPoint(row, { text }, context) {
  const { words, isOpen, act } = context;
  const point = /** @type {Point} */ (row.point);
  const { title, time, figures } = headline.headlineOf(point, words.language);
  const originals = originalsText(point, words);
  const units = unitsOfLines(text, isOpen ? LINES_OPEN : LINES_CLOSED);
  const timeElement = time && h('time', { datetime: time.datetime, part: 'time' }, time.text);
  const head = h('div.head', h('strong.title', { part: 'point-title' }, title), timeElement, renderActions(context));
  const list = h('ul.figures', { part: 'figures' }, ...figures.map((figure) => h('li', safeFragment(figure))));
  const toggle = { part: 'disclosure', 'aria-expanded': String(isOpen), onclick: () => act('toggle') };
  const arrow = h('span.arrow', { 'aria-hidden': 'true' });
  const toggleText = isOpen ? words.collapse(originals) : words.expand(originals);
  const disclosure = h('button.disclosure', toggle, arrow, toggleText);
  const summary = context.isJson ? renderJson(row, context) : renderText(text, 0, units, context, 'div.text.summary');
  const attributes = { class: `card ${point.kind}`, part: `point point-${point.kind}` };
  const card = h('div', attributes, head, list, disclosure, summary);
  const label = [title, time?.text, ...figures].filter(Boolean).join(', ');
  return h('article.row.point', { part: 'point-row', 'aria-label': label }, card);
}

/** @param {Point | undefined} point @param {Words} words */
function originalsText(point, words) {
  const count = point?.originalCount ?? null;
  return count === null ? words.someOriginals : words.originals(words.number(count));
}

/** Ends a compression's originals, or says why they aren't shown. @param {Row} row @param {RowContext} context */
export function renderEdge({ kind, point }, { words, act }) {
  if (kind === 'end') {
    const collapse = h('button', { onclick: () => act('toggle') }, words.collapse(originalsText(point, words)));
    return h('article.row.end', { part: 'end', 'aria-label': words.end }, h('div.line', words.end, collapse));
  }
  const status = {
    archive: words.inArchive,
    foreign: words.foreign,
    loading: words.loading,
    failed: words.archiveFailed,
    damaged: words.damaged,
  }[/** @type {State} */ (kind)];
  const spinner = kind === 'loading' && h('span.spinner', { 'aria-hidden': 'true' });
  const retry = kind === 'failed' && h('button', { onclick: () => act('retry') }, words.retry);
  const className = kind === 'loading' || kind === 'archive' ? 'row state' : 'row state is-wrong';
  const attributes = { class: className, part: `state state-${kind}`, 'aria-label': status };
  return h('article', attributes, h('div.line', spinner, status, retry));
}

/** The buttons of a row. @param {RowContext} context */
function renderActions({ words, isJson, activateLabel, act }) {
  const button = (/** @type {Action} */ action, /** @type {string} */ label) =>
    h('button', { tabindex: -1, class: `action-${action}`, onclick: () => act(action) }, label);
  const activate = activateLabel !== '' && button('activate', activateLabel);
  const [copy, json] = [button('copy', words.copy), button('json', isJson ? words.text : words.json)];
  return h('div.actions', { part: 'actions' }, copy, json, activate);
}
