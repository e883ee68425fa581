// @ts-check
/**
 * The card “What fills the window?”: the items with the most tokens over all requests. An item is something read, run or
 * said, once or repeatedly. Pressing one shows its cell in the map.
 *
 * @import { PictureItem, SessionPicture } from '../picture.js'
 * @import { Card } from './card.js'
 */
import { h } from '../base/dom.js';
import { formatCount, formatShare } from '../base/format.js';
import { legible } from '../picture/naming.js';
import { cardOf, note, rowOf } from './card.js';
import { formatCountShort, formatMoney } from './figures.js';

/** Paths in longer labels are shortened; UTF-16 units. */
const MAX_LABEL_UNITS = 36;
/** Maximum length of a name in the card's first sentence, code points. */
const MAX_LEAD_NAME = 60;

/** @param {Card} card */
export function itemsCard(card) {
  const { picture, words, language, select } = card;
  const { items = [], bill = null } = picture;
  const largest = largestRequest(picture);
  const [first] = items;
  if (first === undefined || largest === null) return cardOf(words.fills, words.unknown);
  const allSent = picture.threads.flatMap(({ requests }) => requests).reduce((sum, { tokens }) => sum + tokens, 0);
  const share = (/** @type {number} */ part) => formatShare(allSent > 0 ? part / allSent : 0, language);
  const mostSent = first.sentTokens;
  const rows = items.map((item) => {
    const cost = bill === null ? null : formatMoney(item.cost, bill.currency, words, language);
    const tokens = formatCountShort(item.tokens, language);
    const carried = words.carried(tokens, formatCount(item.requests, language));
    const details = [
      carried,
      item.copies > 1 ? words.copies(formatCount(item.copies, language)) : null,
      staleCostOf(card, item),
    ];
    const detail = details.filter((part) => part !== null).join(words.separator);
    return rowOf(
      {
        what: nameOf(card, item),
        title: legible(item.label),
        figure: cost ?? share(item.sentTokens),
        bar: [0, mostSent > 0 ? item.sentTokens / mostSent : 0],
        press: () => select(item.thread, item.request, item.cell),
      },
      h('span', { class: 'detail' }, detail),
    );
  });
  const lead = words.fillsLead(shortened(nameOf(card, first)), share(first.sentTokens));
  const tokens = formatCount(Math.round(largest.tokens), language);
  const number = formatCount(largest.request + 1, language);
  const window = largest.window;
  const size =
    window === null
      ? words.largest(number, tokens)
      : words.largestOf(
          number,
          tokens,
          formatShare(largest.tokens / window, language),
          formatCountShort(window, language),
        );
  const outdated =
    largest.outdated > 0
      ? words.outdated(
          formatCountShort(largest.outdated, language),
          formatShare(largest.outdated / largest.tokens, language),
        )
      : words.nothingOutdated;
  return cardOf(words.fills, lead, note(`${size} ${outdated}`), h('ul', {}, ...rows));
}

/** The item's cost while it was outdated; null if none. @param {Card} card @param {PictureItem} item */
function staleCostOf({ picture, words, language }, { staleCost }) {
  const { bill = null } = picture;
  if (bill === null || staleCost <= 0) return null;
  return words.staleCost(formatMoney(staleCost, bill.currency, words, language));
}

/** @param {Card} card @param {PictureItem} item */
function nameOf({ picture, words }, { kind, tool, label, cell, thread }) {
  const kindName = picture.kinds[kind] ?? 'other';
  if (cell === null) {
    const threadName = picture.threads[thread]?.name ?? null;
    return threadName === null ? words.kinds.fixed : words.ofThread(words.kinds.fixed, legible(threadName));
  }
  const text = shortPath(legible(label));
  // A result's label already contains its tool.
  if (kindName === 'result' && text !== '') return text;
  if (text !== '') return words.quoted(words.kinds[kindName], text);
  const toolName = tool === null ? '' : legible(picture.tools[tool] ?? '');
  return [words.kinds[kindName], toolName].filter((part) => part !== '').join(' ');
}

/** For the first sentence; the row below shows the full name. @param {string} name */
function shortened(name) {
  const characters = [...name];
  if (characters.length <= MAX_LEAD_NAME) return name;
  const beginning = characters.slice(0, MAX_LEAD_NAME - 1).join('');
  return `${beginning.trimEnd()}…`;
}

/** `Read: …/src/lib.rs`. @param {string} label */
function shortPath(label) {
  return label.replace(/^([^\s/\\]{1,24}: )?\S*?((?:[/\\][^\s/\\]+){2})$/, (whole, tool, end) =>
    whole.length > MAX_LABEL_UNITS ? `${tool ?? ''}…${end}` : whole,
  );
}

/**
 * The largest request of the main thread.
 * @param {SessionPicture} picture
 * @returns {{ request: number, tokens: number, window: number | null, outdated: number } | null} `window`: the model's
 *   limit in tokens; `outdated`: tokens; null if nothing was sent
 */
function largestRequest({ threads: [thread] }) {
  if (thread === undefined) return null;
  const largest = Math.max(0, ...thread.requests.map(({ tokens }) => tokens));
  const index = thread.requests.findLastIndex(({ tokens }) => tokens === largest);
  const request = thread.requests[index];
  if (request === undefined || largest <= 0) return null;
  let outdated = 0;
  for (const [from, to] of request.prompt) {
    for (const { staleFrom, clearedFrom = null, tokens, tokensCleared = 0 } of thread.cells.slice(from, to)) {
      const isCleared = clearedFrom !== null && clearedFrom <= index;
      if (staleFrom !== null && staleFrom <= index) outdated += tokens - (isCleared ? tokensCleared : 0);
    }
  }
  return { request: index, tokens: largest, window: thread.contextWindow ?? null, outdated };
}
