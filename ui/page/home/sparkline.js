// @ts-check
/** A line of prompt sizes by request, with a dot at each cache miss. */
import { svg } from '../../base/dom.js';

const [width, height, margin] = [132, 28, 3];

/** @param {readonly [tokens: number, isLost: boolean][]} outline @returns {SVGElement | null} null for a single request */
export function sparkline(outline) {
  const largest = Math.max(...outline.map(([tokens]) => tokens));
  if (outline.length < 2 || largest <= 0) return null;
  const step = (width - 2 * margin) / (outline.length - 1);
  const points = outline.map(([tokens], at) => [
    (margin + at * step).toFixed(1),
    (height - margin - (tokens / largest) * (height - 2 * margin)).toFixed(1),
  ]);
  const line = points.map((point) => point.join(' ')).join('L');
  const ground = height - margin;
  return svg(
    'svg',
    { class: 'sparkline', viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
    svg('path', { class: 'area', d: `M${margin} ${ground}L${line}L${width - margin} ${ground}Z` }),
    svg('path', { class: 'line', d: `M${line}` }),
    points.map(([x, y], at) => outline[at]?.[1] && svg('circle', { class: 'lost', cx: x, cy: y, r: 2.4 })),
  );
}
