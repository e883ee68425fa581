// @ts-check
/**
 * The axes of a panel: grid lines with values, and request numbers.
 *
 * @import { Band } from './scale.js'
 * @import { Rise } from './paths.js'
 */
import { svg } from '../base/dom.js';
import { yOf } from './paths.js';
import { requestTicks, xOf } from './scale.js';

/** Minimum distance between request labels in CSS pixels. */
const MIN_LABEL_DISTANCE = 64;

/** @param {Band} band @param {Rise} rise @param {{ value: number, text: string }[]} ticks */
export function valueAxis(band, rise, ticks) {
  return ticks.flatMap(({ value, text }) => {
    const y = Math.round(yOf(rise, value)) + 0.5;
    return [
      svg('line', { class: 'grid', x1: band.left, x2: band.left + band.width, y1: y, y2: y }),
      svg('text', { class: 'tick', x: band.left - 6, y: y + 4, 'text-anchor': 'end' }, text),
    ];
  });
}

/** @param {Band} band @param {number} y of the labels' base line @param {(request: number) => string} name */
export function requestAxis(band, y, name) {
  const requests = requestTicks(band.count, Math.max(2, Math.floor(band.width / MIN_LABEL_DISTANCE)));
  return requests.map((request) => {
    const x = (xOf(band, request) + xOf(band, request + 1)) / 2;
    return svg('text', { class: 'tick', x, y, 'text-anchor': 'middle' }, name(request));
  });
}
