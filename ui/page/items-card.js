// @ts-check
/**
 * The ten largest items in the context window; pressing one shows its cell.
 *
 * @import { PictureItem, PictureKind } from '../picture.js'
 * @import { Card } from './card.js'
 */
import { h } from '../base/dom.js';
import { formatCount, formatShare } from '../base/format.js';
import { legible } from '../picture/naming.js';
import { largestRequest } from './answers.js';
import { cardOf, note, rowOf } from './card.js';
import { formatCountShort, formatMoney } from './figures.js';

/** Paths in longer labels are shortened, UTF-16 units. */
const shortest = 36;
/** Maximum length of a name, code points. */
const longestLead = 60;

/** @param {Card} card */
export function itemsCard(card) {
  const { picture, words, language, select } = card;
  const { items = [], bill = null } = picture;
  const largest = largestRequest(picture);
  const [first] = items;
  if (first === undefined || largest === null) return cardOf(words.fills, words.unknown);
  const sent = picture.threads.flatMap(({ requests }) => requests).reduce((sum, { tokens }) => sum + tokens, 0);
  const share = (/** @type {number} */ part) => formatShare(sent > 0 ? part / sent : 0, language);
  const most = first.sentTokens;
  const rows = items.map((item) => {
    const cost = bill === null ? null : formatMoney(item.cost, bill.currency, words, language);
    const tokens = formatCountShort(item.tokens, language);
    const carried = words.carried(tokens, formatCount(item.requests, language));
    const more = [item.copies > 1 ? words.copies(formatCount(item.copies, language)) : null, staleOf(card, item)];
    const detail = [carried, ...more].filter((part) => part !== null).join(words.separator);
    return rowOf(
      {
        what: nameOf(card, item),
        title: legible(item.label),
        figure: cost ?? share(item.sentTokens),
        bar: [0, most > 0 ? item.sentTokens / most : 0],
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

/** @param {Card} card @param {PictureItem} item */
function staleOf({ picture, words, language }, { staleCost }) {
  const { bill = null } = picture;
  if (bill === null || staleCost <= 0) return null;
  return words.staleCost(formatMoney(staleCost, bill.currency, words, language));
}

/** @param {Card} card @param {PictureItem} item */
function nameOf({ picture, words }, { kind, tool, label, cell, thread }) {
  const name = picture.kinds[kind] ?? 'other';
  if (cell === null) {
    const of = picture.threads[thread]?.name ?? null;
    return of === null ? words.kinds.fixed : words.ofThread(words.kinds.fixed, legible(of));
  }
  const text = legible(label);
  return nameWith(words, picture, name, tool, shortPath(text));
}

/** The row below shows the full name. @param {string} name */
function shortened(name) {
  const characters = [...name];
  return characters.length > longestLead
    ? `${characters
        .slice(0, longestLead - 1)
        .join('')
        .trimEnd()}…`
    : name;
}

/** `Read: …/src/lib.rs` @param {string} label */
function shortPath(label) {
  return label.replace(/^([^\s/\\]{1,24}: )?\S*?((?:[/\\][^\s/\\]+){2})$/, (whole, tool, end) =>
    whole.length > shortest ? `${tool ?? ''}…${end}` : whole,
  );
}

/** @param {Card['words']} words @param {Card['picture']} picture @param {PictureKind} name @param {number | null} tool @param {string} text */
function nameWith(words, picture, name, tool, text) {
  // A result's label already contains its tool.
  if (name === 'result' && text !== '') return text;
  const what = words.kinds[name];
  const of = tool === null ? '' : legible(picture.tools[tool] ?? '');
  return text === '' ? `${what}${of === '' ? '' : ` ${of}`}` : words.quoted(what, text);
}
