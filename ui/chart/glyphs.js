// @ts-check
/**
 * A distinct shape for each event: filled for a cache miss, hollow where a new context begins.
 *
 * @import { Beginning, Cause } from './events.js'
 * @typedef {Cause | `begins ${Beginning}` | 'compacts'} Sign
 */

/** Half the size of a sign, CSS pixels. */
const R = 4;

/** @type {Record<'circle' | 'triangle' | 'diamond' | 'square' | 'flag' | 'plus', (x: number, y: number) => string>} */
const SHAPES = {
  circle: (x, y) => `M${x - R} ${y}a${R} ${R} 0 1 0 ${2 * R} 0a${R} ${R} 0 1 0 ${-2 * R} 0Z`,
  triangle: (x, y) => `M${x} ${y - R}L${x + R + 0.5} ${y + R}H${x - R - 0.5}Z`,
  diamond: (x, y) => `M${x} ${y - R - 1}L${x + R + 1} ${y}L${x} ${y + R + 1}L${x - R - 1} ${y}Z`,
  square: (x, y) => `M${x - R} ${y - R}h${2 * R}v${2 * R}h${-2 * R}Z`,
  flag: (x, y) => `M${x - R - 0.5} ${y - R}H${x + R + 0.5}L${x} ${y + R}Z`,
  plus: (x, y) => `M${x - R} ${y}h${2 * R}M${x} ${y - R}v${2 * R}`,
};

/** @type {Record<Sign, keyof typeof SHAPES>} */
const SHAPE_OF_SIGN = {
  idle: 'circle',
  compaction: 'triangle',
  'edited-prefix': 'diamond',
  unknown: 'square',
  'begins compaction': 'flag',
  'begins results-cleared': 'triangle',
  'begins rewind': 'square',
  'begins changed': 'diamond',
  compacts: 'plus',
};

/** SVG path of a sign. @param {Sign} sign @param {number} x @param {number} y of the centre */
export function glyphPath(sign, x, y) {
  return SHAPES[SHAPE_OF_SIGN[sign]](Math.round(x * 10) / 10, y);
}

/** True for a cache miss. @param {Sign} sign */
export function isLoss(sign) {
  return sign === 'idle' || sign === 'compaction' || sign === 'edited-prefix' || sign === 'unknown';
}
