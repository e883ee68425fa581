// @ts-check
/**
 * The card “What was paid for?”: input, repeated history, cache misses by cause, and output add up to what was paid. A
 * loss is a cause of cache misses and their cost; a bust is one cache miss.
 * @import { Card, Requests } from './card.js'
 */
import { h } from '../base/dom.js';
import { formatDuration } from '../base/format.js';
import { billPicture, SIZE } from './bill-picture.js';
import { basisOf, billParts, cardOf, formatCountShort, lossesOf, note, rowOf } from './card.js';

/** Maximum number of links to cache misses; the chart shows all. */ const MAX_LINKS = 12;
/** PNG pixels per CSS pixel. */ const PNG_SCALE = 2;

/** @param {Card} card */
export function billCard(card) {
  const { picture, words, money } = card;
  const { bill = null } = picture;
  if (bill === null) return cardOf(words.bill, words.noUsage, note(words.noUsageMore));
  const rows = billParts(bill, lossesOf(bill, words), words).map(({ requests, ...part }) =>
    requests === undefined ? rowOf(part) : rowOf({ ...part, tone: 'bad' }, linksOf(card, requests)),
  );
  const paid = money(bill.paid);
  rows.push(rowOf({ what: words.paid, figure: paid, bar: [0, 1], tone: 'sum' }));
  const lost = bill.losses.reduce((sum, { cost }) => sum + cost, 0);
  const count = bill.losses.reduce((sum, { requests }) => sum + requests.length, 0);
  const lead = count === 0 ? words.billLead(paid) : words.billLostLead(paid, words.number(count), money(lost));
  return cardOf(words.bill, lead, h('ul.waterfall', ...rows), note(basisOf(picture, words)), saveButtons(card));
}

/** Links to the cache misses of a loss, most expensive first. @param {Card} card @param {Requests} requests */
function linksOf({ picture, words, money, select }, requests) {
  const links = requests.slice(0, MAX_LINKS).map(([thread, request, cost]) => {
    const { bust = null } = picture.threads[thread]?.requests[request] ?? {};
    const { pauseMs = 0, tokens = 0 } = bust ?? {};
    const pause = pauseMs < 60_000 ? null : formatDuration(pauseMs, words.language);
    const what = words.lossAt(words.number(request + 1), pause, picture.threads[thread]?.name ?? null);
    const button = { title: words.again(formatCountShort(tokens, words)) };
    return rowOf({ what, figure: money(cost), button, tone: 'bad', press: () => select(thread, request) });
  });
  const rest = requests.length - links.length;
  const more = rest > 0 && note(words.moreLosses(words.number(rest)));
  return h('details', h('summary', words.whichRequests), h('ul', ...links), more);
}

/** Saves the bill's picture. The browser draws it, so nothing is sent over the network. @param {Card} card */
function saveButtons({ picture, words }) {
  const svgFile = () => new Blob([billPicture(picture, words.language)], { type: 'image/svg+xml' });
  const button = (/** @type {string} */ name, /** @type {() => Promise<void>} */ onclick) =>
    h('button', { 'aria-label': words.saveAs(name), onclick }, name);
  const asSvgButton = button('SVG', async () => save('palimpsest-bill.svg', svgFile()));
  const asPngButton = button('PNG', async () => save('palimpsest-bill.png', await asPng(svgFile())));
  return h('p.more.save', { title: words.saveHint }, words.save, asSvgButton, asPngButton);
}

/** @param {Blob} svg @returns {Promise<Blob>} */
async function asPng(svg) {
  const image = new Image();
  const url = URL.createObjectURL(svg);
  try {
    image.src = url;
    await image.decode();
  } finally {
    URL.revokeObjectURL(url);
  }
  const canvas = h('canvas', { width: SIZE.width * PNG_SCALE, height: SIZE.height * PNG_SCALE });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((png) => (png === null ? reject(new Error('the browser drew nothing')) : resolve(png)), 'image/png');
  });
}

/** @param {string} name @param {Blob} file */
function save(name, file) {
  const url = URL.createObjectURL(file);
  h('a', { href: url, download: name }).click();
  // The browser must have started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
