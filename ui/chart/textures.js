// @ts-check
/** The map's textures as SVG patterns, for users who can't distinguish two colours. */
import { svg } from '../base/dom.js';
import { SLOTS, TINTS } from '../picture/palette.js';

/** SVG paths in a tile of 8 × 8 CSS pixels. @type {Record<string, string>} */
const PATHS = {
  dots: 'M1.3 2h1.4M5.3 6h1.4',
  upright: 'M4 0V8',
  level: 'M0 4H8',
  grid: 'M4 0V8M0 4H8',
  ring: 'M2 4a2 2 0 1 0 4 0a2 2 0 1 0 -4 0Z',
};

/** @param {string} slot name of a cell colour @returns {string | null} value of `fill`; null for plain colours */
export function textureOf(slot) {
  const texture = TINTS[slot]?.texture ?? 'plain';
  return texture === 'plain' ? null : `url(#texture-${slot})`;
}

/** The patterns that {@link textureOf} refers to; each SVG drawing needs them. */
export function textureDefinitions() {
  const patterns = SLOTS.filter((slot) => textureOf(slot) !== null).map((slot) =>
    svg(
      'pattern',
      { id: `texture-${slot}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse' },
      svg('path', { class: 'thread', d: PATHS[TINTS[slot]?.texture ?? ''] ?? '' }),
    ),
  );
  return svg('defs', {}, ...patterns);
}
