// @ts-check
/**
 * Paths are stepped: a slope between two requests would show token counts that never existed.
 *
 * @import { Band } from './scale.js'
 * @typedef {{ top: number, height: number, most: number }} Rise
 */
import { xOf } from './scale.js';

/** @param {number} value */
const short = (value) => Math.round(value * 10) / 10;

/** @param {Rise} rise @param {number} value */
export function yOf({ top, height, most }, value) {
  return top + height * (1 - value / most);
}

/**
 * @param {Band} band @param {Rise} rise @param {ArrayLike<number>} tops
 * @param {ArrayLike<number> | null} bottoms null for the base line
 */
export function areaPath(band, rise, tops, bottoms) {
  const count = tops.length;
  if (count === 0) return '';
  let path = `M${short(xOf(band, 0))} ${short(yOf(rise, tops[0] ?? 0))}`;
  for (let place = 0; place < count; place++) {
    path += `V${short(yOf(rise, tops[place] ?? 0))}H${short(xOf(band, place + 1))}`;
  }
  for (let place = count - 1; place >= 0; place--) {
    path += `V${short(yOf(rise, bottoms?.[place] ?? 0))}H${short(xOf(band, place))}`;
  }
  return `${path}Z`;
}

/** Null values are gaps. @param {Band} band @param {Rise} rise @param {ArrayLike<number | null>} values */
export function linePath(band, rise, values) {
  let path = '';
  let isDrawn = false;
  for (let place = 0; place < values.length; place++) {
    const value = values[place] ?? null;
    if (value !== null) {
      const y = short(yOf(rise, value));
      path += isDrawn ? `V${y}` : `M${short(xOf(band, place))} ${y}`;
      path += `H${short(xOf(band, place + 1))}`;
    }
    isDrawn = value !== null;
  }
  return path;
}
