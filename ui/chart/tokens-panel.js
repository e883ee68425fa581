// @ts-check
/**
 * Draws the upper panel: tokens of each request as stacked areas by kind, the line of `ContextView`, and the signs of
 * events.
 *
 * @import { Language } from '../base/language.js'
 * @import { SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @import { Panel } from './panel.js'
 * @import { Rise } from './paths.js'
 * @import { Band } from './scale.js'
 * @import { PictureEvent } from './events.js'
 * @import { Sign } from './glyphs.js'
 */
import { svg } from '../base/dom.js';
import { formatCount, formatTokens } from '../base/format.js';
import { slotOfKind } from '../picture/classes.js';
import { kindName } from '../picture/words.js';
import { requestAxis, valueAxis } from './axis.js';
import { signsOf } from './events.js';
import { glyphPath, isLoss } from './glyphs.js';
import { areaPath, linePath, yOf } from './paths.js';
import { ticks, xOf } from './scale.js';
import { largest, stack } from './series.js';
import { textureDefinitions, textureOf } from './textures.js';

/** CSS pixels. */
const HEIGHT = 260;
/** Height of the two lanes of signs above the areas, CSS pixels: new contexts and cache misses. */
const LANES = 30;
/** Height of the request labels, CSS pixels. */
const AXIS = 22;
/** Minimum height of an area for its name, CSS pixels. */
const NAME_HEIGHT = 15;
/** Approximate widths, CSS pixels. */
const LATIN_LETTER = 6.5;
const CHINESE_CHARACTER = 12;

/**
 * @param {Panel} panel @param {number} width
 * @param {{ words: Words, language: Language, picture: SessionPicture, thread: ThreadPicture, events: PictureEvent[] }} what
 */
export function drawTokens(panel, width, { words, language, picture, thread, events }) {
  const { requests } = thread;
  const band = panel.resize(width, HEIGHT, requests.length);
  const sent = requests.map(({ tokens }) => tokens);
  const view = requests.map(({ tokensView }) => tokensView);
  const most = largest([sent]);
  const least = sent.reduce((smallest, tokens) => Math.min(smallest, tokens), most);
  const steps = ticks(Math.max(most, largest([view])), 5);
  const rise = { top: LANES, height: HEIGHT - LANES - AXIS, most: steps.at(-1) ?? 1 };
  const viewLine = linePath(band, rise, view);
  const labels = steps.map((value) => ({ value, text: formatTokens(value, language) }));
  panel.draw(
    words.chartLabel(formatCount(requests.length, language), formatCount(least, language), formatCount(most, language)),
    textureDefinitions(),
    ...valueAxis(band, rise, labels),
    ...layers(band, rise, words, picture, thread),
    svg('path', { class: 'view-halo', d: viewLine }),
    svg('path', { class: 'view-line', d: viewLine }),
    ...signs(band, events),
    ...requestAxis(band, HEIGHT - 6, (request) => formatCount(request + 1, language)),
  );
}

/**
 * The areas of the kinds, each with its name where it is highest.
 * @param {Band} band @param {Rise} rise @param {Words} words @param {SessionPicture} picture @param {ThreadPicture} thread
 */
function layers(band, rise, words, { kinds }, { requests }) {
  /** @type {Float64Array | null} */
  let below = null;
  const areas = [];
  /** @type {Name[]} */
  const names = [];
  for (const { kind, tops } of stack(requests, kinds.length)) {
    const name = kinds[kind] ?? '';
    const slot = slotOfKind(name);
    const d = areaPath(band, rise, tops, below);
    areas.push(svg('path', { class: 'area', 'data-slot': slot, d }));
    const texture = textureOf(slot);
    if (texture !== null) areas.push(svg('path', { class: 'texture', fill: texture, d }));
    const highest = highestAt(tops, below);
    const [top, bottom] = [yOf(rise, tops[highest] ?? 0), yOf(rise, below?.[highest] ?? 0)];
    if (bottom - top >= NAME_HEIGHT && band.width > 300) {
      const placed = nameAt(band, highest, (top + bottom) / 2, kindName(words, name));
      // Names can overlap when areas rise and fall; skip those, since the legend has them.
      if (!names.some((other) => overlap(placed, other))) names.push(placed);
    }
    below = tops;
  }
  const texts = names.map(({ from, to, y, text, isRight }) =>
    svg('text', { class: 'name', y: y + 4, x: isRight ? to : from, 'text-anchor': isRight ? 'end' : 'start' }, text),
  );
  return [...areas, ...texts];
}

/**
 * @typedef {object} Name an area's name; positions in CSS pixels
 * @property {number} from
 * @property {number} to
 * @property {number} y of the centre
 * @property {string} text
 * @property {boolean} isRight true if the text ends at `to`, false if it starts at `from`
 */

/** @param {Band} band @param {number} request @param {number} y @param {string} text @returns {Name} */
function nameAt(band, request, y, text) {
  const width = text.length * (/[\u3000-\u9fff]/.test(text) ? CHINESE_CHARACTER : LATIN_LETTER);
  const to = Math.min(band.left + band.width - 4, xOf(band, request + 1) - 4);
  if (to - width > band.left) return { from: to - width, to, y, text, isRight: true };
  // The name would leave the plot on the left.
  const from = xOf(band, request) + 4;
  return { from, to: from + width, y, text, isRight: false };
}

/** @param {Name} a @param {Name} b */
function overlap(a, b) {
  return a.from < b.to && b.from < a.to && Math.abs(a.y - b.y) < NAME_HEIGHT;
}

/** The last request at which an area is highest. @param {Float64Array} tops @param {Float64Array | null} below */
function highestAt(tops, below) {
  let highest = 0;
  let most = -1;
  tops.forEach((top, request) => {
    const height = top - (below?.[request] ?? 0);
    if (height >= most) [highest, most] = [request, height];
  });
  return highest;
}

/**
 * One path for each sign, and a line where a compaction begins a new context.
 * @param {Band} band @param {PictureEvent[]} events
 */
function signs(band, events) {
  /** @type {Map<Sign, string>} */
  const paths = new Map();
  let compactions = '';
  for (const event of events) {
    const x = (xOf(band, event.request) + xOf(band, event.request + 1)) / 2;
    for (const sign of signsOf(event))
      paths.set(sign, (paths.get(sign) ?? '') + glyphPath(sign, x, isLoss(sign) ? 22 : 8));
    if (event.begins === 'compaction') compactions += `M${Math.round(xOf(band, event.request))} 14V${HEIGHT - AXIS}`;
  }
  const line = compactions === '' ? [] : [svg('path', { class: 'compaction-line', d: compactions })];
  return [...line, ...[...paths].map(([sign, d]) => svg('path', { class: isLoss(sign) ? 'loss' : 'begin', d }))];
}
