// @ts-check
/**
 * The card “What fills the window?”: what was read, run or said, and took the most tokens over all requests.
 * @import { PictureItem, SessionPicture } from '../picture.js'
 * @import { Card } from './card.js'
 * @import { Words } from './words.js'
 */
import { h } from '../base/dom.js';
import { legible } from '../base/safe-text.js';
import { cardOf, formatCountShort, note, rowOf } from './card.js';

/** Paths in longer labels are shortened; UTF-16 units. */ const MAX_LABEL_UNITS = 36;
/** Maximum length of a name in the card's first sentence, code points. */ const MAX_LEAD_NAME = 60;

/** @param {Card} card */
export function itemsCard({ picture, words, money, select }) {
  const { items = [], bill = null } = picture;
  const [first] = items;
  const size = sizeSentences(picture, words);
  if (first === undefined || size === null) return cardOf(words.fills, words.unknown);
  const allSent = picture.threads.flatMap(({ requests }) => requests).reduce((sum, { tokens }) => sum + tokens, 0);
  const share = (/** @type {number} */ part) => words.share(allSent > 0 ? part / allSent : 0);
  const rows = items.map((item) => {
    const details = [words.carried(formatCountShort(item.tokens, words), words.number(item.requests))];
    if (item.copies > 1) details.push(words.copies(words.number(item.copies)));
    if (bill !== null && item.staleCost > 0) details.push(words.staleCost(money(item.staleCost)));
    const below = h('span.detail', details.join(words.separator));
    const row = {
      what: nameOf(picture, words, item),
      button: { title: legible(item.label) },
      figure: bill === null ? share(item.sentTokens) : money(item.cost),
      press: () => select(item.thread, item.request, item.cell),
    };
    return rowOf({ ...row, bar: [0, first.sentTokens > 0 ? item.sentTokens / first.sentTokens : 0] }, below);
  });
  const lead = words.fillsLead(shortened(nameOf(picture, words, first)), share(first.sentTokens));
  return cardOf(words.fills, lead, note(size), h('ul', ...rows));
}

/** @param {SessionPicture} picture @param {Words} words @param {PictureItem} item */
function nameOf({ kinds, threads, tools }, words, { kind, tool, label, cell, thread }) {
  if (cell === null) {
    const threadName = threads[thread]?.name ?? null;
    return threadName === null ? words.kinds.fixed : words.ofThread(words.kinds.fixed, legible(threadName));
  }
  const kindName = kinds[kind] ?? 'other';
  const text = shortPath(legible(label));
  // A result's label already contains its tool.
  if (text !== '') return kindName === 'result' ? text : words.quoted(words.kinds[kindName], text);
  const toolName = tool === null ? '' : legible(tools[tool] ?? '');
  return [words.kinds[kindName], toolName].filter((part) => part !== '').join(' ');
}

/** For the first sentence; the row below shows the full name. @param {string} name */
function shortened(name) {
  const characters = [...name];
  if (characters.length <= MAX_LEAD_NAME) return name;
  const start = characters.slice(0, MAX_LEAD_NAME - 1).join('');
  return `${start.trimEnd()}…`;
}

/** `Read: …/src/lib.rs`. @param {string} label */
function shortPath(label) {
  return label.replace(/^([^\s/\\]{1,24}: )?\S*?((?:[/\\][^\s/\\]+){2})$/, (whole, tool, end) =>
    whole.length > MAX_LABEL_UNITS ? `${tool ?? ''}…${end}` : whole,
  );
}

/** About the main thread's largest request. @param {SessionPicture} picture @param {Words} words */
function sizeSentences({ threads: [thread] }, words) {
  const tokens = Math.max(0, ...(thread?.requests ?? []).map((request) => request.tokens));
  if (thread === undefined || tokens <= 0) return null;
  const index = thread.requests.findLastIndex((request) => request.tokens === tokens);
  const window = thread.contextWindow ?? null;
  const [number, total] = [words.number(index + 1), words.number(Math.round(tokens))];
  let size = words.largest(number, total);
  if (window !== null)
    size = words.largestOf(number, total, words.share(tokens / window), formatCountShort(window, words));
  const cells = (thread.requests[index]?.prompt ?? []).flatMap(([from, to]) => thread.cells.slice(from, to));
  const outdated = cells.reduce((sum, { staleFrom, clearedFrom = null, tokens: stored, tokensCleared = 0 }) => {
    const isCleared = clearedFrom !== null && clearedFrom <= index;
    return staleFrom !== null && staleFrom <= index ? sum + stored - (isCleared ? tokensCleared : 0) : sum;
  }, 0);
  if (outdated <= 0) return `${size} ${words.nothingOutdated}`;
  return `${size} ${words.outdated(formatCountShort(outdated, words), words.share(outdated / tokens))}`;
}
