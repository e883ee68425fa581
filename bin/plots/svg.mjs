// @ts-check
/** Renders charts as one SVG that follows the light or dark mode. */
import { extentOf, legendOf, ticksOf } from './charts.mjs';

/** @import { Chart } from './charts.mjs' */

const [width, height] = [960, 400];
const plot = { left: 96, top: 64, right: 700, bottom: 346 };
/** Height of a line of the legend. */ const legendLine = 26;

/** By curve: colours in light and dark mode, and dashes, for colour-blind readers. */
const strokes = [
  { key: 'leave-alone', light: '#5b6470', dark: '#a9b2be', dash: '' },
  { key: 'every-request', light: '#b3261e', dark: '#ff8a80', dash: '2 3' },
  { key: 'batches-20k', light: '#9a6700', dark: '#e3b341', dash: '8 3' },
  { key: 'batches-30k', light: '#7d4ea8', dark: '#c9a0f0', dash: '8 3 2 3' },
  { key: 'clear-above-100k', light: '#0f766e', dark: '#5ed3c7', dash: '12 4' },
  { key: 'view', light: '#0b5fd0', dark: '#79b8ff', dash: '' },
  { key: 'paid', light: '#111111', dark: '#f5f5f5', dash: '1 4' },
  { key: 'hindsight', light: '#1a7f37', dark: '#56d364', dash: '4 4' },
];

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function stylesheet() {
  const light = strokes.map((stroke) => `.${stroke.key}{stroke:${stroke.light}}`);
  const dark = strokes.map((stroke) => `.${stroke.key}{stroke:${stroke.dark}}`);
  const dashes = strokes.map(({ key, dash }) => (dash === '' ? '' : `.${key}{stroke-dasharray:${dash}}`));
  return `<style>
text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#24292f}
.title{font-size:17px;font-weight:600}.soft{fill:#57606a}.figure{text-anchor:end;font-variant-numeric:tabular-nums}
.paper{fill:#fff}.axis,.grid{stroke:#8c959f;fill:none}.grid{stroke-opacity:.3}
.curve{fill:none;stroke-width:2;stroke-linejoin:round}.view{stroke-width:3}.paid{stroke-linecap:round;stroke-width:2.5}
${light.join('')}${dashes.join('')}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.soft{fill:#9da7b3}.paper{fill:#0d1117}.axis,.grid{stroke:#6e7681}${dark.join('')}}
</style>`;
}

/** Cuts the start: the end of a path says more. @param {string} text @param {number} maxCharacters */
function withoutStart(text, maxCharacters) {
  const letters = [...text];
  return letters.length <= maxCharacters ? text : `…${letters.slice(1 - maxCharacters).join('')}`;
}

/** @param {Chart} chart @param {(request: number) => number} x @param {(cost: number) => number} y */
function axes(chart, x, y) {
  const { left, right, top, bottom } = plot;
  const middleX = (left + right) / 2;
  const rows = ticksOf(extentOf(chart).y, 5).map((value) => {
    const label = `<text class="soft figure" x="${left - 8}" y="${(y(value) + 4).toFixed(1)}">${escaped(chart.format(value))}</text>`;
    return `<path class="grid" d="M${left} ${y(value).toFixed(1)}H${right}"/>${label}`;
  });
  const columns = ticksOf(chart.requests.at(-1) ?? 1, 8).map((value) => {
    const at = x(value).toFixed(1);
    const label = `<text class="soft" text-anchor="middle" x="${at}" y="${bottom + 20}">${value}</text>`;
    return `<path class="axis" d="M${at} ${bottom}v5"/>${label}`;
  });
  return `${rows.join('\n')}
<path class="axis" d="M${left} ${top}V${bottom}H${right}"/>
${columns.join('\n')}
<text class="soft" text-anchor="middle" x="${middleX}" y="${bottom + 40}">requests</text>
<text class="soft" text-anchor="middle" transform="translate(14 ${(top + bottom) / 2}) rotate(-90)">cost of prompts so far</text>`;
}

/** @param {Chart} chart */
function legend(chart) {
  const notes = (chart.notes ?? []).map((text, index) => {
    return `<text class="soft" x="${plot.right + 24}" y="${plot.bottom - 18 + index * 18}">${escaped(text)}</text>`;
  });
  const keys = legendOf(chart).map(({ key, name, cost }, index) => {
    const y = plot.top + 12 + index * legendLine;
    return `<path class="curve ${key}" d="M${plot.right + 24} ${y}h34"/><text x="${plot.right + 68}" y="${y + 4}">${escaped(name)}</text><text class="figure" x="${width - 16}" y="${y + 4}">${escaped(chart.format(cost))}</text>`;
  });
  return [...keys, ...notes];
}

/** @param {Chart} chart @param {number} index from the top */
function panel(chart, index) {
  const { left, right, top, bottom } = plot;
  const extent = extentOf(chart);
  const x = (/** @type {number} */ request) => left + ((right - left) * request) / extent.x;
  const y = (/** @type {number} */ value) => bottom - ((bottom - top) * value) / extent.y;
  const curves = chart.lines.map(({ key, values }) => {
    const points = values.map((value, index) => `${x(chart.requests[index] ?? 0).toFixed(1)} ${y(value).toFixed(1)}`);
    return `<path class="curve ${key}" d="M${x(0).toFixed(1)} ${y(0).toFixed(1)}L${points.join('L')}"/>`;
  });
  // Hindsight has a total only, so it is a mark at the end.
  const levels = chart.levels.map(({ key, value }) => {
    return `<path class="curve ${key}" d="M${right - 60} ${y(value).toFixed(1)}h66"/>`;
  });
  return `<g transform="translate(0 ${index * height})">
<text class="title" x="${left}" y="28">${escaped(withoutStart(chart.title, 90))}</text>
<text class="soft" x="${left}" y="48">${escaped(withoutStart(chart.subtitle, 120))}</text>
${[axes(chart, x, y), ...curves, ...levels, ...legend(chart)].join('\n')}
</g>`;
}

/** @param {readonly Chart[]} charts @param {number} omitted number of sessions that aren’t drawn */
export function svgOf(charts, omitted) {
  const title = 'Cost of recorded sessions over their requests, under each policy';
  const descriptions = charts.map((chart) => {
    const figures = legendOf(chart).map(({ name, cost }) => `${name} ${chart.format(cost)}`);
    return `${chart.title}: ${figures.join(', ')}.`;
  });
  const more = omitted > 0 ? ` ${omitted} more that cost less aren’t drawn.` : '';
  const chartsHeight = height * Math.max(1, charts.length);
  const note = omitted > 0 ? `<text class="soft" x="${plot.left}" y="${chartsHeight + 18}">${more.trim()}</text>` : '';
  const totalHeight = chartsHeight + (omitted > 0 ? 32 : 0);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${totalHeight}" width="${width}" height="${totalHeight}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(title)}</title>
<desc id="desc">${escaped(descriptions.join(' ') + more)}</desc>
${stylesheet()}
<rect class="paper" width="100%" height="100%"/>
${charts.map(panel).join('\n')}
${note}</svg>
`;
}
