// @ts-check
/** A session's line in the table: prompt sizes by request, with a dot at each cache miss. */
import { svg } from '../../base/dom.js';

/** CSS pixels. */
const [width, height, margin] = [132, 28, 3];

/** @param {readonly [tokens: number, isLost: boolean][]} outline @returns {SVGElement | null} null for a single request */
export function sparkline(outline) {
  const largest = Math.max(...outline.map(([tokens]) => tokens));
  if (outline.length < 2 || largest <= 0) return null;
  const step = (width - 2 * margin) / (outline.length - 1);
  const points = outline.map(([tokens], request) => [
    (margin + request * step).toFixed(1),
    (height - margin - (tokens / largest) * (height - 2 * margin)).toFixed(1),
  ]);
  const line = points.map((point) => point.join(' ')).join('L');
  const baseline = height - margin;
  return svg(
    'svg',
    { class: 'sparkline', viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
    svg('path', { class: 'area', d: `M${margin} ${baseline}L${line}L${width - margin} ${baseline}Z` }),
    svg('path', { class: 'line', d: `M${line}` }),
    points.map(([x, y], request) => outline[request]?.[1] && svg('circle', { class: 'lost', cx: x, cy: y, r: 2.4 })),
  );
}
