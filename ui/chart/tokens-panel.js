// @ts-check
/**
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

const HEIGHT = 260;
/** Height of the two lanes of signs above the areas, CSS pixels: new contexts and cache misses. */
const LANES = 30;
const AXIS = 22;
/** Minimum height of a band for its name, CSS pixels. */
const NAME_HEIGHT = 15;
/** Approximate width of a Latin letter in CSS pixels; a Chinese character counts twice. */
const LETTER = 6.5;
const CHARACTER = 12;

/**
 * @param {Panel} panel @param {number} width
 * @param {{ words: Words, language: Language, picture: SessionPicture, thread: ThreadPicture, events: PictureEvent[] }} what
 */
export function drawTokens(panel, width, { words, language, picture, thread, events }) {
  const { requests } = thread;
  const band = panel.size(width, HEIGHT, requests.length);
  const amounts = requests.map(({ tokens }) => tokens);
  const view = requests.map(({ tokensView }) => tokensView);
  const most = largest([amounts]);
  const least = amounts.reduce((one, other) => Math.min(one, other), most);
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
    ...marks(band, events),
    ...requestAxis(band, HEIGHT - 6, (place) => formatCount(place + 1, language)),
  );
}

/** @param {Band} band @param {Rise} rise @param {Words} words @param {SessionPicture} picture @param {ThreadPicture} thread */
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
    const place = widest(tops, below);
    const [top, bottom] = [yOf(rise, tops[place] ?? 0), yOf(rise, below?.[place] ?? 0)];
    if (bottom - top >= NAME_HEIGHT && band.width > 300) {
      const named = nameAt(band, place, (top + bottom) / 2, kindName(words, name));
      // Names can overlap when bands rise and fall; skip those, since the legend has them.
      if (!names.some((other) => overlap(named, other))) names.push(named);
    }
    below = tops;
  }
  const texts = names.map(({ from, to, y, text, isRight }) =>
    svg('text', { class: 'name', y: y + 4, x: isRight ? to : from, 'text-anchor': isRight ? 'end' : 'start' }, text),
  );
  return [...areas, ...texts];
}

/**
 * @typedef {{ from: number, to: number, y: number, text: string, isRight: boolean }} Name in CSS pixels; `y` is the
 *   centre
 */

/** @param {Band} band @param {number} place @param {number} y @param {string} text @returns {Name} */
function nameAt(band, place, y, text) {
  const width = text.length * (/[\u3000-\u9fff]/.test(text) ? CHARACTER : LETTER);
  const to = Math.min(band.left + band.width - 4, xOf(band, place + 1) - 4);
  // To the left of the request the name would leave the plot.
  if (to - width > band.left) return { from: to - width, to, y, text, isRight: true };
  const from = xOf(band, place) + 4;
  return { from, to: from + width, y, text, isRight: false };
}

/** @param {Name} a @param {Name} b */
function overlap(a, b) {
  return a.from < b.to && b.from < a.to && Math.abs(a.y - b.y) < NAME_HEIGHT;
}

/** Index at which a band is highest. @param {Float64Array} tops @param {Float64Array | null} below */
function widest(tops, below) {
  let place = 0;
  let most = -1;
  tops.forEach((top, at) => {
    const height = top - (below?.[at] ?? 0);
    if (height >= most) [place, most] = [at, height];
  });
  return place;
}

/** @param {Band} band @param {PictureEvent[]} events */
function marks(band, events) {
  /** @type {Map<Sign, string>} */
  const paths = new Map();
  let lines = '';
  for (const event of events) {
    const x = (xOf(band, event.request) + xOf(band, event.request + 1)) / 2;
    for (const sign of signsOf(event))
      paths.set(sign, (paths.get(sign) ?? '') + glyphPath(sign, x, isLoss(sign) ? 22 : 8));
    if (event.begins === 'compaction') lines += `M${Math.round(xOf(band, event.request))} 14V${HEIGHT - AXIS}`;
  }
  const line = lines === '' ? [] : [svg('path', { class: 'compaction-line', d: lines })];
  return [...line, ...[...paths].map(([sign, d]) => svg('path', { class: isLoss(sign) ? 'loss' : 'begin', d }))];
}
