// @ts-check
/**
 * SVG paths of values by request. They are stepped: a slope between two requests would show token counts that never
 * existed.
 *
 * @import { Band } from './scale.js'
 * @typedef {{ top: number, height: number, most: number }} Rise the vertical scale: `most` is drawn at `top`
 */
import { xOf } from './scale.js';

/** Keeps paths short. @param {number} value */
const rounded = (value) => Math.round(value * 10) / 10;

/** Vertical position of a value, CSS pixels. @param {Rise} rise @param {number} value */
export function yOf({ top, height, most }, value) {
  return top + height * (1 - value / most);
}

/**
 * The area between two series.
 * @param {Band} band @param {Rise} rise @param {ArrayLike<number>} tops
 * @param {ArrayLike<number> | null} bottoms null for the base line
 */
export function areaPath(band, rise, tops, bottoms) {
  const count = tops.length;
  if (count === 0) return '';
  let path = `M${rounded(xOf(band, 0))} ${rounded(yOf(rise, tops[0] ?? 0))}`;
  for (let request = 0; request < count; request++) {
    path += `V${rounded(yOf(rise, tops[request] ?? 0))}H${rounded(xOf(band, request + 1))}`;
  }
  for (let request = count - 1; request >= 0; request--) {
    path += `V${rounded(yOf(rise, bottoms?.[request] ?? 0))}H${rounded(xOf(band, request))}`;
  }
  return `${path}Z`;
}

/** A line; null values are gaps. @param {Band} band @param {Rise} rise @param {ArrayLike<number | null>} values */
export function linePath(band, rise, values) {
  let path = '';
  let isDrawn = false;
  for (let request = 0; request < values.length; request++) {
    const value = values[request] ?? null;
    if (value !== null) {
      const y = rounded(yOf(rise, value));
      path += isDrawn ? `V${y}` : `M${rounded(xOf(band, request))} ${y}`;
      path += `H${rounded(xOf(band, request + 1))}`;
    }
    isDrawn = value !== null;
  }
  return path;
}
