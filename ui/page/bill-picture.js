// @ts-check
/**
 * An image of the bill for sharing. It contains no message content and no name of a project, file or tool. It is SVG
 * text, so the command can write it without a browser. `picture` is the session's data, not this image.
 * @import { Language } from '../base/element.js'
 * @import { BillPicture, SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from './words.js'
 */
import { rounded } from '../base/dom.js';
import { formatTime } from '../base/format.js';
import { legible } from '../base/safe-text.js';
import { basisOf, billParts, formatCountShort, lossesOf, moneyOf } from './card.js';
import { WORDS } from './words.js';

/** CSS pixels; the usual size of preview pictures on other sites. */
export const SIZE = { width: 1200, height: 630 };
const MARGIN = 48;
const BARS = { left: 740, right: 940 };
const ROWS = { top: 142, bottom: 386, maxHeight: 34 };
const CHART = { top: 426, bottom: 572 };
/** Maximum number of rows for causes of cache misses; further causes share the last row. */ const MAX_LOSSES = 5;
/** Maximum length of text next to a bar, UTF-16 units. */ const MAX_ROW_UNITS = 88;
const INK = { text: '#1b1f24', muted: '#57606a', line: '#d5dbe1', bar: '#0b57b0', bad: '#b3261e', area: '#bac8b6' };

/** @param {SessionPicture} picture @param {Language} language @returns {string} SVG */
export function billPicture(picture, language) {
  const words = WORDS[language];
  const { bill = null } = picture;
  const title = bill === null ? words.noUsage : words.pictureTitle(moneyOf(picture, words)(bill.paid));
  const { width, height } = SIZE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'Noto Sans SC', 'PingFang SC', 'Microsoft YaHei', sans-serif" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(MARGIN, 66, title, { size: 34, weight: 650 }),
    text(MARGIN, 98, aboutOf(picture, words), { size: 17, ink: INK.muted }),
    ...(bill === null ? [] : rowsOf(bill, words)),
    ...chartOf(picture.threads[0], words),
    text(MARGIN, height - 20, basisOf(picture, words), { size: 14, ink: INK.muted }),
    text(width - MARGIN, height - 20, 'palimpsest', { size: 14, weight: 650, ink: INK.muted, anchor: 'end' }),
    '</svg>\n',
  ].join('\n');
}

/** The line below the title. @param {SessionPicture} picture @param {Words} words */
function aboutOf({ agentName, models, lastMs, threads }, words) {
  const requests = threads.reduce((sum, thread) => sum + thread.requests.length, 0);
  const day = lastMs === null ? undefined : formatTime(lastMs, words.language)?.datetime.slice(0, 10);
  const named = [...models.slice(0, 2).map(legible), ...(models.length > 2 ? ['…'] : [])].join(', ');
  return [agentName, named, words.ofRequests(words.number(requests)), day].filter(Boolean).join(' · ');
}

/** Bars that add up to what was paid. @param {BillPicture} bill @param {Words} words @returns {string[]} */
function rowsOf(bill, words) {
  const losses = lossesOf(bill, words);
  const rest = losses.splice(MAX_LOSSES);
  if (rest.length > 0) {
    const cost = rest.reduce((sum, loss) => sum + loss.cost, 0);
    losses.push({ cause: words.otherCauses, cost, requests: rest.flatMap(({ requests }) => requests) });
  }
  const parts = billParts(bill, losses, words);
  return parts.flatMap(({ what, figure, bar: [from, to], requests }, index) => {
    const y = Math.round(ROWS.top + index * Math.min(ROWS.maxHeight, (ROWS.bottom - ROWS.top) / parts.length));
    const isLoss = requests !== undefined;
    const shown = what.length > MAX_ROW_UNITS ? `${what.slice(0, MAX_ROW_UNITS - 1)}…` : what;
    return [
      text(MARGIN, y, shown, { size: 15 }),
      bar(y, 0, 1, INK.line),
      bar(y, from, to, isLoss ? INK.bad : INK.bar),
      text(SIZE.width - MARGIN, y, figure, { size: 15, anchor: 'end', ...(isLoss && { ink: INK.bad }) }),
    ];
  });
}

/** @param {number} y of the centre @param {number} from a share @param {number} to a share @param {string} ink */
function bar(y, from, to, ink) {
  const [left = 0, right = 0] = [from, to].map((share) => Math.max(0, Math.min(1, share)) * (BARS.right - BARS.left));
  return `<rect x="${rounded(BARS.left + left)}" y="${y - 10}" width="${rounded(Math.max(1.5, right - left))}" height="8" rx="1.5" fill="${ink}"/>`;
}

/** The main thread's tokens, and its cache misses. @param {ThreadPicture | undefined} thread @param {Words} words */
function chartOf(thread, words) {
  const requests = thread?.requests ?? [];
  const most = requests.reduce((largest, { tokens }) => Math.max(largest, tokens), 0);
  if (most <= 0) return [];
  const width = (SIZE.width - 2 * MARGIN) / requests.length;
  const x = (/** @type {number} */ request) => rounded(MARGIN + request * width);
  const y = (/** @type {number} */ tokens) => rounded(CHART.bottom - (tokens / most) * (CHART.bottom - CHART.top - 14));
  const line = requests.map(({ tokens }, index) => `V${y(tokens)}H${x(index + 1)}`).join('');
  const dots = requests.flatMap(({ bust }, index) =>
    bust === null ? [] : [`<circle cx="${x(index + 0.5)}" cy="${CHART.top}" r="4.5" fill="${INK.bad}"/>`],
  );
  return [
    text(MARGIN, CHART.top - 18, words.pictureChart(formatCountShort(most, words)), { size: 15, ink: INK.muted }),
    `<path d="M${x(0)} ${CHART.bottom}${line}V${CHART.bottom}Z" fill="${INK.area}"/>`,
    `<path d="M${x(0)} ${CHART.bottom}H${x(requests.length)}" stroke="${INK.muted}" fill="none"/>`,
    ...dots,
  ];
}

/** @param {number} x @param {number} y @param {string} content @param {{ size: number, weight?: number, ink?: string, anchor?: 'end' }} style */
function text(x, y, content, { size, weight = 400, ink = INK.text, anchor }) {
  const end = anchor === undefined ? '' : ' text-anchor="end"';
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${ink}"${end}>${escaped(content)}</text>`;
}

/** Text as SVG content. All text is escaped: a session file can contain any model name. @param {string} text */
function escaped(text) {
  return legible(text).replace(/[<>&"']/g, (unit) => `&#${unit.charCodeAt(0)};`);
}
